"""Ada and Ben play High Card."""

from __future__ import annotations

import pytest
from high_card import GAME
from high_card.rules import Deal, Lay
from high_card.state import Pack, State

from companion.core import TABLE, Accepted, GameId, Intent, PieceId, Refused, SeatId, Setup, judge

ADA, BEN = SeatId(0), SeatId(1)


def play(*intents: Intent) -> State:
    state = GAME.start(Setup(GameId("high-card"), 1, 2, (), Pack(24)))
    for intent in intents:
        verdict = judge(GAME, state, intent)
        assert isinstance(verdict, Accepted), verdict
        state = verdict.after
    return state


def card(n: int) -> PieceId:
    return PieceId(f"card-{n:02}")


DEALT = tuple(Deal(TABLE, card(n)) for n in (1, 2, 3, 4, 5, 6))  # Ada 1 3 5, Ben 2 4 6
LAID = tuple(Lay(seat, card(n)) for seat, n in ((ADA, 5), (BEN, 2), (ADA, 3), (BEN, 4), (BEN, 6), (ADA, 1)))


@pytest.mark.rule("H1")
def test_everybody_is_dealt_three() -> None:
    assert [hand.value for hand in play(*DEALT).hands] == [(card(1), card(3), card(5)), (card(2), card(4), card(6))]


@pytest.mark.rule("H2")
@pytest.mark.parametrize(("wish", "why"), [(Lay(BEN, card(2)), "your-turn"), (Lay(ADA, card(2)), "in-hand")])
def test_only_in_turn_and_only_from_the_own_hand(wish: Lay, why: str) -> None:
    verdict = judge(GAME, play(*DEALT), wish)
    assert isinstance(verdict, Refused)
    assert verdict.refusals[0].key == why


@pytest.mark.rule("H3")
def test_the_highest_card_takes_the_round_and_begins_the_next() -> None:
    after = play(*DEALT, *LAID[:2])
    assert (after.won, after.lead, after.laid) == ((1, 0), ADA, ())


@pytest.mark.rule("H4")
def test_the_most_rounds_win() -> None:
    over = GAME.result(play(*DEALT, *LAID))
    assert over is not None
    assert over.winners == (BEN,)
