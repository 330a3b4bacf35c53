"""A game leaves as one readable file and comes back the same, or is reported as damaged."""

from __future__ import annotations

import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.core import SeatId, Seq
from companion.journal import (
    Entry,
    ExportDamaged,
    Imported,
    Journal,
    JournalDamaged,
    JournalError,
    JournalFailed,
    JournalNewer,
    TookBack,
)

Play = Callable[[Journal], tuple[str, tuple[Entry, ...]]]


@pytest.fixture
def other(tmp_path: Path) -> Journal:
    return Journal.open(tmp_path / "other" / "journal.db")


@pytest.fixture
def export(journal: Journal, play: Play, tmp_path: Path) -> Path:
    table, _ = play(journal)
    journal.export(table, tmp_path / "game.jsonl")
    return tmp_path / "game.jsonl"


def test_a_game_moves_to_another_box(journal: Journal, other: Journal, export: Path) -> None:
    (row,) = journal.games()
    with other:
        assert other.import_(export) == Imported(row.table, already=False)
        assert list(other.entries(row.table)) == list(journal.entries(row.table))
        assert other.games() == (row,)
        assert other.verify(row.table) == ()
        found = other.command(row.table, "phone-1")
        assert found is not None
        assert found.seq == 3


def test_and_back_again_after_some_more_play(journal: Journal, other: Journal, export: Path, tmp_path: Path) -> None:
    (row,) = journal.games()
    with other:
        other.import_(export)
        other.append(row.table, TookBack(Seq(2), SeatId(0)), None, 3000.0, "s")
        other.export(row.table, tmp_path / "longer.jsonl")
        longer = list(other.entries(row.table))
    back = journal.import_(tmp_path / "longer.jsonl")
    assert not back.already
    assert back.table != row.table, "what was played here is never overwritten"
    assert list(journal.entries(back.table)) == longer
    assert journal.verify(back.table) == journal.verify(row.table) == ()
    assert journal.import_(tmp_path / "longer.jsonl") == Imported(back.table, already=True)


def test_the_same_game_is_not_taken_twice(journal: Journal, export: Path) -> None:
    (row,) = journal.games()
    assert journal.import_(export) == Imported(row.table, already=True)
    assert journal.games() == (row,)


def test_an_export_is_readable_text_for_its_owner_alone(export: Path) -> None:
    header, *lines = (msgspec.json.decode(line) for line in export.read_bytes().splitlines())
    assert header["holds"] == "table companion game"
    assert header["format"] == 1
    assert header["entries"] == len(lines) == 7
    assert lines[-1]["chain"] == header["chain"]
    assert lines[1]["body"]["intent"] == {"type": "take", "actor": 0, "card": "coil-7"}
    assert stat.S_IMODE(export.stat().st_mode) == 0o600


def test_an_export_that_fails_leaves_the_old_one(journal: Journal, export: Path, tmp_path: Path) -> None:
    table = journal.games()[0].table
    before = export.read_bytes()
    export.with_name("game.jsonl.part").mkdir()
    with pytest.raises(JournalFailed, match=r"game\.jsonl"):
        journal.export(table, export)
    assert export.read_bytes() == before
    with pytest.raises(JournalFailed):
        journal.export(table, tmp_path / "no such folder" / "game.jsonl")


@pytest.mark.parametrize("cut", ["", "header", "half", "last"])
def test_a_cut_export_is_refused(other: Journal, export: Path, cut: str) -> None:
    whole = export.read_bytes()
    lines = whole.splitlines(keepends=True)
    kept = {"": b"", "header": lines[0], "half": whole[: len(whole) // 2], "last": b"".join(lines[:-1])}
    export.write_bytes(kept[cut])
    with other:
        with pytest.raises(ExportDamaged, match=r"line \d+: .*Nothing was imported; export the game again"):
            other.import_(export)
        assert other.games() == ()


def test_a_damaged_line_is_named_and_nothing_is_taken(other: Journal, export: Path) -> None:
    export.write_bytes(export.read_bytes().replace(b"5f5f", b"5f5e"))
    with other:
        with pytest.raises(ExportDamaged) as raised:
            other.import_(export)
        assert raised.value.line == 7
        assert raised.value.said.key == "trouble.export-damaged"
        assert other.games() == ()


def test_a_damaged_export_is_told_even_when_its_game_is_here(journal: Journal, export: Path) -> None:
    export.write_bytes(export.read_bytes().replace(b"5f5f", b"5f5e"))
    with pytest.raises(ExportDamaged):
        journal.import_(export)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_changed_byte_is_refused_or_harmless(journal: Journal, export: Path, data: st.DataObject) -> None:
    before = journal.games()
    whole = bytearray(export.read_bytes())
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= data.draw(st.integers(1, 255))
    changed = export.with_name("changed.jsonl")
    changed.write_bytes(whole)
    with suppress(ExportDamaged, JournalNewer):
        assert journal.import_(changed).already, "nothing but the very same game may come out of it"
    assert journal.games() == before


def test_lines_in_another_order_are_refused(other: Journal, export: Path) -> None:
    lines = export.read_bytes().splitlines(keepends=True)
    lines[3], lines[4] = lines[4], lines[3]
    export.write_bytes(b"".join(lines))
    with other, pytest.raises(ExportDamaged, match="line 4"):
        other.import_(export)


def test_an_export_of_a_newer_program_is_refused_as_such(other: Journal, export: Path) -> None:
    export.write_bytes(b'{"holds":"table companion game","format":2,"novelty":true}\n')
    with other, pytest.raises(JournalNewer, match="Update the companion"):
        other.import_(export)


def test_something_else_is_refused(other: Journal, tmp_path: Path) -> None:
    with other:
        (tmp_path / "cake.jsonl").write_bytes(b'{"holds":"a cake","format":1}\n')
        with pytest.raises(ExportDamaged, match="a cake"):
            other.import_(tmp_path / "cake.jsonl")
        with pytest.raises(JournalError, match=r"nowhere\.jsonl"):
            other.import_(tmp_path / "nowhere.jsonl")


def test_a_damaged_game_is_not_exported(journal: Journal, play: Play, tmp_path: Path) -> None:
    table, _ = play(journal)
    journal._db.execute("UPDATE entries SET state = 'forged' WHERE seq = 4")
    with pytest.raises(JournalDamaged, match="entry 4"):
        journal.export(table, tmp_path / "game.jsonl")
    assert list(tmp_path.glob("game.jsonl*")) == []
