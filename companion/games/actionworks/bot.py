"""A sensible player: ships what its customers want, plays the rest, and stops. It reads only the view of its seat."""

from __future__ import annotations

from typing import Final

from companion.core import Intent, PieceId, SeatId

from .rules import intents as i
from .state import State, Type, demand_for, demanded_by, kind_of
from .views.worth import worth

COPY: Final = demand_for("copy")
_GAIN: Final[dict[str, int]] = {"take": 30, "borrow": 15, "scrap": 14, "plan": 12, "make": 11}
"""What to play first: sure gains early, a Make last, because others may clear what it flips."""


def choose(view: State, seat: SeatId, legal: tuple[Intent, ...], number: int = 0) -> Intent:
    """One of `legal`, the best in its own judgement; `number` picks among equals, so that chance stays outside."""
    scores = [_score(view, seat, intent) for intent in legal]
    best = max(scores)
    equals = [intent for intent, score in zip(legal, scores, strict=True) if score == best]
    return equals[number % len(equals)]


def _score(view: State, seat: SeatId, intent: Intent) -> int:
    match intent:
        case i.Ship(card=card):
            return 1000 if worth(view, seat, card) > 0 else -1000
        case i.Play(card=card):
            return -100 if worth(view, seat, card) > 0 else _use(view, seat, kind_of(card))
        case i.Take(card=card) | i.Borrow(card=card) | i.ClearTake(card=card):
            return worth(view, seat, card)
        case i.ScrapCard(card=card):
            return _scrap(view, seat, card)
        case i.BorrowFrom(seat=of) | i.PlanHand(seat=of):
            return len(view.hands[of].value)
        case i.FromHeap():
            return worth(view, seat, view.heap[0]) if view.heap else -2
        case i.PutBack(card=card):
            return -worth(view, seat, card)
        case i.ActAs(card=card):
            return _use(view, seat, demanded_by(card) or kind_of(card))
        case _:
            return _REST.get(type(intent), 1)


_REST: Final[dict[type[Intent], int]] = {i.EndTurn: 0, i.Declare: -500}


def _use(view: State, seat: SeatId, kind: Type | None) -> int:
    """What an effect of this kind is worth now; below 0 it is worse than ending the turn.

    Each play for gain leaves fewer cards in reach, so a bot's turn ends (A.c).
    """
    match kind:
        case "take":
            helps = any(worth(view, seat, card) > 0 for card in view.bench)
        case "borrow":
            helps = any(len(hand.value) for other, hand in enumerate(view.hands) if other != seat)
        case "scrap":
            helps = bool(view.bench) or any(worth(view, seat, card) > 0 for card in view.heap)
        case "plan" | "make":
            helps = len(view.deck) > 0
        case "copy":
            return max((_use(view, seat, demanded_by(card)) for card in view.demands[seat] if card != COPY), default=-1)
        case _:
            return -1
    return _GAIN[kind] if helps else -1


def _scrap(view: State, seat: SeatId, card: PieceId) -> int:
    """Best is what the next seat to clear would like most; never what this seat wants itself."""
    if worth(view, seat, card) > 0:
        return -10
    following = SeatId((seat + 1) % len(view.totals))
    return max(0, worth(view, following, card))
