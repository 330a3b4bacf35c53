"""Research, move, and the end of a turn (P17–P20, P45, P.n)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from companion.core.facts import NO_FACTS, Facts, Place
from companion.core.ids import PlaceId, RuleId, SeatId
from companion.core.rules import Event, Rule, Verb, alone, unless
from companion.core.secrets import NOBODY, Hidden
from companion.games.us_patent import events as e
from companion.games.us_patent.cards import Tables, board_place
from companion.games.us_patent.machine import drive
from companion.games.us_patent.state import State, card, known, look_of, machine_of, top
from companion.games.us_patent.steps import Going, Inventing, Moving, Placing

from .guards import END, RUNNING, Guard, at_step
from .intents import CloseLook, EndTurn, Go, LeapTo, PlaceInLab, PlaceInMarket, Roll, SetPawn, Stay


def _in_lab(state: State, intent: PlaceInLab) -> tuple[Event, ...]:
    step = top(state)
    assert isinstance(step, Placing)
    tables, card = known(state), step.card.value
    knowers = (step.seat,) if state.setup.option("lab_memory") == "on" else NOBODY
    return (e.PutInLab(step.seat, Hidden(card, knowers), tables.lab[tables.cards[card].period]),)


def _in_market(state: State, intent: PlaceInMarket) -> tuple[Event, ...]:
    step = top(state)
    assert isinstance(step, Placing)
    tables, card = known(state), step.card.value
    return (e.PutInMarket(step.seat, card, tables.market[tables.cards[card].period]),)


def _spaces(state: State, of_period: tuple[PlaceId, ...]) -> tuple[PlaceId, ...]:
    """The Lab or Market of the researched card; any of them for who may not know its period."""
    step = top(state)
    found = card(state, step.card.value) if isinstance(step, Placing) else None
    return (of_period[found.period],) if found else of_period[1:]


def rolled_for(state: State, seat: SeatId) -> tuple[Event, ...]:
    """A move begins: by dice, or with a Chassis that needs none."""
    dice, plus = drive(known(state), machine_of(state, seat))
    return (e.RollBegun(seat),) if dice else (e.MoveKnown(seat, max(0, plus)),)


def _reachable(state: State, actor: SeatId) -> tuple[Go, ...]:
    step = top(state)
    return _goals(known(state), actor, state.machines[step.seat].at, step.reach) if isinstance(step, Going) else ()


@lru_cache(maxsize=1024)
def _goals(tables: Tables, actor: SeatId, start: PlaceId, reach: int) -> tuple[Go, ...]:
    """The spaces so near; where something can be done comes first: on the box a list is walked with NEXT."""
    near = [(board, space) for far, board, space in tables.reach[start] if far <= reach]
    near.sort(key=lambda there: tables.kinds[there[1]] == "plain")
    return tuple([Go(actor, board, space) for board, space in near])


def _no_such_space(state: State, intent: Go | LeapTo | SetPawn) -> Facts | None:
    board = known(state).boards.get(intent.space)
    there = board is not None and board_place(board) == intent.board
    return unless(not there, space=Place(intent.space if board is not None else PlaceId("nowhere")))


def _distance(state: State, intent: Go) -> int | None:
    """From the pawn to the space; None where no path leads."""
    return known(state).distances.get(machine_of(state, intent.actor).at, {}).get(intent.space)


def _no_way(state: State, intent: Go) -> Facts | None:
    return unless(intent.space in known(state).boards and _distance(state, intent) is None)


def _too_far(state: State, intent: Go) -> Facts | None:
    step, far = top(state), _distance(state, intent)
    if not isinstance(step, Going) or far is None:
        return None
    return unless(far > step.reach, reach=step.reach, far=far)


def _no_look(state: State, actor: SeatId) -> Facts | None:
    if not look_of(state, actor):
        return NO_FACTS
    return unless(any(isinstance(step, Inventing) and step.seat == actor for step in state.steps))


AT_PLACING = at_step("P18", "placing", Placing)
AT_MOVING = at_step("P19", "moving", Moving)
SPACE_THERE: Rule[State, Any] = Rule(RuleId("P.ak"), "space-there", _no_such_space, physical=True)

TURN = (
    Verb[State, PlaceInLab](
        PlaceInLab,
        AT_PLACING,
        alone(PlaceInLab),
        (),
        _in_lab,
        listed=False,
        lands=lambda s, i: _spaces(s, known(s).lab),
    ),
    Verb[State, PlaceInMarket](
        PlaceInMarket,
        AT_PLACING,
        alone(PlaceInMarket),
        (),
        _in_market,
        asks=True,
        listed=False,
        lands=lambda s, i: _spaces(s, known(s).market),
    ),
    Verb[State, Roll](Roll, AT_MOVING, alone(Roll), (), lambda s, i: rolled_for(s, i.actor), asks=True),
    Verb[State, Stay](
        Stay,
        AT_MOVING,
        alone(Stay),
        (),
        lambda s, i: (e.Stayed(i.actor),),
        lands=lambda s, i: (machine_of(s, i.actor).at,),
    ),
    Verb[State, Go](
        Go,
        at_step("P19", "going", Going),
        _reachable,
        (SPACE_THERE, Rule(RuleId("P.ak"), "way-there", _no_way), Rule(RuleId("P19"), "in-reach", _too_far)),
        lambda s, i: (e.Went(i.actor, i.space),),
        listed=False,
    ),
    Verb[State, CloseLook](
        CloseLook,
        (RUNNING, Guard(RuleId("P.n"), "look-open", _no_look, physical=True)),
        alone(CloseLook),
        (),
        lambda s, i: (e.LookClosed(i.actor),),
        listed=False,
    ),
)

AFTER = (Verb[State, EndTurn](EndTurn, END, alone(EndTurn), (), lambda s, i: (e.TurnEnded(i.actor),), asks=True),)
