"""Move, and the end of a turn (P19, P20, P.n)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from companion.core import Basis, Event, Facts, Place, PlaceId, Rule, RuleId, Seat, SeatId, Verb, alone, unless
from companion.games.us_patent import events as e
from companion.games.us_patent.state import (
    Going,
    Inventing,
    State,
    Tables,
    board_place,
    drive,
    known,
    look_of,
    machine_of,
    top,
)

from .guards import BEGUN, END, TO_GO, TO_MOVE, guard
from .intents import CloseLook, EndTurn, Go, LeapTo, Roll, SetPawn, Stay


def rolled_for(state: State, seat: SeatId) -> tuple[Event, ...]:
    """A move begins: with dice, or with a Chassis that needs none."""
    dice, plus = drive(known(state), machine_of(state, seat))
    return (e.RollBegun(seat),) if dice else (e.MoveKnown(seat, max(0, plus)),)


def _reachable(state: State, actor: SeatId) -> tuple[Go, ...]:
    step = top(state)
    return _goals(known(state), actor, state.machines[step.seat].at, step.reach) if isinstance(step, Going) else ()


@lru_cache(maxsize=1024)
def _goals(tables: Tables, actor: SeatId, start: PlaceId, reach: int) -> tuple[Go, ...]:
    """The spaces within reach; those with something to do come first, because NEXT walks through the list on the
    box."""
    goes = _goes(tables, actor)
    near = [space for ring in tables.rings[start][: reach + 1] for _, space in ring]
    near.sort(key=lambda space: tables.kinds[space] == "plain")
    return tuple([goes[space] for space in near])


@lru_cache(maxsize=32)
def _goes(tables: Tables, actor: SeatId) -> dict[PlaceId, Go]:
    """Shared by all lists of them."""
    return {space: Go(actor, board_place(board), space) for space, board in tables.boards.items()}


def _no_such_space(state: State, intent: Go | LeapTo | SetPawn) -> Facts | None:
    board = known(state).boards.get(intent.space)
    there = board is not None and board_place(board) == intent.board
    return unless(not there, space=Place(intent.space if board is not None else PlaceId("nowhere")))


def _distance(state: State, intent: Go) -> int | None:
    """From the pawn to the space; None if no path leads there."""
    return known(state).distances.get(machine_of(state, intent.actor).at, {}).get(intent.space)


def _no_way(state: State, intent: Go) -> Facts | None:
    return unless(intent.space in known(state).boards and _distance(state, intent) is None)


def _too_far(state: State, intent: Go) -> Facts | None:
    step, far = top(state), _distance(state, intent)
    if not isinstance(step, Going) or step.seat != intent.actor or far is None:
        return None
    return unless(far > step.reach, reach=step.reach, far=far)


def _no_look(state: State, actor: SeatId) -> Facts | None:
    return unless(not look_of(state, actor))


def _decides(state: State, actor: SeatId) -> Facts | None:
    """A seat that looks into a Lab must first say what it takes."""
    looks = any(isinstance(step, Inventing) and step.seat == actor for step in state.steps)
    return unless(looks, seat=Seat(actor))


SPACE_THERE: Rule[State, Any] = Rule(RuleId("P.ak"), "space-there", _no_such_space, physical=True, basis=Basis.PLACE)

TURN = (
    Verb[State, Roll](Roll, TO_MOVE, alone(Roll), (), lambda s, i: rolled_for(s, i.actor), asks=True),
    Verb[State, Stay](
        Stay,
        TO_MOVE,
        alone(Stay),
        (),
        lambda s, i: (e.Stayed(i.actor),),
        lands=lambda s, i: (machine_of(s, i.actor).at,),
    ),
    Verb[State, Go](
        Go,
        TO_GO,
        _reachable,
        (
            SPACE_THERE,
            Rule(RuleId("P.ak"), "way-there", _no_way, basis=Basis.PLACE),
            Rule(RuleId("P19"), "in-reach", _too_far, basis=Basis.PLACE),
        ),
        lambda s, i: (e.Went(i.actor, i.space),),
        listed=False,
        thinkable=lambda s, actor: _goes(known(s), actor).values(),
    ),
    Verb[State, CloseLook](
        CloseLook,
        (
            guard("P.n", "look-open", _no_look, Basis.THING, physical=True),  # usually broken, so tested first
            *BEGUN,
            guard("P23", "lab-closed", _decides, Basis.SETTLING, physical=True),
        ),
        alone(CloseLook),
        (),
        lambda s, i: (e.LookClosed(i.actor),),
        listed=False,
    ),
)

AFTER = (Verb[State, EndTurn](EndTurn, END, alone(EndTurn), (), lambda s, i: (e.TurnEnded(i.actor),), asks=True),)
