"""What can be done, by whom, and what follows."""

from __future__ import annotations

from typing import Any

from companion.core import Hidden, Intent, PieceId, SeatId, Verb, usual

from .state import HAND, Cards, Dealt, Laid, RoundsSet, State, decisions, turn


class Deal(Intent, frozen=True):
    card: PieceId


class Lay(Intent, frozen=True):
    card: PieceId


class SetRounds(Intent, frozen=True):
    seat: SeatId
    number: int


def hand(state: State, seat: SeatId) -> Cards:
    return state.hands[seat].value if 0 <= seat < len(state.hands) else ()


VERBS: tuple[Verb[State, Any], ...] = (
    Verb(
        Deal, (usual.by_chance("H1", decisions),), lambda s, a: (Deal(a, card) for card in s.deck.next()),
        (usual.in_deck("H1", lambda s: s.deck.next()),),
        lambda s, i: (Dealt(turn(s), Hidden(i.card, (turn(s),))),), chance=True,
    ),
    Verb(
        Lay, (usual.running("H4", decisions), usual.your_turn("H2", decisions)),
        lambda s, a: (Lay(a, card) for card in hand(s, a)), (usual.in_hand("H2", hand),),
        lambda s, i: (Laid(i.actor, i.card),),
    ),
)  # fmt: skip
CORRECTIONS: tuple[Verb[State, Any], ...] = (
    Verb(
        SetRounds, (), lambda s, a: (SetRounds(a, seat, 0) for seat in s.setup.everyone()),
        (usual.seat_there("H3"), usual.in_span("H3", 0, HAND)), lambda s, i: (RoundsSet(i.seat, i.number),),
        span=lambda s, i: (0, HAND), now=lambda s, i: s.won[i.seat],
    ),
)  # fmt: skip
