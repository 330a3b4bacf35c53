"""Any changed byte is reported, or changes nothing that is read."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.core import SeatId, Seq
from companion.journal import Entry, Journal, JournalDamaged, JournalError, NotAJournal, Opened, TookBack
from companion.journal.store import Row

Play = Callable[[Journal], tuple[str, tuple[Entry, ...]]]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory, play: Play, opened: Opened) -> Path:
    """A closed journal with two games, one of them archived, and a kept state."""
    path = tmp_path_factory.mktemp("evening") / "journal.db"
    with Journal.open(path) as journal:
        table, told = play(journal)
        journal.keep(table, told[2].seq, b"kept state")
        other = journal.create(opened, 1500.0, "other")
        journal.append(other, TookBack(Seq(1), SeatId(0)), None, 1501.0, "s")
        journal.archive(other, True)
    return path


def contents(journal: Journal) -> bytes:
    """Everything a reader can get out of a journal, except the kept state, which may be missing."""
    tables = [row.table for row in journal.games()]
    entries = [list(journal.entries(table)) for table in tables]
    commands = [[journal.command(table, f"phone-{n}") for n in (1, 2, 3)] for table in tables]
    return msgspec.json.encode((journal.games(), entries, commands))


def is_reported(path: Path, truth: bytes) -> bool:
    """Whether opening or verifying reports damage; if neither does, only the truth may be read."""
    try:
        with Journal.open(path) as journal:
            rows = journal.games()
            if any(journal.verify(row.table) for row in rows):
                return True
            assert contents(journal) == truth, "damage was read as the truth"
            assert {journal.kept(row.table) for row in rows} <= {(Seq(4), b"kept state"), None}
    except JournalError:
        return True
    return False


@pytest.fixture(scope="module")
def truth(evening: Path) -> bytes:
    with Journal.look(evening) as journal:
        return contents(journal)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_changed_byte_anywhere_in_the_file_is_reported_or_harmless(
    evening: Path, truth: bytes, tmp_path: Path, data: st.DataObject
) -> None:
    whole = bytearray(evening.read_bytes())
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= data.draw(st.integers(1, 255))
    path = tmp_path / "journal.db"
    path.write_bytes(whole)
    is_reported(path, truth)


def cells(path: Path) -> Iterator[tuple[int, str, bytes]]:
    """Every text of every entry: the row's id, the column, the bytes."""
    db = sqlite3.connect(path)
    for column in ("body", "cause", "command", "state", "chain"):
        found = db.execute(f"SELECT id, CAST({column} AS BLOB) FROM entries WHERE {column} IS NOT NULL")
        yield from ((row, column, text) for row, text in found.fetchall())
    db.close()


def change(path: Path, row: int, column: str, text: bytes) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(f"UPDATE entries SET {column} = CAST(? AS TEXT) WHERE id = ?", (text, row))
    db.close()


def unreported(path: Path, step: int) -> list[tuple[int, str, int]]:
    """Change every `step`-th byte of every text, one at a time; returns the changes that nobody noticed."""
    silent = []
    for row, column, text in cells(path):
        for at in range(0, len(text), step):
            changed = bytearray(text)
            changed[at] ^= 1
            change(path, row, column, bytes(changed))
            with Journal.look(path) as journal:
                if not any(journal.verify(game.table) for game in journal.games()):
                    silent.append((row, column, at))
        change(path, row, column, text)
    return silent


@pytest.mark.slow
def test_a_changed_byte_in_any_text_of_any_row_is_reported(evening: Path, truth: bytes, tmp_path: Path) -> None:
    path = Path(shutil.copy(evening, tmp_path))
    assert unreported(path, step=13) == []
    with Journal.open(path) as journal:
        assert contents(journal) == truth, "all was changed back"


