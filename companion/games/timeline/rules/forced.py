"""What the rules do by themselves after an event; () while they wait for someone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.core import Course, Event, SeatId, left_of
from companion.games.timeline import events as e
from companion.games.timeline.decide import ASKS
from companion.games.timeline.state import WINNING, Over, Selling, State, Step

from .market import stock


def won(state: State) -> tuple[Event, ...]:
    """T23, at any time."""
    most = max(state.gold)
    if most < WINNING or type(state.steps[-1]) is Over:
        return ()
    return (e.Won(SeatId(state.gold.index(most))),)


def _over(state: State, _step: Over) -> tuple[Event, ...]:
    """A correction may have shown that the game is not over."""
    is_over = max(state.gold) >= WINNING or len(state.agreed) == len(state.gold)
    return () if is_over else (e.Resumed(),)


def _selling(state: State, _step: Selling) -> tuple[Event, ...]:
    return () if stock(state, state.turn) else (e.TurnPassed(left_of(state, state.turn)),)


FORCES: Final[dict[type[Step], Callable[[State, Any], tuple[Event, ...]]]] = {Over: _over, Selling: _selling}


COURSE: Final = Course[State](ASKS, FORCES, always=won)
