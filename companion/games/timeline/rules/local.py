"""Placement, local moves and stops on new cards (T5, T8, T9, T18, T.f, T.u, T.v)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final, TypeVar

from companion.core import NO_FACTS, Basis, Event, Facts, PieceId, Rule, RuleId, Seat, SeatId, Verb, alone, unless
from companion.games.timeline import events as e
from companion.games.timeline.state import (
    GOODS,
    Laid,
    Placing,
    State,
    Stopping,
    card_at,
    card_on,
    card_place,
    colours,
    find,
    held_by,
    in_deck,
    is_blank,
    lies,
    option,
    place_numbers,
    placed,
    spot_of,
    waypoint_of,
    where,
)

from . import meant
from .guards import AT_PLACEMENT, AT_STOP, LOCAL
from .intents import Flip, GoAbove, GoBelow, Move, Place, RemoveCard, SetCounter, SetPawn, StopOn, Travel
from .meant import NUMBERS
from .stops import stopped

M = TypeVar("M", GoAbove, GoBelow)
_REMEMBERED: Final = 1024
"""More than all cards of a game for all of its seats."""


def _places(state: State, actor: SeatId) -> Iterator[Place]:
    return (Place(actor, laid.card, number) for laid in state.columns[placed(state)] for number in NUMBERS)


def _other_card(state: State, intent: Place) -> Facts | None:
    """T5, T.aa: the first placer takes column 1, the next column 2."""
    found = find(state, intent.card)
    due = placed(state) + 1
    if found is None or found[0] == due or type(state.steps[-1]) is not Placing:
        return None
    return unless(True, card=where(state, intent.card), column=due)


def no_waypoint(state: State, intent: Place | Move | StopOn | SetCounter | SetPawn) -> Facts | None:
    return None if 1 <= intent.number <= 4 else unless(True, number=intent.number)


def _placed(state: State, intent: Place) -> tuple[Event, ...]:
    found = find(state, intent.card)
    assert found is not None
    column, laid = found
    slot = intent.number - 1
    good = GOODS[colours(laid.lines)[slot]]
    return (e.Placed(intent.actor, column, laid.card, intent.number, laid.top + slot, good),)


def own_column(state: State, seat: SeatId) -> tuple[Laid, ...]:
    """The cards of the column a pawn stands in; none for a pawn in a market or beside the board."""
    number = spot_of(state, seat).column
    return state.columns[number - 1] if 0 < number <= len(state.columns) else ()


def _moves(state: State, actor: SeatId) -> list[Move]:
    """Every free waypoint of the pawn's own column."""
    column = spot_of(state, actor).column
    held = [spot.lane for spot in state.pawns if spot.column == column]
    found: list[Move] = []
    for laid in own_column(state, actor):
        if laid.lines:
            top, onto = laid.top, _onto(actor, laid.card)
            free = onto
            for lane in held:
                if 0 <= lane - top <= 3:
                    free = tuple([move for move in free if move is not onto[lane - top]])
            found += free
    return found


@lru_cache(_REMEMBERED)
def _onto(actor: SeatId, card: PieceId) -> tuple[Move, ...]:
    """The moves onto each waypoint of a card, from the top. They are values needed every turn, so they are cached."""
    return tuple([Move(actor, card, number) for number in NUMBERS])


def not_on_board(state: State, intent: Place | Move | Travel | SetCounter | SetPawn | RemoveCard) -> Facts | None:
    return None if find(state, intent.card) is not None else NO_FACTS


def _other_column(state: State, intent: Move) -> Facts | None:
    """T8, for a pawn that stands in a column."""
    found, column = find(state, intent.card), spot_of(state, intent.actor).column
    if found is None or found[0] == column or not 0 < column <= len(state.columns):
        return None
    return unless(True, card=where(state, intent.card), column=column)


def _held(state: State, intent: Move) -> Facts | None:
    there = waypoint_of(state, intent.card, intent.number)
    for seat, spot in enumerate(state.pawns):
        if spot == there and seat != intent.actor:
            return unless(True, seat=Seat(SeatId(seat)))
    return None


def _own_waypoint(state: State, intent: Move) -> Facts | None:
    return unless(waypoint_of(state, intent.card, intent.number) == spot_of(state, intent.actor))


def _moved(state: State, intent: Move) -> tuple[Event, ...]:
    found = find(state, intent.card)
    assert found is not None
    column, laid = found
    return stopped(state, intent.actor, column, laid, laid.top + intent.number - 1)


def _empty_deck(state: State, intent: Any) -> Facts | None:
    return None if in_deck(state) > 0 else unless(True)


def _off_map(state: State, intent: GoAbove | GoBelow) -> tuple[Event, ...]:
    number = spot_of(state, intent.actor).column
    column = state.columns[number - 1]
    top = column[0].top - 4 if isinstance(intent, GoAbove) else column[-1].top + 4
    return (e.SetOut(intent.actor, number, top, "local", top),)


def _flips(state: State, actor: SeatId) -> list[Flip]:
    column = spot_of(state, actor).column
    return [
        Flip(actor, card_place(column, at)) for at, laid in enumerate(own_column(state, actor), 1) if not laid.lines
    ]


def _flips_kept(state: State, actor: SeatId) -> list[Flip]:
    return _flips(state, actor) if no_stand_in(state, None) is None else []


