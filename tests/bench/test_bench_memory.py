"""What a box keeps of a long day: one game after another, and how much more memory than at the start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.measured import Measured

pytestmark = pytest.mark.slow  # in `./test bench` alone

ROOT = Path(__file__).parents[2]
ACTS = 5000
DAY = """
import gc, random, re, sys
from pathlib import Path
import msgspec

from companion.app.main import Options, companion
from companion.core import Act, Asked, OpenGame, legal

NAMES = ("Ada", "Ben", "Eve", "Flo")

def act(table, n, chance):
    now = table.snapshot
    if now.result is not None:
        return table.ask(Asked(f"open-{n}", 0, 0, OpenGame("us-patent", NAMES)), timeout=60)
    seat = now.awaited[0]
    view = now.view(seat)
    chosen = now.game.bot(view, seat, legal(now.game, view, seat), chance.getrandbits(30))
    raw = msgspec.Raw(msgspec.json.encode(chosen))
    return table.ask(Asked(f"act-{n}", seat, now.asked[seat], Act(raw)), timeout=60)

def megabytes():
    gc.collect()
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

data, acts = Path(sys.argv[1]), int(sys.argv[2])
(data / "settings.toml").write_text('hardware = "pretend"\\n')
with companion(Options(data, "us-patent", NAMES, port=0), tell=lambda _line: None) as running:
    chance = random.Random(1)
    for n in range(20):
        act(running.table, n, chance)
    before = megabytes()
    for n in range(20, acts):
        act(running.table, n, chance)
    print(megabytes() - before)
"""


def test_a_long_day_takes_little_memory(tmp_path: Path, row: Measured) -> None:
    done = subprocess.run(
        [sys.executable, "-c", DAY, str(tmp_path), str(ACTS)],
        stdout=subprocess.PIPE,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    row.at_most(f"memory after {ACTS:,} acts", "MB more than at start", [float(done.stdout)], 26, 10)
