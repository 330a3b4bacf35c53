"""`companion print`: one PDF of a game, on the requested paper and in the requested language, never overwriting a
file.
"""

from __future__ import annotations

import re
from pathlib import Path

from .conftest import Companion

POINT = 72 / 25.4


def paper_of(file: Path) -> tuple[float, float]:
    found = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", file.read_bytes())
    assert found
    return round(float(found[1]) / POINT, 1), round(float(found[2]) / POINT, 1)


def test_a_game_is_one_file_on_the_paper_asked_for(companion: Companion, tmp_path: Path) -> None:
    file = tmp_path / "sheets.pdf"
    told = companion("print", "actionworks", "--out", file, "--paper", "letter", "--seats", 2, "--language", "fr")
    assert "13 sheets: print them at 100 %" in told.stdout
    assert paper_of(file) == (215.9, 279.4)


def test_a_file_that_is_there_is_left_alone(companion: Companion, tmp_path: Path) -> None:
    file = tmp_path / "sheets.pdf"
    file.write_text("somebody's own")
    refused = companion("print", "actionworks", "--labels", "--out", file)
    assert (refused.exit_code, "left as it is" in refused.output) == (1, True)
    assert file.read_text() == "somebody's own"
    companion("print", "actionworks", "--labels", "--out", file, "--force")
    assert paper_of(file) == (210, 297)


def test_what_cannot_be_meant_is_told(companion: Companion, tmp_path: Path) -> None:
    file = tmp_path / "sheets.pdf"
    for arguments, said in (
        (("actionworks", "--labels", "--blank"), "Choose one"),
        (("actionworks", "--blank"), "Every card of this pack is described"),
        (("actionworks", "--seats", 9), "for 2 to 6 seats, not 9"),
        (("action-works",), "did you mean 'actionworks'"),
    ):
        told = companion("print", *arguments, "--out", file)
        assert (told.exit_code, said in told.output) == (2, True)
    assert not file.exists()
