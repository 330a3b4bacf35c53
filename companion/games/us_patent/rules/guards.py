"""Conditions about the moment: whose turn, which step, which space. Tested once per actor, before any argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from companion.core.facts import NO_FACTS, Facts, Seat
from companion.core.ids import TABLE, RuleId, SeatId
from companion.core.rules import Rule, unless
from companion.games.us_patent.cards import Kind
from companion.games.us_patent.state import State, is_seat, kind_at, top
from companion.games.us_patent.steps import Acting, Ending, Going, Moving, OfSeat, Step

Guard: TypeAlias = Rule[State, SeatId]


def _running(state: State, actor: SeatId) -> Facts | None:
    return None if state.steps and 0 <= actor < len(state.machines) else NO_FACTS


def _your_turn(state: State, actor: SeatId) -> Facts | None:
    return None if state.turn == actor else unless(True, seat=Seat(state.turn))


def _powered(state: State, actor: SeatId) -> Facts | None:
    return unless(True, seat=Seat(state.short[0])) if state.short else None


def _act_step(state: State, actor: SeatId) -> Facts | None:
    steps = state.steps
    return None if steps and type(steps[-1]) is Acting else NO_FACTS


def _own_step(state: State, actor: SeatId) -> Facts | None:
    return None if state.steps and type(state.steps[-1]) in (Acting, Moving, Going, Ending) else NO_FACTS


def _end_step(state: State, actor: SeatId) -> Facts | None:
    return None if state.steps and type(state.steps[-1]) in (Acting, Ending) else NO_FACTS


RUNNING = Guard(RuleId("P30"), "running", _running, physical=True)
NOT_OVER = Guard(RuleId("P30"), "running", lambda state, actor: unless(not state.steps), physical=True)
"""For what anybody at the table may set right."""
YOUR_TURN = Guard(RuleId("P3"), "your-turn", _your_turn)
POWERED = Guard(RuleId("P10"), "powered", _powered)
ACT_STEP = Guard(RuleId("P20"), "act-step", _act_step)

ACT = (ACT_STEP, RUNNING, YOUR_TURN, POWERED)
"""For Actions. The step comes first: it closes most verbs most of the time."""

FREE = (RUNNING, YOUR_TURN, POWERED, Guard(RuleId("P33"), "own-step", _own_step))
"""For what is free in one's own turn."""

END = (
    Guard(RuleId("P20"), "end-step", _end_step, physical=True),
    RUNNING,
    Guard(RuleId("P3"), "your-turn", _your_turn, physical=True),
    Guard(RuleId("P10"), "powered", _powered, physical=True),
)
"""For the end of the turn, which means nothing at another moment."""


def at_step(rule: str, key: str, kind: type[OfSeat]) -> tuple[Guard, ...]:
    """The game waits for the actor in this kind of step; without it the act has no meaning."""

    def broken(state: State, actor: SeatId) -> Facts | None:
        now = top(state)
        return None if isinstance(now, kind) and now.seat == actor else NO_FACTS

    return (Guard(RuleId(rule), key, broken, physical=True),)


def on(kind: Kind, rule: str) -> Guard:
    """The pawn stands on such a space."""

    def broken(state: State, actor: SeatId) -> Facts | None:
        return None if is_seat(state, actor) and kind_at(state, actor) == kind else NO_FACTS

    return Guard(RuleId(rule), f"on-{kind}", broken)


def there_is(rule: str, key: str, test: Callable[[State, SeatId], bool]) -> Guard:
    """Something is there to act on."""

    def broken(state: State, actor: SeatId) -> Facts | None:
        return None if is_seat(state, actor) and test(state, actor) else NO_FACTS

    return Guard(RuleId(rule), key, broken, physical=True)


def of_table(rule: str, key: str, is_due: Callable[[Step], bool]) -> tuple[Guard, ...]:
    """Chance is due, and the table is its actor."""

    def broken(state: State, actor: SeatId) -> Facts | None:
        now = top(state)
        return None if actor == TABLE and now is not None and is_due(now) else NO_FACTS

    return (Guard(RuleId(rule), key, broken, physical=True),)
