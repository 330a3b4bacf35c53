"""Between the end of a game and the next, the box may be switched off at any moment: everybody keeps their seat."""

from __future__ import annotations

import itertools
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app import opening
from companion.app.clock import Clock
from companion.box import Box
from companion.core import REFEREE, Asked, GameId, OpenGame, Result, SeatId, say
from companion.journal import Journal
from companion.library import Tagbook, shelf
from companion.table import Carried, Chair, Desk, Referee
from companion.table.letters import handle
from companion.table.wishes import Done
from tests.pick import GAME, setup_for

ADA, BEN = SeatId(0), SeatId(1)
KILLED, FAILED = 9, 1
PHONES = {ADA: Chair("Ada", "hers"), BEN: Chair("Ben", bot=True), REFEREE: Chair("Rosa", "rosas")}


class Mortal(sqlite3.Connection):
    """The connection of a program that is killed before its n-th statement to SQLite."""

    left: Iterator[int] | None = None

    def execute(self, sql: str, *args: object) -> sqlite3.Cursor:
        if self.left is not None and next(self.left, None) is None:
            os._exit(KILLED)
        return super().execute(sql, *args)  # type: ignore[arg-type]


@contextmanager
def companion(path: Path) -> Iterator[tuple[Journal, list[Mortal]]]:
    connections: list[Mortal] = []

    def connect(*args: object, **options: object) -> sqlite3.Connection:
        connections.append(sqlite3.connect(*args, factory=Mortal, **options))  # type: ignore[call-overload]
        return connections[-1]

    with Journal.open(path, _connect=connect) as journal:
        yield journal, connections


def begin_next(path: Path, table: str, words: int) -> bool:
    """The referee opens the next game in another process, killed after this many statements; returns whether it got
    there.
    """
    child = os.fork()
    if child == 0:
        try:
            _open_next(path, table, words)
        finally:
            os._exit(FAILED)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, KILLED)
    return status == KILLED


def _open_next(path: Path, table: str, words: int) -> None:
    with companion(path) as (journal, (connection,)):

        def opens(wish: OpenGame, carried: Carried) -> Referee:
            setup = setup_for(len(wish.names))
            return Referee.begin(GAME, setup, wish.names, wish.mode, journal, lambda: 5.0, carried)

        desk = Desk(Referee(GAME, journal, table, lambda: 5.0), Tagbook(), Box(), None, opens)
        connection.left = iter(range(words))
        done = handle(desk, Asked("next", REFEREE, 0, OpenGame(GAME.id, ("Ada", "Ben")), table))
        os._exit(0 if isinstance(done, Done) else FAILED)


def seats(path: Path) -> dict[SeatId, Chair]:
    """Who sits where in the newest game."""
    with Journal.open(path) as journal:
        rows = journal.games()
        at = Referee(GAME, journal, rows[-1].table, lambda: 6.0).at
        assert not journal.verify(rows[-1].table)
    people = {SeatId(seat): chair for seat, chair in enumerate(at.chairs)}
    return people | ({REFEREE: at.referee} if at.referee else {})


@pytest.fixture
def evening_before(tmp_path: Path) -> tuple[Path, str]:
    path = tmp_path / "games.journal"
    with companion(path) as (journal, _):
        carried: Carried = tuple((seat, chair, None) for seat, chair in PHONES.items())
        referee = Referee.begin(GAME, setup_for(2), ("Ada", "Ben"), "strict", journal, lambda: 1.0, carried)
    return path, referee.table


def after_each_kill(path: Path, table: str) -> Iterator[bool]:
    """Whether everybody keeps their seat after a kill at each statement, and finally after none."""
    for words in itertools.count():
        card = path.with_name(f"{words}.journal")
        card.write_bytes(path.read_bytes())
        was_killed = begin_next(card, table, words)
        yield seats(card) == PHONES
        if not was_killed:
            return


@pytest.mark.slow
def test_killed_at_any_word_the_next_game_has_all_its_people_or_is_not_there(evening_before: tuple[Path, str]) -> None:
    outcomes = list(after_each_kill(*evening_before))
    assert all(outcomes)
    assert len(outcomes) > 5


@pytest.mark.slow
def test_a_build_that_seats_people_afterwards_is_caught(
    evening_before: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: the game is opened first, and then each seat is an entry of its own."""

    def afterwards(*given: Any) -> Referee:
        referee = usual(*given[:6])
        for seat, chair, cause in given[6]:
            referee.seat(seat, chair, cause)
        return referee

    usual = Referee.begin
    monkeypatch.setattr(Referee, "begin", afterwards)
    assert set(after_each_kill(*evening_before)) == {True, False}


OVER = replace(GAME, id=GameId("over"), result=lambda _: Result((ADA,), say("over")))
ENDED = 1_700_000_000.0


@pytest.fixture
def evenings(monkeypatch: pytest.MonkeyPatch, journal: Journal) -> tuple[str, str]:
    """A long unfinished game, and a short one that was finished after it."""
    monkeypatch.setattr(shelf, "games", lambda: (GAME.id, OVER.id))
    monkeypatch.setattr(shelf, "open", {GAME.id: GAME, OVER.id: OVER}.__getitem__)
    long = Referee.begin(GAME, setup_for(2), ("Ada", "Ben"), "strict", journal, lambda: ENDED - 86_400)
    carried: Carried = ((ADA, PHONES[ADA], None),)
    short = Referee.begin(OVER, setup_for(2), ("Ada", "Ben"), "strict", journal, lambda: ENDED, carried)
    return long.table, short.table


def test_a_box_that_comes_back_after_the_end_stays_there_with_everybody_seated(
    journal: Journal, evenings: tuple[str, str]
) -> None:
    found = opening.resumed(None, None, journal, Clock(wall=lambda: ENDED + 60))
    assert found is not None
    assert found.table == evenings[1]
    assert found.at.chairs[ADA].key == "hers"


def test_another_day_the_game_that_is_not_finished_goes_on(journal: Journal, evenings: tuple[str, str]) -> None:
    found = opening.resumed(None, None, journal, Clock(wall=lambda: ENDED + 86_400))
    assert found is not None
    assert found.table == evenings[0]


def test_who_asks_for_a_game_gets_that_one(journal: Journal, evenings: tuple[str, str]) -> None:
    now = Clock(wall=lambda: ENDED + 60)
    found = opening.resumed(GAME.id, None, journal, now)
    assert found is not None
    assert found.table == evenings[0]
    journal.archive(evenings[0], True)
    assert opening.resumed(GAME.id, None, journal, now) is None


def test_a_clock_that_stood_still_makes_the_end_no_older(journal: Journal, evenings: tuple[str, str]) -> None:
    """A Raspberry Pi comes back with a time long past."""
    found = opening.resumed(None, None, journal, Clock(ENDED, wall=lambda: 0.0))
    assert found is not None
    assert found.table == evenings[1]
