"""The same tag on two readers: the table stops and asks, and goes on when somebody lifts one or presses OK."""

from __future__ import annotations

import msgspec
import pytest

from companion.core import BotChose, ChoosePage, PieceId, ReaderId, SeatId, TroublePage, TurnPage, Word, say
from companion.library import PieceTag, pretend_uid
from companion.table import No, Snapshot
from companion.table.wishes import Done
from firmware_bridge.presence import DOUBT_LASTS, Arrived, Connected, Left
from firmware_bridge.senses import Senses
from tests.patience import PATIENCE
from tests.pick import GAME, Bet

from .conftest import Evening

LEFT, RIGHT = ReaderId("left"), ReaderId("right")
CARD = pretend_uid(PieceTag(GAME.id, PieceId("a")))
ASKED = say("trouble.two-readers", one=Word("reader.left"), other=Word("reader.right"))


class Readers:
    """Two readers in front of a table, and a clock that is moved by hand."""

    def __init__(self, evening: Evening) -> None:
        self._evening = evening
        self._now = 0.0
        self.senses = Senses(evening.table.put, evening.table.question, clock=lambda: self._now)
        self.senses.take(Connected((LEFT, RIGHT)))

    def both_have_it(self) -> None:
        self.senses.take(Arrived(CARD, LEFT))
        self.shown()
        self.senses.take(Arrived(CARD, RIGHT))
        self.senses.look()
        self._now += DOUBT_LASTS
        self.look()

    def look(self) -> None:
        self.senses.look()
        self.shown()

    def shown(self) -> Snapshot:
        self._evening.now = self._evening._shown.get(timeout=PATIENCE)
        return self._evening.now


@pytest.fixture
def stopped(evening: Evening) -> tuple[Evening, Readers]:
    readers = Readers(evening)
    readers.both_have_it()
    return evening, readers


def test_nothing_is_played_until_it_is_settled(stopped: tuple[Evening, Readers]) -> None:
    evening, _ = stopped
    seq = evening.now.seq
    assert evening.now.page == TroublePage(ASKED)
    assert evening.now.signal == "trouble"
    assert ASKED in evening.now.troubles, "phones show it, too"
    assert evening.tap("b").page == TroublePage(ASKED)
    assert evening.press("next").page == TroublePage(ASKED)
    assert evening.turn(1).page == TroublePage(ASKED)
    answer = evening.phone(Bet(SeatId(0), 2))
    assert isinstance(answer, No)
    assert answer.refusal.rule == "C2"
    assert isinstance(evening.take_back(0, 1), No)
    assert evening.now.seq == seq


def test_lifting_one_lets_the_game_go_on(stopped: tuple[Evening, Readers]) -> None:
    evening, readers = stopped
    readers.senses.take(Left(CARD, RIGHT))
    readers.look()
    assert isinstance(evening.now.page, TurnPage)
    assert ASKED not in evening.now.troubles
    assert isinstance(evening.phone(Bet(SeatId(0), 2)), Done)


def test_ok_lets_the_game_go_on(stopped: tuple[Evening, Readers]) -> None:
    evening, readers = stopped
    assert isinstance(evening.press("ok").page, TurnPage)
    readers.senses.look()
    assert isinstance(evening.phone(Bet(SeatId(0), 2)), Done)
    readers.senses.take(Left(CARD, LEFT))
    assert isinstance(readers.shown().page, ChoosePage), "it was moved, and that is a tap"
    readers.look()
    readers.senses.take(Left(CARD, RIGHT))
    readers.both_have_it()
    assert evening.now.page == TroublePage(ASKED), "the next time it is asked again"


def test_a_bot_waits_as_well(stopped: tuple[Evening, Readers]) -> None:
    evening, _ = stopped
    seq = evening.now.seq
    chosen = BotChose(SeatId(0), evening.now.asked[0], msgspec.Raw(msgspec.json.encode(Bet(SeatId(0), 2))))
    evening.put(chosen)
    assert evening.now.seq == seq
