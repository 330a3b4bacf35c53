"""What a hub keeps: each result once, the later of two, and nothing about tables that don't want to be shown."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import permutations
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.core import Seq
from tests.web.hub.club import NOW, over
from web.club import GameOver, TableId
from web.hub import NotAStore, Store
from web.hub.store import NotKept

OAK = TableId("t-oak4")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(tmp_path / "hub.db")) as made:
        made.note(OAK, "Oak 4", True)
        yield made


def test_a_result_twice_is_kept_once_and_is_there_after_a_restart(store: Store, tmp_path: Path) -> None:
    told = over(OAK, "a", ("Ada", "Ben"), NOW)
    store.keep(OAK, told)
    store.keep(OAK, told)
    store.close()
    with closing(Store(tmp_path / "hub.db")) as again:
        (kept,) = again.results()
    assert (kept.table, kept.finished) == ("Oak 4", told)


def finally_kept(path: Path, told: Iterable[GameOver]) -> list[GameOver]:
    """What counts once a table has said all this."""
    with closing(Store(path)) as store:
        store.note(OAK, "Oak 4", True)
        for each in told:
            store.keep(OAK, each)
        return [kept.finished for kept in store.results()]


def test_the_later_of_two_counts_in_any_order(tmp_path: Path) -> None:
    first = over(OAK, "a", ("Ada", "Ben"), NOW)
    versions = (first, replace(first, seq=Seq(490), stands=False), replace(first, seq=Seq(500), ended=NOW + 60))
    for number, order in enumerate(permutations(versions)):
        assert finally_kept(tmp_path / f"{number}.db", order) == [versions[-1]]


def test_of_two_that_say_the_same_end_the_one_that_was_said_later_counts(tmp_path: Path) -> None:
    """Somebody asked to be left out, or to be named again: the last word counts."""
    named = over(OAK, "a", ("Ada", "Ben"), NOW)
    versions = (
        named,
        replace(named, again=1, seats=tuple(replace(seat, name="") for seat in named.seats)),
        replace(named, again=2, seats=tuple(replace(seat, name="AAA") for seat in named.seats)),
        replace(named, again=10),
    )
    for number, order in enumerate(permutations(versions)):
        assert finally_kept(tmp_path / f"{number}.db", order) == [versions[-1]]


def test_a_name_is_left_out_however_it_is_typed(store: Store) -> None:
    store.leave_out(" Jean  PAUL ")
    assert store.left_out() == {"jean paul"}
    store.leave_out("jean paul", on=False)
    assert store.left_out() == frozenset()


def test_a_table_that_does_not_want_to_be_shown_has_no_results(store: Store) -> None:
    store.keep(OAK, over(OAK, "a", ("Ada", "Ben"), NOW))
    store.note(OAK, "Oak 4", False)
    assert store.results() == ()
    store.note(OAK, "Oak 4", True)
    assert len(store.results()) == 1


def test_a_table_that_is_removed_takes_its_results_with_it(store: Store) -> None:
    store.keep(OAK, over(OAK, "a", ("Ada", "Ben"), NOW))
    store.pair(OAK, "hash")
    store.forget(OAK)
    assert (store.results(), store.tables(), store.paired(OAK)) == ((), (), "")


def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "hub.db").write_bytes(b"not a database, but somebody's text " * 40)
    with pytest.raises(NotAStore, match="move it away"):
        Store(tmp_path / "hub.db")
    newer = tmp_path / "newer.db"
    with closing(sqlite3.connect(newer)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(NotAStore, match="format 99"):
        Store(newer)


def test_an_end_that_was_taken_back_counts_no_more(store: Store) -> None:
    told = over(OAK, "a", ("Ada", "Ben"), NOW)
    store.keep(OAK, told)
    store.keep(OAK, replace(told, seq=Seq(510), stands=False))
    store.keep(OAK, told)
    assert store.results() == ()


def test_what_the_disk_does_not_take_is_an_error_and_no_result(store: Store) -> None:
    store._db.execute("PRAGMA query_only = ON")
    with pytest.raises(NotKept, match="disk"):
        store.keep(OAK, over(OAK, "a", ("Ada", "Ben"), NOW))
    store._db.execute("PRAGMA query_only = OFF")
    assert store.results() == ()
