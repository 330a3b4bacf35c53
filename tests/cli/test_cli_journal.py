"""`companion journal`: check a journal, and save what is sound of a damaged one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from companion.cli.journal import spans
from companion.journal import JOURNAL, Journal

from .conftest import Companion, Evening


def damage(data: Path, seq: int) -> None:
    with closing(sqlite3.connect(data / JOURNAL, isolation_level=None)) as db:
        db.execute("UPDATE entries SET state = 'changed' WHERE seq = ?", (seq,))


def test_a_sound_journal_is_said_to_be_sound(companion: Companion, evening: Evening) -> None:
    evening(12)
    told = companion("journal", "check")
    assert (told.exit_code, told.stdout) == (0, "Every entry is as it was written.\n")


def test_check_names_what_is_wrong_and_what_to_do(companion: Companion, evening: Evening, data: Path) -> None:
    table = evening(12)
    damage(data, 7)
    told = companion("journal", "check")
    assert told.exit_code == 1
    assert f"game {table}, entry 7: changed" in told.stdout
    assert "companion journal salvage" in told.stderr


def test_salvage_reports_and_the_game_goes_on_from_there(companion: Companion, evening: Evening, data: Path) -> None:
    table = evening(12)
    damage(data, 7)
    told = companion("journal", "salvage", "--in-place")
    assert told.exit_code == 0, told.stderr
    assert f"Game {table}: entries 1 to 6 kept; found but of no use after the loss: 7–13." in told.stdout
    assert (data / f"{JOURNAL}.damaged-1").exists()
    assert companion("journal", "check").exit_code == 0
    with Journal.look(data / JOURNAL) as journal:
        assert [row.seq for row in journal.games()] == [6]


def test_without_in_place_the_damaged_one_stays(companion: Companion, evening: Evening, data: Path) -> None:
    evening(12)
    damage(data, 7)
    assert companion("journal", "salvage").exit_code == 0
    assert (data / f"{JOURNAL}.salvaged").exists()
    assert companion("journal", "check").exit_code == 1
    again = companion("journal", "salvage")
    assert again.exit_code == 1
    assert "there already" in again.stderr


def test_numbers_in_spans() -> None:
    assert spans((3, 5, 6, 7, 9)) == "3, 5–7, 9"
