"""What the game waits for, how it ended, and what should lie where."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from companion.core import TABLE, Decision, Fact, Lies, Piece, PlaceId, Result, Seat, SeatId, say, seats_of

from .rules.chance import demand_goes_to, hand_dealt
from .state import (
    TYPES,
    UNCHOSEN,
    Between,
    Borrowing,
    Cards,
    Clearing,
    Copying,
    Dealing,
    DealingDemands,
    Declaring,
    Effects,
    Flipping,
    Looking,
    Naming,
    Ordering,
    Pack,
    Showing,
    State,
    Step,
    Turn,
    demand_for,
    next_copy,
    parts_in,
)


def _naming(state: State, step: Naming) -> Decision:
    return _ask("name-first", TABLE, state, 0)


def _dealing_demands(state: State, step: DealingDemands) -> Decision:
    return _ask("deal-demand", TABLE, state, step.left, ("seat", Seat(demand_goes_to(state, step.left))))


def _flipping(state: State, step: Flipping) -> Decision:
    return _ask("flip", TABLE, state, step.left, ("n", step.left))


def _dealing(state: State, step: Dealing) -> Decision:
    return _ask("draw", TABLE, state, step.left, ("seat", Seat(hand_dealt(state, step.left))))


def _looking(state: State, step: Looking) -> Decision:
    return _ask("look", TABLE, state, len(state.deck.top), ("seat", Seat(step.seat)))


def _turn(state: State, step: Turn) -> Decision:
    return _ask("turn", state.turn, state, 0, ("seat", Seat(state.turn)))


def _declaring(state: State, step: Declaring) -> Decision:
    many = len(step.cards)
    return _ask("declare", step.seat, state, many, ("seat", Seat(step.seat)), ("n", many))


def _copying(state: State, step: Copying) -> Decision:
    left = step.acts.count(UNCHOSEN)
    return _ask("act-as", step.seat, state, left, ("seat", Seat(step.seat)), ("card", Piece(next_copy(step))))


def _effects(state: State, step: Effects) -> Decision:
    kind, due = "borrow-from" if step.kind == "borrow" else step.kind, len(step.due)
    return _ask(kind, step.seat, state, due, ("seat", Seat(step.seat)), ("n", due))


def _borrowing(state: State, step: Borrowing) -> Decision:
    return _ask("borrow", step.seat, state, step.of, ("seat", Seat(step.seat)), ("of", Seat(step.of)))


def _showing(state: State, step: Showing) -> Decision:
    return _ask("seen", step.seat, state, step.of, ("seat", Seat(step.seat)), ("of", Seat(step.of)))


def _ordering(state: State, step: Ordering) -> Decision:
    return _ask("order", step.seat, state, step.placed, ("seat", Seat(step.seat)), ("n", step.of - step.placed))


def _clearing(state: State, step: Clearing) -> Decision:
    left = len(state.bench)
    return _ask("clear", step.seat, state, left, ("seat", Seat(step.seat)), ("n", left))


def _between(state: State, step: Between) -> Decision:
    everyone = tuple(SeatId(seat) for seat in seats_of(state))
    return Decision("new-type", everyone, str(state.round), (("n", state.types),))


def _ask(kind: str, awaited: SeatId, state: State, left: int, *facts: tuple[str, Fact]) -> Decision:
    """`left` counts what each answer changes, so that no two questions of a turn look alike."""
    return Decision(kind, (awaited,), f"{state.turns}.{left}", facts)


ASKS: Final[dict[type[Step], Callable[[State, Any], Decision]]] = {
    Naming: _naming,
    DealingDemands: _dealing_demands,
    Flipping: _flipping,
    Dealing: _dealing,
    Turn: _turn,
    Declaring: _declaring,
    Copying: _copying,
    Effects: _effects,
    Borrowing: _borrowing,
    Showing: _showing,
    Looking: _looking,
    Ordering: _ordering,
    Clearing: _clearing,
    Between: _between,
}


def result(state: State) -> Result | None:
    """The highest total wins; equal ones share (A21, A.l, A.ai)."""
    if state.steps:
        return None
    best = max(state.totals)
    winners = tuple(SeatId(seat) for seat, total in enumerate(state.totals) if total == best)
    if len(winners) == 1:
        return Result(winners, say("result.won", seat=Seat(winners[0]), total=best))
    return Result(winners, say("result.shared", n=len(winners), total=best))


def layout(state: State) -> tuple[Lies, ...]:
    """Each piece and where it should lie; one that a view does not know is `?`, so that it still counts."""
    lying = [Lies(card, _BENCH, "up") for card in state.bench]
    lying += [Lies(card, _HEAP, "up") for card in (*state.under, *state.heap)]
    lying += [Lies(hidden.value, _DECK, "down") for hidden in state.deck.top]
    lying += [Lies(card, _DECK, "down") for card in state.deck.unseen]
    for seat, (demands, hand, pile) in enumerate(zip(state.demands, state.hands, state.piles, strict=True)):
        at_demand, at_hand, at_pile = _places_of(seat)
        lying += [Lies(card, at_demand, "up") for card in demands]
        lying += [Lies(card, at_hand, "down") for card in hand.value]
        lying += [Lies(card, at_pile, "down") for card in pile.value]
    return (*lying, *_boxed(state.setup.pack, state.types, state.demands))


_BENCH, _HEAP, _DECK, _BOX = PlaceId("bench"), PlaceId("heap"), PlaceId("deck"), PlaceId("box")


@lru_cache(8)
def _places_of(seat: int) -> tuple[PlaceId, PlaceId, PlaceId]:
    return PlaceId(f"demand/{seat}"), PlaceId(f"hand/{seat}"), PlaceId(f"pile/{seat}")


@lru_cache(8)
def _boxed(pack: Pack, types: int, demands: tuple[Cards, ...]) -> tuple[Lies, ...]:
    """What stays in the box: Parts of types not in use, and Demands that nobody has (A3, A27)."""
    dealt = {card for cards in demands for card in cards}
    unused = (*parts_in(pack, TYPES[types:]), *(demand_for(kind) for kind in TYPES))
    return tuple(Lies(card, _BOX, "down") for card in unused if card not in dealt)
