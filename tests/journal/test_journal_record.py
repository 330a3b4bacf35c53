"""What is recorded is there, in order, in every game in the file, even after the box was switched off."""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Raw

from companion.core import Act, Asked, GameId, Input, Pressed, SeatId, Seq
from companion.journal import Body, Did, Entry, GameRow, Journal, NoSuchTable, Opened, Seated, TookBack

Play = Callable[[Journal], tuple[str, tuple[Entry, ...]]]


def test_every_kind_of_entry_comes_back_as_it_was_told(journal: Journal, play: Play, opened: Opened) -> None:
    table, told = play(journal)
    first, *others = journal.entries(table)
    assert (first.seq, first.at, first.body, first.cause, first.state) == (1, 1000.25, opened, None, "state 1")
    assert tuple(others) == told
    assert [entry.seq for entry in told] == [2, 3, 4, 5, 6, 7]


def test_the_game_goes_on_after_the_box_was_off(tmp_path: Path, play: Play) -> None:
    with Journal.open(tmp_path / "journal.db") as before:
        table, told = play(before)
    with Journal.open(tmp_path / "journal.db") as after:
        assert tuple(after.entries(table, Seq(1))) == told
        entry = after.append(table, TookBack(Seq(2), SeatId(1)), None, 2000.0, "later")
        assert entry.seq == told[-1].seq + 1
        assert after.verify(table) == ()


def test_entries_after_a_number(journal: Journal, play: Play) -> None:
    table, told = play(journal)
    assert tuple(journal.entries(table, told[2].seq)) == told[3:]
    assert tuple(journal.entries(table, told[-1].seq)) == ()
    assert tuple(journal.entries(table, Seq(99))) == ()


def test_a_history_may_be_read_while_the_game_goes_on(journal: Journal, play: Play) -> None:
    table, told = play(journal)
    reading = journal.entries(table)
    assert next(reading).seq == 1
    added = journal.append(table, TookBack(Seq(2), SeatId(1)), None, 2000.0, "later")
    assert [entry.seq for entry in reading][: len(told)] == [entry.seq for entry in told]
    assert journal.verify(table) == ()
    assert added.seq == 8


def test_several_games_in_one_file_do_not_mix(journal: Journal, play: Play, opened: Opened) -> None:
    first, told = play(journal)
    second = journal.create(opened, 1500.0, "other")
    assert first != second
    journal.append(second, TookBack(Seq(1), SeatId(0)), Asked("phone-1", SeatId(0), 1, Act(Raw(b"{}"))), 1501.0, "s")
    journal.append(first, TookBack(Seq(1), SeatId(0)), None, 1502.0, "s")
    assert [entry.seq for entry in journal.entries(first)] == list(range(1, len(told) + 3))
    assert [entry.seq for entry in journal.entries(second)] == [1, 2]
    assert journal.verify(first) == journal.verify(second) == ()


def test_games_opened_at_the_same_moment_have_their_own_ids(journal: Journal, opened: Opened) -> None:
    tables = [journal.create(opened, 0, "state") for _ in range(40)]
    assert len(set(tables)) == 40
    assert all(len(table) == 4 for table in tables)
    assert all(journal.verify(table) == () for table in tables[::13])


def test_the_list_of_games(journal: Journal, play: Play, opened: Opened) -> None:
    first, _ = play(journal)
    second = journal.create(opened, 1500.0, "other")
    journal.archive(first, True)
    game = GameId("actionworks")
    assert journal.games() == (
        GameRow(first, game, ("Ada", "Zoë"), 1000.25, 1006.0, Seq(7), True),
        GameRow(second, game, ("Ada", "Ben"), 1500.0, 1500.0, Seq(1), False),
    )
    journal.archive(first, False)
    assert not any(row.archived for row in journal.games())


def test_an_empty_journal_has_no_games(journal: Journal) -> None:
    assert journal.games() == ()


def test_a_command_is_found_again_even_after_a_restart(tmp_path: Path, play: Play) -> None:
    with Journal.open(tmp_path / "journal.db") as before:
        table, told = play(before)
        assert before.command(table, "phone-1") == told[1]
    with Journal.open(tmp_path / "journal.db") as after:
        assert after.command(table, "phone-1") == told[1]
        assert after.command(table, "phone-2") == told[2], "a refused command is answered again, too"
        assert after.command(table, "phone-3") is None


def test_of_a_command_with_several_entries_the_first_answers(journal: Journal, opened: Opened) -> None:
    table = journal.create(opened, 0, "s")
    cause = Asked("roll", SeatId(0), 1, Act(Raw(b"{}")))
    first, _then = (journal.append(table, Did(Raw(b"{}"), ()), cause, 1, "s") for _ in range(2))
    assert journal.command(table, "roll") == first


def test_a_command_belongs_to_its_table(journal: Journal, play: Play, opened: Opened) -> None:
    play(journal)
    assert journal.command(journal.create(opened, 2000, "s"), "phone-1") is None


