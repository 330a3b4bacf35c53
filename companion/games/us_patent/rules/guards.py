"""Conditions about the moment: whose turn, what must be settled first, which step, which space.

Tested once per actor, before any argument. Each is silent where it would not be true on its own: about another's turn
it says nothing of steps, and before the first turn or after the end nothing of turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, TypeAlias

from companion.core import NO_FACTS, TABLE, Basis, Facts, Piece, Rule, RuleId, Seat, SeatId, Word, is_seat, unless
from companion.games.us_patent.state import (
    NEVER,
    Acting,
    Countering,
    Dealing,
    Dice,
    Drawing,
    Following,
    Going,
    Hit,
    Inventing,
    Kind,
    Loot,
    Moving,
    Numbering,
    OfSeat,
    Placing,
    Rolling,
    State,
    Step,
    kind_at,
    top,
)

Guard: TypeAlias = Rule[State, SeatId]
Broken: TypeAlias = Callable[[State, SeatId], Facts | None]
_MOVE: Final = (Moving, Rolling, Going)


def _dealing(state: State, actor: SeatId) -> Facts | None:
    return NO_FACTS if state.steps and type(state.steps[-1]) is Dealing else None


def _your_turn(state: State, actor: SeatId) -> Facts | None:
    if state.turn == actor or not state.steps or type(state.steps[-1]) is Dealing:
        return None
    return unless(True, seat=Seat(state.turn))


def _your_turn_or_question(state: State, actor: SeatId) -> Facts | None:
    """Some questions come up in another's turn: switching off, striking back, choosing what a counterattack hits."""
    return None if getattr(top(state), "seat", TABLE) == actor else _your_turn(state, actor)


def _powered(state: State, actor: SeatId) -> Facts | None:
    return unless(True, seat=Seat(state.short[0])) if state.short and state.steps else None


def _others_powered(state: State, actor: SeatId) -> Facts | None:
    return None if state.short[:1] == (actor,) else _powered(state, actor)


_FIGHT: Final = {Hit: "hit", Loot: "loot", Countering: "counter"}


def _fight_over(state: State, actor: SeatId) -> Facts | None:
    step = state.steps[-1] if state.steps else None
    if isinstance(step, Dice):
        mine = step.attack == NEVER
        who = step.fight.attacker if mine else step.fight.defender
        return unless(True, seat=Seat(who), what=Word(f"awaited.{'attack-dice' if mine else 'defence-die'}"))
    if isinstance(step, Hit | Loot | Countering):
        return unless(True, seat=Seat(step.seat), what=Word(f"awaited.{_FIGHT[type(step)]}"))
    return None


def _lab_closed(state: State, actor: SeatId) -> Facts | None:
    step = state.steps[-1] if state.steps else None
    return unless(True, seat=Seat(step.seat)) if type(step) is Inventing else None


def _number_thrown(state: State, actor: SeatId) -> Facts | None:
    step = state.steps[-1] if state.steps else None
    return unless(True, seat=Seat(step.seat)) if type(step) is Numbering else None


def _text_done(state: State, actor: SeatId) -> Facts | None:
    step = state.steps[-1] if state.steps else None
    return unless(True, seat=Seat(step.seat), card=Piece(step.card)) if type(step) is Following else None


def _is_at(state: State, actor: SeatId, *kinds: type[Step]) -> bool:
    """Whether the actor's own turn has come to such a step."""
    return state.turn == actor and bool(state.steps) and type(state.steps[-1]) in kinds


def _is_ahead(state: State, actor: SeatId, *kinds: type[Step]) -> bool:
    """Whether such a step of the actor's own turn is on, or still to come."""
    return state.turn == actor and any(type(step) in kinds for step in state.steps)


def _act_step(state: State, actor: SeatId) -> Facts | None:
    if state.steps and type(state.steps[-1]) is Acting:
        return None
    return unless(_is_ahead(state, actor, Acting))


def _action_left(state: State, actor: SeatId) -> Facts | None:
    if state.turn != actor or not state.steps or type(state.steps[-1]) in (Acting, Dealing):
        return None
    return unless(not _is_ahead(state, actor, Acting))


def _researched(state: State, actor: SeatId) -> Facts | None:
    return unless(_is_at(state, actor, Drawing, Placing))


def _rolled(state: State, actor: SeatId) -> Facts | None:
    return unless(_is_ahead(state, actor, Moving))


def _die_down(state: State, actor: SeatId) -> Facts | None:
    return unless(_is_at(state, actor, Rolling))


def _not_rolled(state: State, actor: SeatId) -> Facts | None:
    return unless(_is_at(state, actor, Going))


def _move_left(state: State, actor: SeatId) -> Facts | None:
    if state.turn != actor or not state.steps or type(state.steps[-1]) is Dealing:
        return None
    return unless(not _is_ahead(state, actor, *_MOVE))


def _end_step(state: State, actor: SeatId) -> Facts | None:
    return unless(_is_at(state, actor, Drawing, Placing, *_MOVE))


def guard(
    rule: str, key: str, broken: Callable[[State, SeatId], Facts | None], basis: Basis, physical: bool = False
) -> Guard:
    return Guard(RuleId(rule), key, broken, physical=physical, basis=basis)


