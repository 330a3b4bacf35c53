"""What follows when a pawn stops: the counter is taken, the column slides, the turn passes (T15, T16, T.x)."""

from __future__ import annotations

from companion.core import Event, SeatId, left_of
from companion.games.timeline import events as e
from companion.games.timeline.state import GOODS, Column, Laid, State, colours, option


def stopped(state: State, seat: SeatId, column: int, laid: Laid, lane: int) -> tuple[Event, ...]:
    """A pawn stops on the waypoint of a lane, whose card is there by then."""
    slot = lane - laid.top
    moved = e.Moved(seat, column, laid.card, slot + 1, lane)
    passed = e.TurnPassed(left_of(state, seat))
    if not laid.counters >> slot & 1:
        return moved, passed
    took = e.Took(seat, GOODS[colours(laid.lines)[slot]])
    return moved, took, e.Slid(column, sliding(state, state.columns[column - 1], laid)), passed


def sliding(state: State, column: Column, laid: Laid) -> int:
    """How many cards, from the highest down, slide when a counter of this card is taken (T16, T.i)."""
    if option(state, "slide") == "card-and-above":
        return sum([other.top < laid.top for other in column]) + 1
    # A card being laid is not there yet, but slides all the same.
    return len(column) + (laid.top not in [other.top for other in column])