def test_a_kept_state_saves_time(journal: Journal, play: Play) -> None:
    table, told = play(journal)
    assert journal.kept(table) is None
    assert journal.keep(table, told[0].seq, b"old")
    assert journal.keep(table, told[3].seq, b"new")
    assert journal.kept(table) == (told[3].seq, b"new")


def test_a_kept_state_of_other_entries_is_not_used(journal: Journal, play: Play, tmp_path: Path) -> None:
    table, told = play(journal)
    journal.keep(table, told[3].seq, b"state")
    tamper(tmp_path / "journal.db", "UPDATE kept SET state = x'00'")
    assert journal.kept(table) is None
    journal.keep(table, told[3].seq, b"state")
    tamper(tmp_path / "journal.db", "UPDATE kept SET seq = seq - 1")
    assert journal.kept(table) is None


def test_no_state_is_kept_for_an_entry_that_is_not_there(journal: Journal, play: Play) -> None:
    table, _ = play(journal)
    assert not journal.keep(table, Seq(99), b"state")
    assert not journal.keep("nope", Seq(1), b"state")


@pytest.mark.parametrize(
    "ask",
    [
        lambda j: j.append("nope", TookBack(Seq(1), SeatId(0)), None, 0, ""),
        lambda j: list(j.entries("nope")),
        lambda j: j.command("nope", "c"),
        lambda j: j.kept("nope"),
        lambda j: j.archive("nope", True),
        lambda j: j.verify("nope"),
        lambda j: j.export("nope", Path("never")),
    ],
)
def test_an_unknown_table_is_named(journal: Journal, ask: Callable[[Journal], object]) -> None:
    with pytest.raises(NoSuchTable, match=r"'nope'.*list of games") as raised:
        ask(journal)
    assert isinstance(raised.value, LookupError)


def test_the_file_is_its_owners_alone(tmp_path: Path, play: Play) -> None:
    path = tmp_path / "deep" / "folder" / "journal.db"
    with Journal.open(path) as journal:
        play(journal)
        for file in path.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


def test_it_syncs_in_full_and_has_a_log(tmp_path: Path) -> None:
    opened: list[sqlite3.Connection] = []

    def connect(*args: object, **options: object) -> sqlite3.Connection:
        opened.append(sqlite3.connect(*args, **options))  # type: ignore[call-overload]
        return opened[-1]

    with Journal.open(tmp_path / "journal.db", _connect=connect):
        (db,) = opened
        assert db.execute("PRAGMA synchronous").fetchone() == (2,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_look_while_another_plays(journal: Journal, play: Play, tmp_path: Path) -> None:
    table, told = play(journal)
    with Journal.look(tmp_path / "journal.db") as look:
        assert tuple(look.entries(table, Seq(1))) == told
        more = journal.append(table, TookBack(Seq(2), SeatId(1)), None, 2000.0, "later")
        assert tuple(look.entries(table, told[-1].seq)) == (more,)
        assert look.games() == journal.games()


def test_raw_parts_on_several_lines_are_kept_as_one(journal: Journal, opened: Opened) -> None:
    table = journal.create(opened, 0, "s")
    journal.append(table, Did(Raw(b'{\r\n "a": [1,\n 2]}'), ()), None, 0, "s")
    (entry,) = journal.entries(table, Seq(1))
    assert isinstance(entry.body, Did)
    assert msgspec.json.decode(entry.body.intent) == {"a": [1, 2]}
    assert b"\n" not in bytes(entry.body.intent)
    assert journal.verify(table) == ()


TEXTS = st.text(max_size=30)
NUMBERS = st.integers(-(2**60), 2**60)
BODIES: st.SearchStrategy[Body] = st.one_of(
    st.builds(Seated, st.builds(SeatId, st.integers(0, 8)), TEXTS, TEXTS),
    st.builds(TookBack, st.builds(Seq, NUMBERS), st.builds(SeatId, NUMBERS)),
    st.builds(Did, TEXTS.map(lambda text: Raw(msgspec.json.encode(text))), st.just(()), st.tuples(TEXTS)),
)
CAUSES: st.SearchStrategy[Input | None] = st.one_of(
    st.none(),
    st.just(Pressed("ok", True)),
    st.builds(lambda command: Asked(command, SeatId(1), 7, Act(Raw(b"{}"))), TEXTS),
)
TIMES = st.one_of(st.floats(allow_nan=False, allow_infinity=False), NUMBERS.map(float), st.just(-0.0))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(BODIES, CAUSES, TIMES, TEXTS), max_size=5))
def test_whatever_is_told_comes_back(
    journal: Journal, opened: Opened, told: list[tuple[Body, Input | None, float, str]]
) -> None:
    table = journal.create(opened, 0, "s")
    entries = [journal.append(table, body, cause, at, state) for body, cause, at, state in told]
    assert list(journal.entries(table, Seq(1))) == entries
    assert journal.verify(table) == ()


def tamper(path: Path, statement: str) -> None:
    """What somebody with an SQLite browser might do."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(statement)
    db.close()
