"""What a correction shows before it is made: the current value, and what it would become."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.app.opening import make_setup
from companion.core import (
    PUBLIC,
    TABLE,
    Game,
    Hidden,
    PieceId,
    Place,
    PlaceId,
    SeatId,
    change_by,
    mask,
    say,
    standing_now,
)
from companion.games.actionworks.rules.intents import MoveCard
from companion.library import shelf
from tests.pick import Bet, Pack, SetChips, State

PickGame = Game[State, Pack]


def test_a_correction_says_from_what_to_what(pick: PickGame, two_seats: State) -> None:
    assert standing_now(pick, two_seats, SetChips(TABLE, SeatId(0), 8)) == 5
    assert change_by(pick, two_seats, SetChips(TABLE, SeatId(0), 8)) == say("fix.change", was=5, will=8)


def test_what_stands_there_already_is_no_change(pick: PickGame, two_seats: State) -> None:
    assert change_by(pick, two_seats, SetChips(TABLE, SeatId(0), 5)) is None


def test_what_is_no_correction_changes_nothing(pick: PickGame, two_seats: State) -> None:
    assert change_by(pick, two_seats, Bet(SeatId(0), 2)) is None


@pytest.mark.parametrize(("audience", "where"), [(PUBLIC, None), (SeatId(0), Place(PlaceId("hand/0")))])
def test_where_a_hidden_card_lies_is_told_to_its_owner_only(audience: SeatId, where: Place | None) -> None:
    game, card = shelf.open("actionworks"), PieceId("take-1")
    state = game.start(make_setup(game, 2))
    state = replace(state, hands=(Hidden((card,), (SeatId(0),)), state.hands[1]))
    assert standing_now(game, mask(state, audience), MoveCard(TABLE, card, PlaceId("bench"))) == where
