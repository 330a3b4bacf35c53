"""Conditions about the moment: whose turn, which step. Tested once for each actor, before any argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from companion.core.facts import NO_FACTS, Facts, Seat
from companion.core.ids import TABLE, RuleId, SeatId
from companion.core.rules import Rule, unless
from companion.games.actionworks.parts import Type
from companion.games.actionworks.state import (
    Between,
    Borrowing,
    Clearing,
    Copying,
    Declaring,
    Effects,
    Ordering,
    Showing,
    State,
    Turn,
    top,
    turn_is_on,
)

Guard: TypeAlias = Rule[State, SeatId]
StepOfSeat: TypeAlias = Borrowing | Clearing | Copying | Declaring | Ordering | Showing


def _running(state: State, actor: SeatId) -> Facts | None:
    return None if state.steps and 0 <= actor < len(state.totals) else NO_FACTS


def _turn_on(state: State, actor: SeatId) -> Facts | None:
    return None if turn_is_on(state) else NO_FACTS


def _your_turn(state: State, actor: SeatId) -> Facts | None:
    return unless(state.turn != actor, seat=Seat(state.turn))


def _settled(state: State, actor: SeatId) -> Facts | None:
    return None if isinstance(top(state), Turn) else NO_FACTS


RUNNING = Guard(RuleId("A21"), "running", _running, physical=True)
TURN_ON = Guard(RuleId("A16"), "turn-on", _turn_on)
YOUR_TURN = Guard(RuleId("A5"), "your-turn", _your_turn)
SETTLED = Guard(RuleId("A.p"), "settled", _settled)

ON_TURN = (RUNNING, TURN_ON, YOUR_TURN, SETTLED)
"""For acts that hands can do at any moment, so that advise lets them stand."""

ENDING = (RUNNING, *(Guard(g.id, g.key, g.broken, physical=True) for g in (TURN_ON, YOUR_TURN, SETTLED)))
"""For the end of a turn, which means nothing at another moment."""


def due(rule: str, key: str, kind: Type, *, physical: bool = False) -> tuple[Guard, ...]:
    """An effect of this kind waits for the actor."""

    def broken(state: State, actor: SeatId) -> Facts | None:
        now = state.steps[-1] if state.steps else None
        return None if isinstance(now, Effects) and now.kind == kind and now.seat == actor else NO_FACTS

    return RUNNING, Guard(RuleId(rule), key, broken, physical)


def at_step(rule: str, key: str, step: type[StepOfSeat], *, physical: bool = True) -> tuple[Guard, ...]:
    """The game waits for the actor in this kind of step; a physical one has no meaning without it."""

    def broken(state: State, actor: SeatId) -> Facts | None:
        now = state.steps[-1] if state.steps else None
        return None if isinstance(now, step) and now.seat == actor else NO_FACTS

    return RUNNING, Guard(RuleId(rule), key, broken, physical)


def _not_between(state: State, actor: SeatId) -> Facts | None:
    return unless(not isinstance(top(state), Between))


CLEARING = at_step("A17", "clear-due", Clearing, physical=False)
BETWEEN = (RUNNING, Guard(RuleId("A.n"), "between", _not_between, physical=True))


def of_table(rule: str, key: str, is_due: Callable[[State], bool]) -> tuple[Guard, ...]:
    """Chance is due, and the table is its actor."""

    def broken(state: State, actor: SeatId) -> Facts | None:
        return unless(actor != TABLE or not is_due(state))

    return (Guard(RuleId(rule), key, broken, physical=True),)
