"""The researched card: which board it belongs to, and whether it goes to the Lab or the Market there (P18)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.core import (
    NOBODY,
    Basis,
    Event,
    Facts,
    Hidden,
    PieceId,
    PlaceId,
    Rule,
    RuleId,
    SeatId,
    Token,
    Verb,
    unless,
)
from companion.games.us_patent import events as e
from companion.games.us_patent.state import (
    BOARDS,
    TO_LAB,
    TO_MARKET,
    UNDATED,
    Placing,
    State,
    Tables,
    is_undated,
    known,
    pack_now,
    text_of,
    top,
)

from .guards import at_step, guard
from .intents import PlaceInLab, PlaceInMarket, TellPeriod

P = TypeVar("P", PlaceInLab, PlaceInMarket)
FIRST, LAST = 1, BOARDS - 1
_ROOMS: dict[type[PlaceInLab | PlaceInMarket], Callable[[Tables], tuple[PlaceId, ...]]] = {
    PlaceInLab: lambda tables: tables.lab,
    PlaceInMarket: lambda tables: tables.market,
}


def _held(state: State) -> PieceId:
    step = top(state)
    assert isinstance(step, Placing)
    return step.card.value


def rooms(state: State, kind: type[PlaceInLab | PlaceInMarket]) -> tuple[PlaceId, ...]:
    """The Lab or the Market of each board that has one."""
    return _ROOMS[kind](known(state))[FIRST:]


def _anywhere(kind: type[P]) -> Callable[[State, SeatId], list[P]]:
    """Nobody has laying a card in mind before one is drawn."""

    def thinkable(state: State, actor: SeatId) -> list[P]:
        drawn = bool(state.steps) and isinstance(state.steps[-1], Placing)
        return [kind(actor, place) for place in rooms(state, kind)] if drawn else []

    return thinkable


def _is_the_card(state: State, intent: PlaceInLab | PlaceInMarket) -> tuple[Token, ...]:
    """The drawn card stands for where it goes."""
    step = state.steps[-1] if state.steps else None
    return (Token("piece", step.card.value),) if isinstance(step, Placing) else ()


def _own(kind: type[P]) -> Callable[[State, SeatId], tuple[P, ...]]:
    """The one room on the card's board; any room for a record that does not say which."""

    def listed(state: State, actor: SeatId) -> tuple[P, ...]:
        found = rooms(state, kind)
        return tuple([kind(actor, place) for place in (found[state.due - FIRST : state.due] if state.due else found)])

    return listed


def _no_such_room(state: State, intent: PlaceInLab | PlaceInMarket) -> Facts | None:
    return unless(intent.place not in rooms(state, type(intent)))


def _other_board(state: State, intent: PlaceInLab | PlaceInMarket) -> Facts | None:
    there = state.due == UNDATED or intent.place.startswith(f"{state.due}/")
    return unless(not there, board=state.due)


def _unknown_board(state: State, actor: SeatId) -> Facts | None:
    return unless(is_undated(state))


def _known_board(state: State, actor: SeatId) -> Facts | None:
    return unless(not is_undated(state))


def _no_such_board(state: State, intent: TellPeriod) -> Facts | None:
    return unless(not FIRST <= intent.number <= LAST, low=FIRST, high=LAST)


def _where(state: State, intent: PlaceInLab | PlaceInMarket) -> PlaceId:
    """Where it was laid; in a record that does not say, where it belongs."""
    if state.due or is_undated(state):
        return intent.place
    tables = known(state)
    return _ROOMS[type(intent)](tables)[tables.cards[_held(state)].period]


def _in_lab(state: State, intent: PlaceInLab) -> tuple[Event, ...]:
    knowers = (intent.actor,) if state.setup.option("lab_memory") == "on" else NOBODY
    return (e.PutInLab(intent.actor, Hidden(_held(state), knowers), _where(state, intent)),)


def _in_market(state: State, intent: PlaceInMarket) -> tuple[Event, ...]:
    return (e.PutInMarket(intent.actor, _held(state), _where(state, intent)),)


def _told(state: State, intent: TellPeriod) -> tuple[Event, ...]:
    piece, knowers = _held(state), (intent.actor,)
    card = next(up for up in pack_now(state).upgrades if up.id == piece)
    text = text_of(replace(card, period=intent.number))
    return (e.CardDescribed(intent.actor, Hidden(piece, knowers), Hidden(text, knowers), intent.number),)


AT_PLACING = at_step("P18", "placing", Placing)
DATED = guard("P18", "dated", _unknown_board, Basis.THING)
ROOM: Rule[State, Any] = Rule(RuleId("P18"), "room-there", _no_such_room, physical=True, basis=Basis.PLACE)
OWN_BOARD: Rule[State, Any] = Rule(RuleId("P18"), "own-board", _other_board, basis=Basis.PLACE)

RESEARCH = (
    Verb[State, TellPeriod](
        TellPeriod,
        (*AT_PLACING, guard("P18", "not-dated", _known_board, Basis.STEP, physical=True)),
        lambda _state, actor: [TellPeriod(actor, board) for board in range(FIRST, BOARDS)],
        (Rule(RuleId("P18"), "in-span", _no_such_board, physical=True),),
        _told,
        listed=False,
        thinkable=lambda state, actor: [TellPeriod(actor, n) for n in range(FIRST, BOARDS) if is_undated(state)],
    ),
    Verb[State, PlaceInLab](
        PlaceInLab,
        (*AT_PLACING, DATED),
        _own(PlaceInLab),
        (ROOM, OWN_BOARD),
        _in_lab,
        listed=False,
        lands=lambda _state, intent: (intent.place, TO_LAB),
        also=_is_the_card,
        thinkable=_anywhere(PlaceInLab),
    ),
    Verb[State, PlaceInMarket](
        PlaceInMarket,
        (*AT_PLACING, DATED),
        _own(PlaceInMarket),
        (ROOM, OWN_BOARD),
        _in_market,
        asks=True,
        listed=False,
        lands=lambda _state, intent: (intent.place, TO_MARKET),
        also=_is_the_card,
        thinkable=_anywhere(PlaceInMarket),
    ),
)
