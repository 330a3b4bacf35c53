"""Conditions about the moment: which day, whose turn. Tested once for each actor, before any argument.

They are physical: an act of another day or turn has no meaning, so advise refuses it too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from companion.core.facts import Facts, Seat
from companion.core.ids import TABLE, RuleId, SeatId
from companion.core.rules import Rule, unless
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
    return Guard(RuleId(rule), key, lambda state, actor: unless(is_broken(state, actor)), physical=True)


RUNNING = guard("F35", "running", lambda state, actor: not state.steps or not is_seat(state, actor))


def at_step(rule: str, key: str, step: type[Step], turn_rule: str = "F39") -> tuple[Guard, ...]:
    """The game waits in this kind of step, and for the actor."""

    def not_yours(state: State, actor: SeatId) -> Facts | None:
        seat = getattr(top(state), "seat", actor)
        return unless(isinstance(top(state), step) and seat != actor, seat=Seat(seat))

    return (
        RUNNING,
        guard(rule, key, lambda state, actor: not isinstance(top(state), step)),
        Guard(RuleId(turn_rule), "your-turn", not_yours, physical=True),
    )


def of_table(rule: str, key: str, is_due: Callable[[State], bool]) -> tuple[Guard, ...]:
    """Chance is due, and the table is its actor."""
    return (guard(rule, key, lambda state, actor: actor != TABLE or not is_due(state)),)


def set_up(state: State) -> bool:
    """The map is made, the seats are drawn and the Button has a holder."""
    return not any(isinstance(step, Laying | DrawingSeats | Naming) for step in state.steps)


def rolling(state: State) -> bool:
    """Between a declared roll and its outcome."""
    return isinstance(top(state), Dispute | Shot)


SET_UP = guard("F4", "set-up", lambda state, actor: not set_up(state))
NO_ROLL = guard("F.y", "no-roll", lambda state, actor: rolling(state))
