"""The cost of importing the contract and a game, compared with `import chess`."""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROUNDS = 9
EMPTY = "pass"
ANCHOR = "import chess"
OURS = "import companion.core.legality, companion.games.actionworks"


def cpu(code: str, kept: Path) -> float:
    """CPU seconds of a fresh interpreter that runs `code`; compiled files are cached in a folder for both."""
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(kept)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_importing_core_and_a_game_costs_no_more_than_importing_chess(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for code in (EMPTY, ANCHOR, OURS):
        cpu(code, tmp_path)
    rounds = [(cpu(EMPTY, tmp_path), cpu(ANCHOR, tmp_path), cpu(OURS, tmp_path)) for _ in range(ROUNDS)]
    ratios = [(ours - empty) / (anchor - empty) for empty, anchor, ours in rounds]
    empty, anchor, ours = (min(column) * 1000 for column in zip(*rounds, strict=True))
    middle = (ours - empty) / (anchor - empty)
    with capsys.disabled():
        print(
            f"\nimport core and game / import chess: {middle:.2f} "
            f"(limit 1; rounds {min(ratios):.2f}–{max(ratios):.2f}; "
            f"chess {anchor - empty:.0f} ms, ours {ours - empty:.0f} ms CPU; {platform.machine()}, "
            f"Python {platform.python_version()})"
        )
    # Compares the least that each took, since other work on the machine only adds. Caches may add a quarter.
    assert middle <= 1.25
