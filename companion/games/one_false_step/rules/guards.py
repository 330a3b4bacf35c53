"""Conditions about the moment: which day, whose turn. Tested once for each actor, before any argument.

They are physical: an act of another day or turn has no meaning, so advise refuses it too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from companion.core.facts import NO_FACTS, Facts, Seat
from companion.core.ids import TABLE, RuleId, SeatId
from companion.core.rules import Rule
from companion.games.one_false_step.state import (
    Dispute,
    DrawingSeats,
    Laying,
    Naming,
    Shot,
    State,
    Step,
    is_seat,
    top,
)

Guard: TypeAlias = Rule[State, SeatId]


def guard(rule: str, key: str, is_broken: Callable[[State, SeatId], bool]) -> Guard:
    return Guard(RuleId(rule), key, lambda s, a: NO_FACTS if is_broken(s, a) else None, physical=True)


RUNNING = guard("F35", "running", lambda state, actor: not state.steps or not is_seat(state, actor))


def at_step(rule: str, key: str, step: type[Step], turn_rule: str = "F39") -> tuple[Guard, ...]:
    """The game waits in this kind of step, and for the actor."""

    def not_yours(state: State, actor: SeatId) -> Facts | None:
        now = state.steps[-1] if state.steps else None
        seat = getattr(now, "seat", actor)
        return (("seat", Seat(seat)),) if seat != actor and isinstance(now, step) else None

    return (
        RUNNING,
        guard(rule, key, lambda state, actor: not isinstance(top(state), step)),
        Guard(RuleId(turn_rule), "your-turn", not_yours, physical=True),
    )


def of_table(rule: str, key: str, is_due: Callable[[State], bool]) -> tuple[Guard, ...]:
    """Chance is due, and the table is its actor."""
    return (guard(rule, key, lambda state, actor: actor != TABLE or not is_due(state)),)


_BEFORE, _ROLLS = frozenset({Laying, DrawingSeats, Naming}), frozenset({Dispute, Shot})


def set_up(state: State) -> bool:
    """The map is made, the seats are drawn and the Button has a holder."""
    return not state.steps or type(state.steps[0]) not in _BEFORE


def rolling(state: State) -> bool:
    """Between a declared roll and its outcome."""
    return bool(state.steps) and type(state.steps[-1]) in _ROLLS


SET_UP = guard("F4", "set-up", lambda state, actor: not set_up(state))
NO_ROLL = guard("F.y", "no-roll", lambda state, actor: rolling(state))
