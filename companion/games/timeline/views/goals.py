"""Where the awaited pawn may stop now: the waypoints and the market that have a ring on the drawn board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from companion.core import SeatId, allowed, phase
from companion.games.timeline.rules import VERBS
from companion.games.timeline.rules import intents as i
from companion.games.timeline.state import State, Stopping, end_of_line

from .foresight import goal

Goals: TypeAlias = frozenset[tuple[int, int]]
"""Column and lane of each."""


def acting(view: State) -> SeatId:
    """Whose pawn it is."""
    step = view.steps[-1]
    return step.seat if isinstance(step, Stopping) else view.turn


def goals_of(view: State) -> Goals:
    now, seat = phase(view), acting(view)
    return frozenset(
        spot
        for verb in VERBS
        if now in verb.phases and not verb.chance
        for intent in allowed(verb, view, seat)
        for spot in _spots(view, intent)
    )


def _spots(view: State, intent: object) -> Iterator[tuple[int, int]]:
    """Where an intent leads, if that can be seen in advance."""
    match intent:
        case i.Move() | i.Travel() | i.StopOn() | i.Place():
            found = goal(view, intent)
            if found is not None:
                column, laid, slot = found
                yield column, laid.top + slot
        case i.EnterMarket(actor=seat):
            yield len(view.columns) + 1, end_of_line(view, view.pawns[seat])