def test_without_the_chain_changes_would_pass(evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the test above catches a build that doesn't check the chain."""
    monkeypatch.setattr(Row, "follows", lambda row, chain: True)
    silent = unreported(Path(shutil.copy(evening, tmp_path)), step=41)
    assert {column for _, column, _ in silent} >= {"body", "state"}


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("UPDATE entries SET at = at + 0.001 WHERE seq = 3 AND number = 1", "changed"),
        ("UPDATE entries SET cause = NULL WHERE seq = 2 AND number = 1", "changed"),
        ("UPDATE entries SET command = 'phone-9' WHERE command = 'phone-1'", "command"),
        ("UPDATE entries SET command = NULL WHERE command = 'phone-1'", "command"),
        ("DELETE FROM entries WHERE seq = 3 AND number = 1", "gap"),
        ("DELETE FROM entries WHERE seq = 1 AND number = 1", "gap"),
        ("UPDATE entries SET id = id + 1 WHERE seq = 7 AND number = 1", "gap"),
        ("UPDATE entries SET id = id + (7 << 32) WHERE seq = 7 AND number = 1", "stray"),
        ("DELETE FROM entries WHERE number = 1", "empty"),
        ("UPDATE tables SET id = 'zzzz' WHERE number = 1", "id"),
        ("UPDATE entries SET body = '{}' WHERE seq = 3 AND number = 1", "unreadable"),
        ("UPDATE entries SET body = (SELECT body FROM entries) WHERE seq = 3 AND number = 1", "opening"),
    ],
)
def test_each_problem_has_its_name(evening: Path, tmp_path: Path, statement: str, kind: str) -> None:
    path = Path(shutil.copy(evening, tmp_path))
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(statement)
    db.close()
    with Journal.open(path) as journal:
        table = journal.games()[0].table
        problems = journal.verify(table)
        assert kind in {problem.kind for problem in problems}
        assert all(problem.said.key == f"journal.problem-{problem.kind}" for problem in problems)


def test_a_damaged_game_cannot_be_resumed_but_the_others_can(evening: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(evening, tmp_path))
    change(path, (1 << 32) + 3, "body", b'{"type":"took-back","to":1,"by":0}')
    with Journal.open(path) as journal:
        damaged, fine = (row.table for row in journal.games())
        reading = journal.entries(damaged)
        assert [next(reading).seq, next(reading).seq] == [1, 2]
        with pytest.raises(JournalDamaged, match=f"table {damaged}, entry 3.*backup"):
            next(reading)
        with pytest.raises(JournalDamaged):
            journal.command(damaged, "phone-1")
        assert [entry.seq for entry in journal.entries(fine)] == [1, 2]


def test_a_game_without_entries_is_not_continued(evening: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(evening, tmp_path))
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("DELETE FROM entries WHERE number = 1")
    db.close()
    with Journal.open(path) as journal:
        table = journal.games()[0].table
        with pytest.raises(JournalDamaged, match="no entries"):
            journal.append(table, TookBack(Seq(1), SeatId(0)), None, 0, "s")
        with pytest.raises(JournalDamaged, match="no entries"):
            journal.export(table, tmp_path / "game.jsonl")


def test_an_unreadable_opening_is_listed_all_the_same(evening: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(evening, tmp_path))
    change(path, (1 << 32) + 1, "body", b"\xff\xfe")
    with Journal.open(path) as journal:
        first, second = journal.games()
        assert (first.game, first.names, first.seq) == ("", (), 7)
        assert second.game == "actionworks"


@pytest.mark.parametrize("content", [b"", b"Dear diary", b"SQLite format 3\0", b"\0" * 5000])
def test_a_file_that_is_no_journal_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(content)
    for door in (Journal.open, Journal.look):
        with pytest.raises(NotAJournal, match=r"not a journal.*Choose another file"):
            door(path)
    assert path.read_bytes() == content


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE recipes (name TEXT)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(NotAJournal, match="application id"):
        Journal.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("keep", [0.05, 0.3, 0.6, 0.9])
def test_a_truncated_file_is_named(evening: Path, tmp_path: Path, keep: float) -> None:
    path = tmp_path / "journal.db"
    whole = evening.read_bytes()
    path.write_bytes(whole[: int(len(whole) * keep)])
    with pytest.raises(JournalDamaged):
        Journal.open(path)


def test_a_log_without_its_file_is_not_mixed_into_a_new_one(tmp_path: Path, play: Play) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        play(journal)
        log = path.with_name("journal.db-wal").read_bytes()
    path.unlink()
    path.with_name("journal.db-wal").write_bytes(log)
    with pytest.raises(JournalDamaged, match=r"journal\.db-wal"):
        Journal.open(path)
    assert not path.exists()


def test_tables_that_are_not_ours_are_named(evening: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(evening, tmp_path))
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("DROP INDEX commands")
    db.close()
    with pytest.raises(JournalDamaged, match="not those of the format"):
        Journal.open(path)
