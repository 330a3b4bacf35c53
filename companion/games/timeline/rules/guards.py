"""Conditions about the moment: whose turn, which step. Tested once for each actor, before any argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from companion.core.facts import Facts, Seat
from companion.core.ids import TABLE, RuleId, SeatId
from companion.core.rules import Rule, unless
from companion.games.timeline.state import (
    Naming,
    Over,
    Placing,
    Selling,
    State,
    Step,
    Stopping,
    Turn,
    spot_of,
)

Guard: TypeAlias = Rule[State, SeatId]


def _over(state: State, actor: SeatId) -> Facts | None:
    return unless(True) if type(state.steps[-1]) is Over or not 0 <= actor < len(state.gold) else None


def _not_turn(state: State, actor: SeatId) -> Facts | None:
    return None if type(state.steps[-1]) is Turn else unless(True)


def _other_turn(state: State, actor: SeatId) -> Facts | None:
    return None if state.turn == actor else unless(True, seat=Seat(state.turn))


def _in_market(state: State, actor: SeatId) -> Facts | None:
    return None if spot_of(state, actor).column <= len(state.columns) else unless(True)


RUNNING = Guard(RuleId("T23"), "running", _over, physical=True)
MOVE_DUE = Guard(RuleId("T7"), "move-due", _not_turn, physical=True)
YOUR_TURN = Guard(RuleId("T6"), "your-turn", _other_turn)
IN_ZONE = Guard(RuleId("T20"), "in-zone", _in_market, physical=True)
NOT_IN_MARKET = Guard(RuleId("T.c"), "not-in-market", _in_market, physical=True)

ON_TURN = (RUNNING, MOVE_DUE, YOUR_TURN)
LOCAL = (*ON_TURN, IN_ZONE)
"""A local move starts from a waypoint: markets are left along their line only."""


def at_step(rule: str, key: str, step: type[Placing | Stopping]) -> tuple[Guard, ...]:
    """The game waits for the actor in this kind of step; without it the act has no meaning."""

    def broken(state: State, actor: SeatId) -> Facts | None:
        return None if type(state.steps[-1]) is step else unless(True)

    due = Guard(RuleId(rule), key, broken, physical=True)
    return RUNNING, due, Guard(RuleId("T6"), "your-turn", _other_turn, physical=True)


def _no_sale(state: State, actor: SeatId) -> Facts | None:
    return None if type(state.steps[-1]) in (Turn, Selling) else unless(True)


SALE_DUE = Guard(RuleId("T.b"), "sale-due", _no_sale, physical=True)


def _in_zone(state: State, actor: SeatId) -> Facts | None:
    return None if spot_of(state, actor).column > len(state.columns) else unless(True)


IN_MARKET = Guard(RuleId("T20"), "in-market", _in_zone, physical=True)
MAY_SELL = (RUNNING, SALE_DUE, YOUR_TURN, IN_MARKET)


def _not_selling(state: State, actor: SeatId) -> Facts | None:
    return None if type(state.steps[-1]) is Selling else unless(True)


ENTERED = (RUNNING, Guard(RuleId("T.b"), "entered", _not_selling, physical=True), YOUR_TURN)


def of_table(rule: str, key: str, is_due: Callable[[Step], bool]) -> tuple[Guard, ...]:
    """Chance is due, and the table is its actor."""

    def broken(state: State, actor: SeatId) -> Facts | None:
        return unless(actor != TABLE or not is_due(state.steps[-1]))

    return (Guard(RuleId(rule), key, broken, physical=True),)


def is_naming(step: Step) -> bool:
    return isinstance(step, Naming)
