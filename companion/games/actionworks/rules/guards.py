"""Conditions about the moment: whose turn, what must be settled first, which step. Tested once per actor.

Each is true on its own, whatever else is broken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from companion.core import NO_FACTS, TABLE, Basis, Facts, Rule, RuleId, Seat, SeatId, Word, is_seat, top, unless
from companion.games.actionworks.state import (
    AT_A_TURN,
    Between,
    Borrowing,
    Clearing,
    Copying,
    Dealing,
    DealingDemands,
    Declaring,
    Effects,
    Flipping,
    Looking,
    Naming,
    Ordering,
    Showing,
    State,
    Step,
    Turn,
    Type,
    turn_is_on,
)

Guard: TypeAlias = Rule[State, SeatId]
Broken: TypeAlias = Callable[[State, SeatId], Facts | None]


def guard(rule: str, key: str, broken: Broken, basis: Basis, *, physical: bool = False) -> Guard:
    return Guard(RuleId(rule), key, broken, physical, basis)


def _over(state: State, actor: SeatId) -> Facts | None:
    return None if state.steps else NO_FACTS


def _not_dealt(state: State, actor: SeatId) -> Facts | None:
    if len(state.steps) < 2:
        return None
    return unless(any(isinstance(step, Dealing | DealingDemands | Naming) for step in state.steps))


def _no_seat(state: State, actor: SeatId) -> Facts | None:
    return None if is_seat(state, actor) else NO_FACTS


def _other_turn(state: State, actor: SeatId) -> Facts | None:
    return None if state.turn == actor or not turn_is_on(state) else unless(True, seat=Seat(state.turn))


def _clearing(state: State, actor: SeatId) -> Facts | None:
    step = top(state)
    return unless(True, seat=Seat(step.seat)) if isinstance(step, Clearing) else None


def _other_clears(state: State, actor: SeatId) -> Facts | None:
    return None if _clears(state) in (None, actor) else _clearing(state, actor)


def _clears(state: State) -> SeatId | None:
    step = top(state)
    return step.seat if isinstance(step, Clearing) else None


def _between(state: State, actor: SeatId) -> Facts | None:
    return unless(isinstance(top(state), Between))


def _begins(state: State) -> bool:
    """Whether the flips before a turn are due. Those of a Make are not: by then the Make itself is on the workbench."""
    step = top(state)
    return isinstance(step, Flipping) and turn_is_on(state) and len(state.bench) <= AT_A_TURN - step.left


def _not_flipped(state: State, actor: SeatId) -> Facts | None:
    return unless(_begins(state))


def _open(state: State, actor: SeatId) -> Facts | None:
    """What the seat on turn must settle before it goes on."""
    step = top(state)
    if isinstance(step, Turn) or step is None or not turn_is_on(state) or _begins(state):
        return None
    what = step.kind if isinstance(step, Effects) else _OPEN[type(step)]
    return unless(True, seat=Seat(_acts(state, step)), what=Word(f"open.{what}"))


def _acts(state: State, step: Step) -> SeatId:
    """Who is asked within a turn; in advise mode a seat may have played out of turn."""
    return SeatId(getattr(step, "seat", state.turn))


_OPEN: dict[type[Step], str] = {
    Declaring: "together",
    Copying: "copy",
    Borrowing: "borrow",
    Showing: "shown",
    Looking: "look",
    Ordering: "look",
    Flipping: "make",
}
"""What is open within a turn, as a text."""

RUNNING = guard("A21", "running", _over, Basis.OVER, physical=True)
DEALT = guard("A4", "dealt", _not_dealt, Basis.OVER)
SEATED = guard("A5", "seat-there", _no_seat, Basis.TURN, physical=True)
YOUR_TURN = guard("A5", "your-turn", _other_turn, Basis.TURN)
CLEARED = guard("A17", "cleared", _clearing, Basis.SETTLING)
ROUND_CHOSEN = guard("A.n", "round-chosen", _between, Basis.SETTLING)
FLIPPED = guard("A18", "flipped", _not_flipped, Basis.SETTLING)
SETTLED = guard("A.p", "settled", _open, Basis.SETTLING)

IN_A_TURN = (RUNNING, DEALT, SEATED, CLEARED, ROUND_CHOSEN)
ON_TURN = (*IN_A_TURN, YOUR_TURN, FLIPPED, SETTLED)
"""For acts that hands can do at any moment, so that advise mode lets them stand."""


def _meaningless_else(guards: tuple[Guard, ...]) -> tuple[Guard, ...]:
    return tuple(Guard(g.id, g.key, g.broken, physical=True, basis=g.basis) for g in guards)


ENDING = _meaningless_else(ON_TURN)
"""For the end of a turn, which means nothing at any other moment."""


def answering(rule: str, key: str, asks: Callable[[Step], bool], *, physical: bool = True) -> tuple[Guard, ...]:
    """The turn has come to the question that this answers; a physical one has no meaning without it.

    Once the question is open, it can be answered by hands whatever else is open, or nobody could go on: in advise
    somebody may have played while cards were still dealt.
    """

    def open_step(state: State) -> Step | None:
        return state.steps[-1] if state.steps and asks(state.steps[-1]) else None

    def anothers(state: State, actor: SeatId) -> Facts | None:
        step = open_step(state)
        if step is None:
            return _other_turn(state, actor)
        return None if _acts(state, step) == actor else unless(True, seat=Seat(_acts(state, step)))

    def other_open(state: State, actor: SeatId) -> Facts | None:
        return None if open_step(state) is not None else _open(state, actor)

    def not_asked(state: State, actor: SeatId) -> Facts | None:
        return None if open_step(state) is not None else NO_FACTS

    def early(state: State, actor: SeatId) -> Facts | None:
        return None if open_step(state) is not None else _not_dealt(state, actor)

    return (
        *(guard("A4", "dealt", early, Basis.OVER) if each is DEALT else each for each in IN_A_TURN),
        guard("A5", "your-turn", anothers, Basis.TURN, physical=physical),
        FLIPPED,
        guard("A.p", "settled", other_open, Basis.SETTLING),
        guard(rule, key, not_asked, Basis.STEP, physical=physical),
    )


def due(rule: str, key: str, kind: Type, *, physical: bool = True) -> tuple[Guard, ...]:
    """An effect of this kind is waiting."""
    return answering(rule, key, lambda step: isinstance(step, Effects) and step.kind == kind, physical=physical)


def at_step(rule: str, key: str, step: type[Borrowing | Copying | Declaring | Ordering | Showing]) -> tuple[Guard, ...]:
    return answering(rule, key, lambda now: isinstance(now, step))


CLEARING = (
    *(g for g in ON_TURN if g is not CLEARED),
    guard("A17", "clear-turn", _other_clears, Basis.TURN),
    guard("A17", "clear-due", lambda state, _actor: unless(_clears(state) is None), Basis.STEP),
)
BETWEEN = (
    RUNNING,
    SEATED,
    guard("A.n", "between", lambda s, _a: unless(not isinstance(top(s), Between)), Basis.STEP, physical=True),
)


def of_table(rule: str, key: str, is_due: Callable[[State], bool]) -> tuple[Guard, ...]:
    """Chance is due, and the table is its actor."""
    return (
        RUNNING,
        guard(rule, "by-chance", lambda _state, actor: unless(actor != TABLE), Basis.TURN, physical=True),
        guard(rule, key, lambda state, _actor: unless(not is_due(state)), Basis.STEP, physical=True),
    )
