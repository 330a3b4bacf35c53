"""Conditions about the moment: which day, whose turn, what is being settled. Tested once per actor.

They are physical: an act of another day or turn has no meaning, so advise mode refuses it too. Each is true on its own:
what stands in the way of an act on the wrong day is the day, not something that day settles, such as its dice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from companion.core import NO_FACTS, TABLE, Basis, Facts, Place, Rule, RuleId, Seat, SeatId, Word, is_seat, top, unless
from companion.games.one_false_step.state import (
    SYSTEMS,
    Auction,
    Dispute,
    DrawingSeats,
    Giving,
    Laying,
    Monday,
    Naming,
    Opening,
    Paying,
    Shot,
    State,
    Step,
    Thursday,
    Turning,
    Wednesday,
    county_of,
)

Guard: TypeAlias = Rule[State, SeatId]
Steps: TypeAlias = frozenset[type[Step]]

SETTING_UP: Final[Steps] = frozenset({Laying, DrawingSeats, Naming})
MONDAY_STEPS: Final[Steps] = frozenset({Monday, Dispute})
THURSDAY_STEPS: Final[Steps] = frozenset({Thursday, Shot})
ROLLS: Final = (Dispute, Shot)
SATURDAY_STEPS: Final[Steps] = frozenset({Turning, Auction, Paying, Giving})


def guard(rule: str, key: str, broken: Callable[[State, SeatId], Facts | None], basis: Basis) -> Guard:
    return Guard(RuleId(rule), key, broken, physical=True, basis=basis)


def _over(state: State, actor: SeatId) -> Facts | None:
    return None if state.steps else NO_FACTS


def _unready(state: State, actor: SeatId) -> Facts | None:
    return NO_FACTS if state.steps and type(state.steps[0]) in SETTING_UP else None


def _anothers(state: State, actor: SeatId) -> Facts | None:
    """Whose turn it is, if days are played one after another and it is not the actor's."""
    seat = getattr(state.steps[0], "seat", actor) if state.steps else actor
    return None if seat == actor else (("seat", Seat(seat)),)


def _is_opening(state: State) -> bool:
    return bool(state.steps) and type(state.steps[-1]) is Opening


def _plays_first(state: State, actor: SeatId) -> Facts | None:
    return None if _is_opening(state) else _anothers(state, actor)


def _bids_first(state: State, actor: SeatId) -> Facts | None:
    return _anothers(state, actor) if _is_opening(state) else None


RUNNING = guard("F35", "running", _over, Basis.OVER)
SET_UP = guard("F4", "set-up", _unready, Basis.OVER)
YOUR_TURN = guard("F39", "your-turn", _plays_first, Basis.TURN)
YOUR_BID = guard("F5", "your-bid", _bids_first, Basis.TURN)


def on_day(rule: str, key: str, steps: Steps, basis: Basis = Basis.STEP) -> Guard:
    """It is time for these steps."""

    def broken(state: State, actor: SeatId) -> Facts | None:
        return None if state.steps and type(state.steps[0]) in steps else NO_FACTS

    return guard(rule, key, broken, basis)


def _disputed(state: State, actor: SeatId) -> Facts | None:
    step = top(state)
    if not isinstance(step, Dispute):
        return None
    claim = county_of(state).claims[step.claim]
    return unless(True, claim=Place(claim), seat=Seat(_roller(step)))


def _shooting(state: State, actor: SeatId) -> Facts | None:
    step = top(state)
    if not isinstance(step, Shot):
        return None
    return unless(True, seat=Seat(step.seat), system=Word(f"system.{SYSTEMS[step.rolled]}"))


def _rolling(state: State, actor: SeatId) -> Facts | None:
    """Who rolls, between declaring a roll and its outcome."""
    step = top(state)
    return unless(True, seat=Seat(_roller(step))) if isinstance(step, ROLLS) else None


def _roller(step: Dispute | Shot) -> SeatId:
    return step.defender if isinstance(step, Dispute) and step.roll else step.seat


def settled(rule: str, key: str, step: type[Paying | Giving]) -> Guard:
    """The buyer of the Button is no longer asked this."""

    def broken(state: State, actor: SeatId) -> Facts | None:
        now = top(state)
        return (("seat", Seat(now.seat)),) if isinstance(now, step) else None

    return guard(rule, key, broken, Basis.SETTLING)


DISPUTE_SETTLED = guard("F14", "dispute-first", _disputed, Basis.SETTLING)
SHOT_SETTLED = guard("F26", "shot-first", _shooting, Basis.SETTLING)
NO_ROLL = guard("F.y", "roll-first", _rolling, Basis.SETTLING)
CARD_TURNED = guard("F29", "card-first", lambda s, a: unless(isinstance(top(s), Turning)), Basis.SETTLING)
BUTTON_PAID = settled("F33", "pay-first", Paying)
BUTTON_GIVEN = settled("F33", "give-first", Giving)

IN_WEEK: Final = (RUNNING, SET_UP, YOUR_BID, YOUR_TURN)
"""Required on every day; the week begins after the setup and the starting auction."""
MONDAY: Final = (*IN_WEEK, DISPUTE_SETTLED, on_day("F11", "monday", MONDAY_STEPS))
WEDNESDAY: Final = (*IN_WEEK, on_day("F21", "wednesday", frozenset({Wednesday})))
THURSDAY: Final = (*IN_WEEK, SHOT_SETTLED, on_day("F22", "thursday", THURSDAY_STEPS))
TRADE: Final = (RUNNING, SET_UP, NO_ROLL)
"""Any two who agree, whoever's turn it is (F34, F.y)."""


def _no_player(state: State, actor: SeatId) -> Facts | None:
    return unless(not is_seat(state, actor))


LAYING: Final = (
    RUNNING,
    on_day("F1", "laying", frozenset({Laying}), Basis.OVER),
    guard("F1", "player", _no_player, Basis.TURN),
)


def of_table(rule: str, key: str, is_due: Callable[[State], bool]) -> tuple[Guard, ...]:
    """Chance is due, and the table is its actor."""
    return (
        RUNNING,
        guard(rule, "by-chance", lambda _state, actor: unless(actor != TABLE), Basis.TURN),
        guard(rule, key, lambda state, _actor: unless(not is_due(state)), Basis.STEP),
    )
