"""`companion journal`: check a journal, and save what is sound in a damaged one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.app.cli.journal import spans
from companion.core import SeatId
from companion.journal import JOURNAL, Journal, Seated
from companion.library import shelf

from .conftest import Companion, Evening, play


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


@pytest.mark.parametrize("left", ["log", "witness"])
def test_a_journal_that_was_deleted_is_not_taken_for_none_at_all(
    companion: Companion, evening: Evening, data: Path, left: str
) -> None:
    """Its log or its witness still shows that it existed, so no command says that there are no games, and none
    starts a new one.
    """
    table = evening(12)
    with Journal.open(data / JOURNAL) as journal:
        journal.append(table, Seated(SeatId(0), "Ada", ""), None, 1.0, list(journal.entries(table))[-1].state)
        log = (data / f"{JOURNAL}-wal").read_bytes()
    (data / JOURNAL).unlink()
    if left == "log":
        (data / f"{JOURNAL}-wal").write_bytes(log)
        (data / f"{JOURNAL}.witness").unlink()
    for command in (("journal", "check"), ("games",), ("backup", data / "b"), ("run", "--pretend", "--port", "0")):
        told = companion(*command)
        assert told.exit_code == 1, command
        assert "the file is gone" in told.stdout + told.stderr, command
    assert not (data / JOURNAL).exists()
    told = companion("journal", "salvage", "--in-place")
    assert told.exit_code == 0, told.stderr
    game = (
        f"Game {table}: nothing kept; lost: 1–14." if left == "witness" else "found but of no use after the loss: 9–14."
    )
    assert game in told.stdout
    assert companion("journal", "check").exit_code == 0


def test_salvage_reads_a_log_whose_file_was_deleted(companion: Companion, evening: Evening, data: Path) -> None:
    """Everything played since the box was switched on is in the log, including the beginning of the game."""
    with Journal.open(data / JOURNAL) as journal:
        table = play(shelf.open("actionworks"), journal, 12)
        parts = {ending: (data / f"{JOURNAL}{ending}").read_bytes() for ending in ("-wal", ".witness")}
    (data / JOURNAL).unlink()
    for ending, content in parts.items():
        (data / f"{JOURNAL}{ending}").write_bytes(content)
    told = companion("journal", "salvage", "--in-place")
    assert f"Game {table}: all 13 entries kept." in told.stdout
    assert companion("journal", "check").exit_code == 0
    assert (data / f"{JOURNAL}.damaged-1-wal").read_bytes() == parts["-wal"]


def test_numbers_in_spans() -> None:
    assert spans((3, 5, 6, 7, 9)) == "3, 5–7, 9"