def _off_map_kept(cls: type[M]) -> Callable[[State, SeatId], tuple[M, ...]]:
    return lambda state, actor: (cls(actor),) if in_deck(state) > 0 else ()


def _no_blank(state: State, intent: Flip) -> Facts | None:
    laid = card_at(state, intent.place)
    return unless(laid is None or not is_blank(laid))


def _blank_elsewhere(state: State, intent: Flip) -> Facts | None:
    """T8, for a pawn that stands in a column."""
    own = spot_of(state, intent.actor).column
    if _no_blank(state, intent) is not None or not 0 < own <= len(state.columns):
        return None
    column, at = place_numbers(intent.place, "card")
    return unless(column != own, card=lies(column, at, len(state.columns[column - 1])), column=own)


def _no_swap(state: State, intent: Flip) -> Facts | None:
    return no_stand_in(state, intent) if _no_blank(state, intent) is None else None


def no_stand_in(state: State, intent: Any) -> Facts | None:
    """T.p, T.q: a blank is its own card, but a spare one is swapped for the next card of the deck."""
    return unless(option(state, "blanks") == "stand-ins" and in_deck(state) < 1)


def _flipped(state: State, intent: Flip) -> tuple[Event, ...]:
    column, at = place_numbers(intent.place, "card")
    top = state.columns[column - 1][at - 1].top
    return (e.SetOut(intent.actor, column, top, "local", top),)


def _stop_held(state: State, intent: StopOn) -> Facts | None:
    step = state.steps[-1]
    if not isinstance(step, Stopping) or not 1 <= intent.number <= 4:
        return None
    seat = held_by(state, step.column, step.top + intent.number - 1)
    return None if seat is None else unless(True, seat=Seat(seat))


def _stops(state: State, actor: SeatId) -> list[StopOn]:
    stops = (StopOn(actor, number) for number in NUMBERS)
    return [stop for stop in stops if _stop_held(state, stop) is None]


def _stopped(state: State, intent: StopOn) -> tuple[Event, ...]:
    step = state.steps[-1]
    assert isinstance(step, Stopping)
    laid = card_on(state.columns[step.column - 1], step.top)
    assert laid is not None
    return stopped(state, intent.actor, step.column, laid, step.top + intent.number - 1)


WAYPOINT: Rule[State, Any] = Rule(RuleId("T9"), "waypoint", no_waypoint, physical=True)
DECK: Rule[State, Any] = Rule(RuleId("T.g"), "deck-left", _empty_deck, physical=True, basis=Basis.PRICE)

PLACEMENT = (
    Verb[State, Place](
        Place,
        AT_PLACEMENT,
        _places,
        (
            Rule(RuleId("T5"), "on-board", not_on_board, physical=True),
            Rule(RuleId("T.aa"), "your-card", _other_card, physical=True, basis=Basis.PLACE),
            Rule(RuleId("T5"), "waypoint", no_waypoint, physical=True),
        ),
        _placed,
        asks=True,
        listed=False,
        sure=True,
        also=meant.waypoint,
        also_by=("place",),
        thinkable=meant.any_place,
    ),
)

LOCAL_MOVES = (
    Verb[State, Move](
        Move,
        LOCAL,
        _moves,
        (
            Rule(RuleId("T8"), "on-board", not_on_board, physical=True),
            Rule(RuleId("T8"), "waypoint", no_waypoint, physical=True),
            Rule(RuleId("T8"), "own-column", _other_column, basis=Basis.PLACE),
            Rule(RuleId("T18"), "waypoint-free", _held),
            Rule(RuleId("T.u"), "elsewhere", _own_waypoint, physical=True),
        ),
        _moved,
        asks=True,
        sure=True,
        also=meant.waypoint,
        also_by=("place",),
        thinkable=meant.any_move,
    ),
    Verb[State, GoAbove](
        GoAbove,
        LOCAL,
        alone(GoAbove),
        (DECK,),
        _off_map,
        asks=True,
        also=meant.own_column,
        also_by=("place",),
        kept=_off_map_kept(GoAbove),
    ),
    Verb[State, GoBelow](
        GoBelow,
        LOCAL,
        alone(GoBelow),
        (DECK,),
        _off_map,
        asks=True,
        also=meant.own_column,
        also_by=("place",),
        kept=_off_map_kept(GoBelow),
    ),
    Verb[State, Flip](
        Flip,
        LOCAL,
        _flips,
        (
            Rule(RuleId("T.f"), "blank-there", _no_blank, physical=True),
            Rule(RuleId("T8"), "own-column", _blank_elsewhere, physical=True, basis=Basis.PLACE),
            Rule(RuleId("T.p"), "stand-in-swapped", _no_swap, physical=True, basis=Basis.PRICE),
        ),
        _flipped,
        asks=True,
        also=meant.head_of_blank,
        also_by=("place",),
        thinkable=meant.any_flip,
        kept=_flips_kept,
    ),
)

NEW_CARD = (
    Verb[State, StopOn](
        StopOn,
        AT_STOP,
        _stops,
        (WAYPOINT, Rule(RuleId("T18"), "new-waypoint-free", _stop_held)),
        _stopped,
        listed=False,
        sure=True,
        also=meant.new_card,
        thinkable=meant.any_stop,
    ),
)
