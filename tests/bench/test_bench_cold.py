"""The first page of each screen against the same page a moment later, in processor time of a fresh process."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.measured import Measured

pytestmark = pytest.mark.slow  # in `./test bench` alone

ROOT = Path(__file__).parents[2]
RUNS, AGAIN = 3, 5
PAGES = """
import json, statistics, sys, time
from pathlib import Path

from companion.app.opening import load_texts, make_setup
from companion.box import Box
from companion.journal import Journal
from companion.library import Tagbook, shelf
from companion.table import Desk, Referee, Table
from web import create_app
from web.screens import PAGES

def spent(client, address):
    began = time.thread_time()
    status = client.get(address, base_url="http://box.test").status_code
    return status, time.thread_time() - began

game, names = shelf.open("us-patent"), ("Ada", "Ben", "Eve")
with Journal.open(Path(sys.argv[1]) / "journal.db") as journal:
    referee = Referee.begin(game, make_setup(game, len(names)), names, "strict", journal, lambda: 0.0)
    table = Table(Desk(referee, Tagbook(), Box(), lambda found, _weights: found[0]))
    table.start()
    client = create_app(table, load_texts, None, ("box.test",)).test_client()
    spent(client, "/no-such-page")
    told = {}
    for page in PAGES:
        status, cold = spent(client, page.address)
        if status == 200:
            told[page.name] = cold / statistics.median(spent(client, page.address)[1] for _ in range(int(sys.argv[2])))
    table.stop()
print(json.dumps(told))
"""


def pages(folder: Path) -> dict[str, float]:
    folder.mkdir()
    kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder.parent / "kept")}
    env = {**os.environ, **kept, "PYTHONPATH": str(ROOT)}
    line = [sys.executable, "-c", PAGES, str(folder), str(AGAIN)]
    found: dict[str, float] = json.loads(
        subprocess.run(line, stdout=subprocess.PIPE, check=True, cwd=ROOT, env=env).stdout
    )
    return found


def test_the_first_page_of_each_screen_beside_the_second(tmp_path: Path, row: Measured) -> None:
    pages(tmp_path / "installed")  # compiles what an installed program has compiled already
    runs = [pages(tmp_path / str(n)) for n in range(RUNS)]
    ratios = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    print(", ".join(f"{name} {ratio:.1f}" for name, ratio in sorted(ratios.items(), key=lambda each: -each[1])))
    assert {"join", "watch", "rules"} <= set(ratios)
    row.at_most("first page of each screen, cold", "second time", list(ratios.values()), 3.0, 2.0)
