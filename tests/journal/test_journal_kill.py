"""kill -9 at random points: whatever was reported is there, and the game goes on.

This proves order (reported only after `append` returned) and that the file opens, but not syncing: a killed program
loses nothing that the system already has. Power cuts are another proof.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core import Seq
from companion.journal import Entry, Journal

Play = Callable[[Journal], tuple[str, tuple[Entry, ...]]]

WRITER = """
import sys; from itertools import count; from pathlib import Path; from msgspec import Raw
from companion.core.ids import SeatId, Seq
from companion.core.inputs import Act, Asked
from companion.journal import Did, Journal
path, table, tells_first = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "tells first"
body = Did(Raw(b'"' + b"x" * (300_000 if tells_first else 400) + b'"'), ())
with Journal.open(path) as journal:
    seq = max(entry.seq for entry in journal.entries(table))
    for seq in count(seq + 1):
        if tells_first:
            print(seq, flush=True)
        journal.append(table, body, Asked(f"phone-{seq}", SeatId(0), 1, Act(Raw(b"{}"))), float(seq), "s")
        if not tells_first:
            print(seq, flush=True)
"""


def killed(path: Path, table: str, after: int, env: dict[str, str], manner: str) -> int:
    """Let a program write, kill it after it reported `after` entries; returns the last number it reported."""
    command = [sys.executable, "-c", WRITER, str(path), table, manner]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(after)]
        writer.kill()
        lines += writer.stdout.readlines()
    return max(int(line) for line in lines if line.endswith(b"\n"))


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))])
def test_every_entry_told_before_a_kill_is_there(
    tmp_path: Path, play: Play, environment: Callable[..., dict[str, str]], seed: int
) -> None:
    chance = random.Random(seed)
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        table, _ = play(journal)
    for _ in range(2):
        told = killed(path, table, chance.randrange(1, 60), environment(), "tells after")
        with Journal.open(path) as journal:
            entries = list(journal.entries(table))
            assert entries[-1].seq >= told
            assert journal.verify(table) == ()
            assert journal.command(table, f"phone-{told}") is not None


def test_a_build_that_tells_first_is_caught(
    tmp_path: Path, play: Play, environment: Callable[..., dict[str, str]]
) -> None:
    """The control: reported, killed, and not there."""
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        table, _ = play(journal)
    for n in range(40):
        told = killed(path, table, 1 + n % 3, environment(), "tells first")
        with Journal.open(path) as journal:
            if not any(entry.seq == told for entry in journal.entries(table, Seq(told - 1))):
                return
    raise AssertionError("the test cannot tell the difference")
