"""An evening of pick-a-card on a real table thread with a real journal; only hands are missing."""

from __future__ import annotations

import itertools
import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec
import pytest

from companion.box import Box
from companion.core import (
    Act,
    Asked,
    Button,
    Input,
    Intent,
    PhoneWish,
    PieceId,
    Pressed,
    ReaderId,
    SeatId,
    Seq,
    TakeBack,
    Tapped,
    Turned,
)
from companion.journal import Did, Entry, Journal
from companion.library import NumberTag, PieceTag, SeatTag, Tagbook, pretend_uid
from companion.table import Answer, Desk, Mode, Referee, Snapshot, Table
from companion.table.desk import Chance
from tests.patience import PATIENCE
from tests.pick import GAME, setup_for

NAMES = ("Ada", "Ben", "Chloé")


class Evening:
    """What people at the table do, one input at a time; each returns the snapshot that everybody sees afterwards."""

    def __init__(self, table: Table, referee: Referee) -> None:
        self.table, self.referee = table, referee
        self._shown: queue.SimpleQueue[Snapshot] = queue.SimpleQueue()
        self._numbers = itertools.count()
        table.subscribe(self._shown.put)
        table.start()
        self.now = self._shown.get(timeout=PATIENCE)

    def put(self, given: Input) -> Snapshot:
        self.table.put(given)
        self.now = self._shown.get(timeout=PATIENCE)
        return self.now

    def tap(self, piece: str) -> Snapshot:
        return self.put(Tapped(pretend_uid(PieceTag(GAME.id, PieceId(piece))), ReaderId("left")))

    def tap_seat(self, seat: int) -> Snapshot:
        return self.put(Tapped(pretend_uid(SeatTag(SeatId(seat))), ReaderId("left")))

    def tap_number(self, number: int) -> Snapshot:
        return self.put(Tapped(pretend_uid(NumberTag(number)), ReaderId("left")))

    def press(self, button: Button, held: bool = False) -> Snapshot:
        return self.put(Pressed(button, held))

    def turn(self, steps: int) -> Snapshot:
        return self.put(Turned(steps))

    def phone(self, intent: Intent, asked: int | None = None, command: str = "", as_seat: int | None = None) -> Answer:
        return self.ask(intent.actor, Act(msgspec.Raw(msgspec.json.encode(intent))), asked, command, as_seat)

    def take_back(self, seat: int, to: int) -> Answer:
        return self.ask(SeatId(seat), TakeBack(Seq(to)))

    def ask(
        self, seat: int, wish: PhoneWish, asked: int | None = None, command: str = "", as_seat: int | None = None
    ) -> Answer:
        seat = seat if as_seat is None else as_seat
        question = self.now.asked[max(seat, 0)] if asked is None else asked
        answer = self.table.ask(Asked(command or f"c{next(self._numbers)}", SeatId(seat), question, wish))
        self.now = self._shown.get(timeout=PATIENCE)
        return answer

    @property
    def entries(self) -> list[Entry]:
        return list(self.referee.history)

    @property
    def did(self) -> Did:
        """The last entry, which is an act."""
        return is_a(Did, self.entries[-1].body)


class Open(Protocol):
    """Opens an evening; with `chance` None, cards are tapped as they are drawn."""

    def __call__(
        self,
        seats: int = 2,
        chance: Chance | None = None,
        mode: Mode = "strict",
        resume: str = "",
        hours: Callable[[], float] = lambda: 0.0,
    ) -> Evening: ...


T = TypeVar("T")


def is_a(kind: type[T], thing: object) -> T:
    """`thing`, checked to be of this kind."""
    assert isinstance(thing, kind), thing
    return thing


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "games.journal") as opened:
        yield opened


@pytest.fixture
def open_evening(journal: Journal) -> Iterator[Open]:
    tables: list[Table] = []
    tags = [PieceTag(GAME.id, PieceId(c)) for c in "abcdefg"]
    book = Tagbook()
    book.pretend([*tags, *(SeatTag(SeatId(s)) for s in range(3)), *(NumberTag(n) for n in range(1, 7))])

    def open_one(
        seats: int = 2,
        chance: Chance | None = None,
        mode: Mode = "strict",
        resume: str = "",
        hours: Callable[[], float] = lambda: 0.0,
    ) -> Evening:
        clock = itertools.count(1000.0).__next__
        if resume:
            referee = Referee(GAME, journal, resume, clock)
        else:
            referee = Referee.begin(GAME, setup_for(seats), NAMES[:seats], mode, journal, clock)
        table = Table(Desk(referee, book, Box(), chance, clock=hours))
        tables.append(table)
        return Evening(table, referee)

    yield open_one
    for table in tables:
        table.stop()


@pytest.fixture
def evening(open_evening: Open) -> Evening:
    return open_evening()


def first(candidates: tuple[Intent, ...], _weights: tuple[int, ...]) -> Intent:
    """Chance that always picks the first."""
    return candidates[0]


@pytest.fixture
def always_first() -> Chance:
    return first
