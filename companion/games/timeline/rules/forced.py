"""What the rules do by themselves after an event; () when they wait for someone."""

from __future__ import annotations

from companion.core.ids import SeatId
from companion.core.rules import Event
from companion.core.steps import left_of
from companion.games.timeline import events as e
from companion.games.timeline.state import WINNING, Over, Selling, State

from .market import stock


def forced(state: State) -> tuple[Event, ...]:
    """The events that follow without anyone's choice; () when the game waits."""
    step = state.steps[-1]
    rich = max(state.gold) >= WINNING
    if type(step) is Over:
        return () if rich or len(state.agreed) == len(state.gold) else (e.Resumed(),)
    if rich:
        return (e.Won(SeatId(state.gold.index(max(state.gold)))),)
    if type(step) is Selling and not stock(state, state.turn):
        return (e.TurnPassed(left_of(state, state.turn)),)
    return ()
