"""Facts of the table set right. Only physical rules apply; none reveals where a hidden card lies."""

from __future__ import annotations

from typing import Any, Final

from companion.core import (
    Basis,
    Facts,
    Piece,
    PlaceId,
    Rule,
    RuleId,
    Seat,
    SeatId,
    Verb,
    is_seat,
    seats_of,
    top,
    unless,
)
from companion.games.actionworks import events as e
from companion.games.actionworks.state import (
    Cards,
    DealingDemands,
    Effects,
    Looking,
    Naming,
    Ordering,
    State,
    Turn,
    demand_for,
    demanded_by,
    is_shown,
    kind_of,
    parts_in,
    types_in_use,
)

from .guards import RUNNING, guard
from .intents import MoveCard, SetDemand, SetTotal, SetTurn

LOWEST, HIGHEST = -99, 399
_AREAS: Final = ("bench", "deck", "heap")


def places(state: State) -> tuple[PlaceId, ...]:
    """Where a Part of the types in use may lie."""
    own = (f"{area}/{seat}" for area in ("hand", "pile") for seat in seats_of(state))
    return tuple(PlaceId(place) for place in (*_AREAS, *own))


def in_sight(state: State) -> Cards:
    """The Parts that everyone sees now."""
    hands = (card for hand in state.hands if is_shown(hand) for card in hand.value)
    return (*state.bench, *state.heap, *hands)


def _no_turn(state: State, actor: SeatId) -> Facts | None:
    return unless(not isinstance(top(state), Turn))


def _look_open(state: State, actor: SeatId) -> Facts | None:
    looks = (step.looked if isinstance(step, Effects) else isinstance(step, Looking | Ordering) for step in state.steps)
    return unless(any(looks))


def _demands_due(state: State, actor: SeatId) -> Facts | None:
    return unless(any(isinstance(step, DealingDemands | Naming) for step in state.steps))


def _no_such_seat(state: State, intent: SetTotal | SetTurn | SetDemand) -> Facts | None:
    return unless(not is_seat(state, intent.seat))


def _out_of_span(state: State, intent: SetTotal) -> Facts | None:
    return unless(not LOWEST <= intent.number <= HIGHEST, low=LOWEST, high=HIGHEST)


def _not_in_use(state: State, intent: MoveCard) -> Facts | None:
    kind = kind_of(intent.card)
    there = kind in types_in_use(state) and intent.card in parts_in(state.setup.pack, types_in_use(state))
    return unless(not there, card=Piece(intent.card))


def _no_such_place(state: State, intent: MoveCard) -> Facts | None:
    return unless(intent.place not in places(state))


def _no_demand(state: State, intent: SetDemand) -> Facts | None:
    return unless(demanded_by(intent.card) not in types_in_use(state), card=Piece(intent.card))


def _totals(state: State, actor: SeatId) -> list[SetTotal]:
    return [SetTotal(actor, SeatId(seat), LOWEST) for seat in seats_of(state)]


def _turns(state: State, actor: SeatId) -> list[SetTurn]:
    return [SetTurn(actor, SeatId(seat)) for seat in seats_of(state) if seat != state.turn]


def _moves(state: State, actor: SeatId) -> list[MoveCard]:
    return [MoveCard(actor, card, place) for card in in_sight(state) for place in places(state)]


def _demands(state: State, actor: SeatId) -> list[SetDemand]:
    cards = (demand_for(kind) for kind in types_in_use(state))
    return [SetDemand(actor, card, SeatId(seat)) for card in cards for seat in seats_of(state)]


def _demanding(state: State, intent: SetDemand) -> Seat | None:
    return next((Seat(SeatId(seat)) for seat, cards in enumerate(state.demands) if intent.card in cards), None)


SEAT_THERE: Rule[State, Any] = Rule(RuleId("A5"), "seat-there", _no_such_seat, physical=True)

CORRECTIONS = (
    Verb[State, SetTotal](
        SetTotal,
        (),
        _totals,
        (SEAT_THERE, Rule(RuleId("A25"), "in-span", _out_of_span, physical=True)),
        lambda s, i: (e.TotalSet(i.seat, i.number),),
        asks=True,
        span=lambda s, i: (LOWEST, HIGHEST),
        now=lambda s, i: s.totals[i.seat],
    ),
    Verb[State, SetTurn](
        SetTurn,
        (RUNNING, guard("A5", "turn-open", _no_turn, Basis.SETTLING, physical=True)),
        _turns,
        (SEAT_THERE,),
        lambda s, i: (e.TurnSet(i.seat),),
        asks=True,
        now=lambda s, i: Seat(s.turn),
    ),
    Verb[State, MoveCard](
        MoveCard,
        (RUNNING, guard("A.p", "no-look", _look_open, Basis.SETTLING, physical=True)),
        _moves,
        (
            Rule(RuleId("A27"), "part-in-use", _not_in_use, physical=True),
            Rule(RuleId("A4"), "place-there", _no_such_place, physical=True),
        ),
        lambda s, i: (e.CardMoved(i.card, i.place),),
        asks=True,
    ),
    Verb[State, SetDemand](
        SetDemand,
        (RUNNING, guard("A3", "demands-dealt", _demands_due, Basis.OVER, physical=True)),
        _demands,
        (Rule(RuleId("A27"), "demand-in-use", _no_demand, physical=True), SEAT_THERE),
        lambda s, i: (e.DemandSet(i.card, i.seat),),
        asks=True,
        now=_demanding,
    ),
)