RUNNING = guard("P30", "running", lambda state, actor: unless(not state.steps), Basis.OVER, physical=True)
DEALT = guard("P2", "machines-dealt", _dealing, Basis.OVER, physical=True)
_SEATED = guard("P40", "seat-there", lambda state, actor: unless(not is_seat(state, actor)), Basis.OVER, physical=True)
BEGUN = (RUNNING, _SEATED, DEALT)
"""For what a seat does: the game is on, and the seat exists."""


_SETTLED: Final = (
    ("P10", "powered", _powered),
    ("P.t", "fight-over", _fight_over),
    ("P23", "lab-closed", _lab_closed),
    ("P29", "number-thrown", _number_thrown),
    ("P32", "text-done", _text_done),
)
"""Everything else waits for these."""


def _of_turn(*, physical: bool) -> Iterator[Guard]:
    yield guard("P3", "your-turn", _your_turn, Basis.TURN, physical)
    yield from (guard(*settled, Basis.SETTLING, physical) for settled in _SETTLED)


MINE = (*BEGUN, *_of_turn(physical=False))
"""One's own turn, with nothing else to settle first."""
AT_ONCE = (*BEGUN, *_of_turn(physical=True))
"""The same for acts that involve no piece on the table and mean nothing at any other moment."""
_ASKED = guard("P3", "your-turn", _your_turn_or_question, Basis.TURN, physical=True)
TO_SWITCH_OFF = (
    *BEGUN,
    guard("P10", "powered", _others_powered, Basis.SETTLING, physical=True),
    guard("P10", "short-open", lambda state, actor: unless(actor not in state.short), Basis.STEP, physical=True),
)
"""A lack of power comes before everything else, in anybody's turn."""

ACT_STEP = guard("P20", "act-step", _act_step, Basis.STEP)
ACT = (*MINE, ACT_STEP, guard("P20", "action-unspent", _action_left, Basis.STEP))
"""For Actions."""
FREE = (
    *MINE,
    guard("P18", "researched", _researched, Basis.STEP),
    guard("P19", "die-down", _die_down, Basis.STEP),
)
"""For what is free in one's own turn, as long as none of its cards or dice are due."""
END = (*AT_ONCE, guard("P20", "end-step", _end_step, Basis.STEP, physical=True))
"""For the end of the turn."""
RESEARCHED = guard("P18", "researched", _researched, Basis.STEP, physical=True)
DIE_DOWN = guard("P19", "die-down", _die_down, Basis.STEP, physical=True)
MOVE_LEFT = guard("P19", "move-left", _move_left, Basis.STEP, physical=True)
TO_MOVE = (
    *AT_ONCE,
    MOVE_LEFT,
    RESEARCHED,
    DIE_DOWN,
    guard("P19", "not-rolled", _not_rolled, Basis.STEP, physical=True),
)
"""For starting a move."""
TO_GO = (*AT_ONCE, MOVE_LEFT, RESEARCHED, guard("P19", "rolled", _rolled, Basis.STEP, physical=True), DIE_DOWN)
"""For where it goes."""


@cache
def at_step(rule: str, key: str, kind: type[OfSeat], *, in_any_turn: bool = False) -> tuple[Guard, ...]:
    """For answering this kind of step: nothing else is being asked, and the actor is the one it asks."""

    def is_asked(state: State, actor: SeatId) -> bool:
        step = state.steps[-1] if state.steps else None
        return isinstance(step, kind) and step.seat == actor

    def settled(broken: Broken) -> Broken:
        return lambda state, actor: None if is_asked(state, actor) else broken(state, actor)

    def open_to(state: State, actor: SeatId) -> Facts | None:
        return unless(not is_asked(state, actor))

    return (
        *BEGUN,
        *(() if in_any_turn else (_ASKED,)),
        *(
            guard(by, of, broken if broken is _powered else settled(broken), Basis.SETTLING, physical=True)
            for by, of, broken in _SETTLED
        ),
        guard(rule, key, open_to, Basis.STEP, physical=True),
    )


def on(kind: Kind, rule: str) -> Guard:
    """The pawn stands on such a space."""

    def broken(state: State, actor: SeatId) -> Facts | None:
        return None if is_seat(state, actor) and kind_at(state, actor) == kind else NO_FACTS

    return guard(rule, f"on-{kind}", broken, Basis.PLACE)


def there_is(rule: str, key: str, test: Callable[[State, SeatId], bool]) -> Guard:
    """There is something to act on."""

    def broken(state: State, actor: SeatId) -> Facts | None:
        return None if is_seat(state, actor) and test(state, actor) else NO_FACTS

    return guard(rule, key, broken, Basis.THING, physical=True)


def of_table(
    rule: str, key: str, is_due: Callable[[Step], bool], begun: tuple[Guard, ...] = (RUNNING, DEALT)
) -> tuple[Guard, ...]:
    """Chance is due, and the table is its actor."""

    def broken(state: State, actor: SeatId) -> Facts | None:
        now = state.steps[-1] if state.steps else None
        return None if actor == TABLE and now is not None and is_due(now) else NO_FACTS

    powered = guard("P10", "powered", _powered, Basis.SETTLING, physical=True)
    return (*begun, powered, guard(rule, key, broken, Basis.STEP, physical=True))
