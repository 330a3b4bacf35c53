"""The result of a dispute over a claim is shown to everybody until something else is done."""

from __future__ import annotations

from typing import Any, cast

from companion.core import Event, PieceId, PlaceId, SeatId
from companion.games.one_false_step import GAME
from companion.games.one_false_step import events as e

ADA, BEN = SeatId(0), SeatId(1)
CLAIM = PlaceId("farm/1-a")
JUMPED = e.Jumped(ADA, PieceId("coldwater"), CLAIM, BEN)
FELL = (e.AttackFell(ADA, 5, 7), e.DefenceFell(BEN, 3, 4))
NO_VIEW = cast(Any, None)


def outcome(*acts: tuple[Event, ...]) -> str | None:
    found = GAME.showdown(NO_VIEW, iter(acts))
    return None if found is None or found.outcome is None else found.outcome.key


def test_a_dispute_is_seen_with_both_dice() -> None:
    found = GAME.showdown(NO_VIEW, iter([(JUMPED, *FELL, e.DisputeWon(ADA, CLAIM, BEN))]))
    assert found is not None
    assert [dict(side.said.facts) for side in found.sides] == [
        {"dice": 5, "plus": 2, "n": 7},
        {"dice": 3, "plus": 1, "n": 4},
    ]
    assert [side.seat for side in found.sides] == [ADA, BEN]
    assert outcome((JUMPED, *FELL, e.DisputeLost(ADA, CLAIM, BEN))) == "event.dispute-lost"


def test_nothing_is_shown_while_dice_are_due_or_after_another_act() -> None:
    assert outcome((JUMPED,)) is None
    assert outcome((JUMPED, FELL[0])) is None
    settled = (JUMPED, *FELL, e.DisputeWon(ADA, CLAIM, BEN))
    assert outcome(settled) is not None
    assert outcome((), settled) is None
    assert outcome() is None
