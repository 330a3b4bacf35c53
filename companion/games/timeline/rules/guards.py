"""Conditions about the moment: whose turn, what must be settled first, which step. Tested once per actor.

Each is true on its own, whatever else is broken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from companion.core import NO_FACTS, TABLE, Basis, Facts, Rule, RuleId, Seat, SeatId, Word, unless
from companion.games.timeline.state import (
    WINNING,
    Dealing,
    Drawing,
    Naming,
    Over,
    Placing,
    Selling,
    State,
    Step,
    Stopping,
    coming,
    spot_of,
)

Guard: TypeAlias = Rule[State, SeatId]


def guard(
    rule: str, key: str, broken: Callable[[State, SeatId], Facts | None], basis: Basis, *, physical: bool = True
) -> Guard:
    return Guard(RuleId(rule), key, broken, physical=physical, basis=basis)


def _won(state: State, actor: SeatId) -> Facts | None:
    return NO_FACTS if type(state.steps[-1]) is Over and max(state.gold) >= WINNING else None


def _stopped(state: State, actor: SeatId) -> Facts | None:
    return NO_FACTS if type(state.steps[-1]) is Over and max(state.gold) < WINNING else None


def _no_seat(state: State, actor: SeatId) -> Facts | None:
    return None if 0 <= actor < len(state.gold) else NO_FACTS


def _not_begun(state: State, actor: SeatId) -> Facts | None:
    step = type(state.steps[-1])
    if step is Dealing:
        return unless(True, what=Word("awaited.deal"))
    return unless(True, what=Word("awaited.name-first")) if step is Naming else None


def _not_laid(state: State, actor: SeatId) -> Facts | None:
    return unless(not all(state.columns))


def _other_turn(state: State, actor: SeatId) -> Facts | None:
    """Turns begin once all pawns are placed, and end with the game."""
    if state.turn == actor or type(state.steps[-1]) in (Dealing, Naming, Placing, Over):
        return None
    return unless(True, seat=Seat(state.turn))


def _other_places(state: State, actor: SeatId) -> Facts | None:
    """Pawns are placed in their own order, before there are turns."""
    return unless(True, seat=Seat(state.turn)) if type(state.steps[-1]) is Placing and state.turn != actor else None


def _not_placed(state: State, actor: SeatId) -> Facts | None:
    return unless(True, seat=Seat(state.turn)) if type(state.steps[-1]) is Placing else None


def _card_open(state: State, actor: SeatId) -> Facts | None:
    """The card that still has to be drawn."""
    step = state.steps[-1]
    return unless(True, at=coming(state, step.column, step.top)) if isinstance(step, Drawing) else None


def _stop_open(state: State, actor: SeatId) -> Facts | None:
    step = state.steps[-1]
    return unless(True, seat=Seat(step.seat), column=step.column) if isinstance(step, Stopping) else None


def _sale_open(state: State, actor: SeatId) -> Facts | None:
    return unless(True, seat=Seat(state.turn)) if type(state.steps[-1]) is Selling else None


def _in_market(state: State, actor: SeatId) -> Facts | None:
    return None if spot_of(state, actor).column <= len(state.columns) else NO_FACTS


def _in_zone(state: State, actor: SeatId) -> Facts | None:
    return None if spot_of(state, actor).column > len(state.columns) else NO_FACTS


RUNNING = (guard("T23", "running", _won, Basis.OVER), guard("T.af", "not-stopped", _stopped, Basis.OVER))
BOARD_LAID = guard("T2", "board-laid", _not_laid, Basis.OVER)
BEGUN = guard("T5", "begun", _not_begun, Basis.OVER)
SEATED = guard("T30", "seat-there", _no_seat, Basis.TURN)
YOUR_PLACING = guard("T5", "your-placing", _other_places, Basis.TURN)
YOUR_TURN = guard("T6", "your-turn", _other_turn, Basis.TURN, physical=False)
YOUR_STEP = guard("T6", "your-turn", _other_turn, Basis.TURN)
"""The same for acts that another seat's hands could not do either."""
PLACED = guard("T5", "pawns-placed", _not_placed, Basis.SETTLING)
DRAWN = guard("T.x", "card-first", _card_open, Basis.SETTLING)
STOPPED = guard("T.x", "stop-first", _stop_open, Basis.SETTLING)
SOLD = guard("T.b", "sale-first", _sale_open, Basis.SETTLING)
IN_ZONE = guard("T.d", "in-zone", _in_market, Basis.PLACE)
NOT_IN_MARKET = guard("T.c", "not-in-market", _in_market, Basis.PLACE)
IN_MARKET = guard("T21", "in-market", _in_zone, Basis.PLACE)

STARTED = (*RUNNING, BEGUN, SEATED)
SETTLED = (PLACED, DRAWN, STOPPED, SOLD)
"""Nothing else must be settled first."""
BETWEEN_MOVES = (*STARTED, *SETTLED)
ON_TURN = (*BETWEEN_MOVES, YOUR_PLACING, YOUR_TURN)
LOCAL = (*ON_TURN, IN_ZONE)
"""A local move starts from a waypoint: markets can only be left along their line."""
MAY_SELL = (*STARTED, PLACED, DRAWN, STOPPED, YOUR_PLACING, YOUR_TURN, IN_MARKET)


def _step_is(step: type[Step]) -> Callable[[State, SeatId], Facts | None]:
    return lambda state, actor: None if type(state.steps[-1]) is step else NO_FACTS


_YOURS = (YOUR_PLACING, YOUR_STEP)
AT_PLACEMENT = (*STARTED, DRAWN, STOPPED, SOLD, guard("T5", "placing", _step_is(Placing), Basis.STEP), *_YOURS)
AT_STOP = (*STARTED, PLACED, DRAWN, SOLD, guard("T9", "stopping", _step_is(Stopping), Basis.STEP), *_YOURS)
ENTERED = (
    *STARTED,
    PLACED,
    DRAWN,
    STOPPED,
    guard("T.b", "entered", _step_is(Selling), Basis.STEP),
    YOUR_PLACING,
    YOUR_TURN,
)


def of_table(rule: str, key: str, is_due: Callable[[Step], bool]) -> tuple[Guard, ...]:
    """Chance is due, and the table is its actor."""
    return (
        *RUNNING,
        guard(rule, "by-chance", lambda _state, actor: unless(actor != TABLE), Basis.TURN),
        guard(rule, key, lambda state, _actor: unless(not is_due(state.steps[-1])), Basis.STEP),
    )


def is_naming(step: Step) -> bool:
    return isinstance(step, Naming)
