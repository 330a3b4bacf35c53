"""Facts of the table set right. Only physical rules apply."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from companion.core import Event, PieceId, PlaceId, SeatId, Verb, seats_of
from companion.games.timeline import events as e
from companion.games.timeline.state import (
    GOODS,
    State,
    card_place,
    column_place,
    find,
    is_blank,
    lines_laid,
    numbers_of,
)

from . import meant, present
from .intents import (
    PawnToMarket,
    PutBlank,
    PutCard,
    RemoveBlank,
    RemoveCard,
    SetColumn,
    SetCounter,
    SetFace,
    SetGold,
    SetGoods,
    SetPawn,
    SetTurn,
)
from .physical import (
    BLANK_KNOWN,
    BLANKS_CARD,
    CARDS,
    COLUMN,
    COUNTERS_CARD,
    COUNTERS_WAYPOINT,
    DEALT,
    FAR,
    FROM_DECK,
    GOLD_SPAN,
    GOOD,
    GOODS_SPAN,
    KNOWN,
    LANE,
    LAST,
    LAST_BLANK,
    MOST_GOLD,
    MOST_GOODS,
    NO_PAWN_ON_IT,
    NO_PAWN_THERE,
    NOT_TWICE,
    OVERLAP,
    PAWNS_CARD,
    PAWNS_WAYPOINT,
    PLACE_KNOWN,
    REMOVED,
    SEAT,
    SPOT_FREE,
    SWAPPED,
    TURN_OPEN,
)


def _toggled(state: State, intent: SetCounter) -> tuple[Event, ...]:
    found = find(state, intent.card)
    assert found is not None
    lies = found[1].counters >> (intent.number - 1) & 1
    return (e.CounterSet(intent.card, intent.number, 1 - lies),)


def _pawn(state: State, intent: SetPawn) -> tuple[Event, ...]:
    found = find(state, intent.card)
    assert found is not None
    return (e.PawnSet(intent.seat, found[0], found[1].top + intent.number - 1),)


def _put(state: State, intent: PutCard) -> tuple[Event, ...]:
    column = numbers_of(intent.place, "column", 1)[0]
    return (e.CardPut(intent.card, column, intent.number, lines_laid(state, intent.card)),)


def _named(state: State, intent: SetFace) -> tuple[Event, ...]:
    column, at = numbers_of(intent.place, "card", 2)
    return (e.FaceSet(column, at, intent.card, lines_laid(state, intent.card)),)


def _removed(state: State, intent: RemoveBlank) -> tuple[Event, ...]:
    return (e.BlankGone(*numbers_of(intent.place, "card", 2)),)


def up(state: State) -> Iterator[PieceId]:
    """The cards that lie face up."""
    return (laid.card for column in state.columns for laid in column if laid.lines)


def _columns(state: State) -> Iterator[PlaceId]:
    return (column_place(number) for number, _ in enumerate(state.columns, 1))


def _blanks(state: State, actor: SeatId) -> Iterator[RemoveBlank]:
    for number, column in enumerate(state.columns, 1):
        yield from (RemoveBlank(actor, card_place(number, at)) for at, c in enumerate(column, 1) if is_blank(c))


def _puts(state: State, actor: SeatId) -> Iterator[PutCard]:
    return (PutCard(actor, card, place, -FAR) for card in up(state) for place in _columns(state))


def _faces(state: State, actor: SeatId) -> Iterator[SetFace]:
    """Cards of the deck are named by tapping them: no list of unseen cards is offered."""
    return iter(())


def _any_put(state: State, actor: SeatId) -> Iterator[PutCard]:
    return (PutCard(actor, card, place, -FAR) for card in meant.every_card(state) for place in _columns(state))


def _gold(state: State, actor: SeatId) -> Iterator[SetGold]:
    return (SetGold(actor, SeatId(seat), 0) for seat in seats_of(state))


def _goods(state: State, actor: SeatId) -> Iterator[SetGoods]:
    return (SetGoods(actor, SeatId(seat), PlaceId(good), 0) for seat in seats_of(state) for good in GOODS)


def _pushes(state: State, actor: SeatId) -> Iterator[SetColumn]:
    return (SetColumn(actor, place, -FAR) for place in _columns(state))


def _to_markets(state: State, actor: SeatId) -> Iterator[PawnToMarket]:
    return (PawnToMarket(actor, SeatId(seat), -FAR) for seat in seats_of(state))


def _put_blanks(state: State, actor: SeatId) -> Iterator[PutBlank]:
    return (PutBlank(actor, place, -FAR) for place in _columns(state))


def _lane_span(state: State, intent: Any) -> tuple[int, int]:
    return -FAR, FAR


GOODS_AND_GOLD: Final[tuple[Verb[State, Any], ...]] = (
    Verb[State, SetGold](
        SetGold,
        (),
        _gold,
        (SEAT, GOLD_SPAN),
        lambda s, i: (e.GoldSet(i.seat, i.number),),
        asks=True,
        span=lambda s, i: (0, MOST_GOLD),
        now=present.gold,
        thinkable=_gold,
    ),
    Verb[State, SetGoods](
        SetGoods,
        (),
        _goods,
        (
            SEAT,
            GOOD,
            GOODS_SPAN,
        ),
        lambda s, i: (e.GoodsSet(i.seat, GOODS[GOODS.index(i.good)], i.number),),
        asks=True,
        span=lambda s, i: (0, MOST_GOODS),
        now=present.goods,
        thinkable=_goods,
    ),
    Verb[State, SetTurn](
        SetTurn,
        TURN_OPEN,
        lambda state, actor: (SetTurn(actor, SeatId(seat)) for seat in seats_of(state) if seat != state.turn),
        (SEAT,),
        lambda s, i: (e.TurnSet(i.seat),),
        asks=True,
        now=present.turn,
        thinkable=meant.any_turn,
    ),
)

ON_THE_BOARD: Final[tuple[Verb[State, Any], ...]] = (
    Verb[State, SetColumn](
        SetColumn,
        CARDS,
        _pushes,
        (COLUMN, LANE),
        lambda s, i: (e.ColumnSet(numbers_of(i.place, "column", 1)[0], i.number),),
        asks=True,
        span=_lane_span,
        now=present.column,
        thinkable=_pushes,
    ),
    Verb[State, SetCounter](
        SetCounter,
        DEALT,
        lambda state, actor: (SetCounter(actor, card, number) for card in up(state) for number in (1, 2, 3, 4)),
        (COUNTERS_CARD, COUNTERS_WAYPOINT, NO_PAWN_THERE),
        _toggled,
        asks=True,
        thinkable=meant.any_counter,
    ),
    Verb[State, SetPawn](
        SetPawn,
        (*DEALT, *TURN_OPEN),
        lambda state, actor: (
            SetPawn(actor, SeatId(seat), card, number)
            for seat in seats_of(state)
            for card in up(state)
            for number in (1, 2, 3, 4)
        ),
        (SEAT, PAWNS_CARD, PAWNS_WAYPOINT, SPOT_FREE),
        _pawn,
        asks=True,
        now=present.waypoint,
        also=meant.its_pawn,
        thinkable=meant.any_pawn,
    ),
    Verb[State, PawnToMarket](
        PawnToMarket,
        (*DEALT, *TURN_OPEN),
        _to_markets,
        (SEAT, LANE),
        lambda s, i: (e.PawnSet(i.seat, len(s.columns) + 1, i.number),),
        asks=True,
        span=_lane_span,
        now=present.market,
        also=meant.its_pawn,
        thinkable=_to_markets,
    ),
)

IN_THE_COLUMNS: Final[tuple[Verb[State, Any], ...]] = (
    Verb[State, PutCard](
        PutCard,
        CARDS,
        _puts,
        (KNOWN, COLUMN, LANE, OVERLAP, LAST, FROM_DECK),
        _put,
        asks=True,
        span=_lane_span,
        now=present.lane,
        thinkable=_any_put,
    ),
    Verb[State, RemoveCard](
        RemoveCard,
        CARDS,
        lambda state, actor: (RemoveCard(actor, card) for card in up(state)),
        (REMOVED, LAST, NO_PAWN_ON_IT),
        lambda s, i: (e.CardGone(i.card),),
        asks=True,
        thinkable=meant.any_removal,
    ),
    Verb[State, PutBlank](
        PutBlank,
        CARDS,
        _put_blanks,
        (COLUMN, LANE, OVERLAP, BLANKS_CARD),
        lambda s, i: (e.BlankPut(numbers_of(i.place, "column", 1)[0], i.number),),
        asks=True,
        span=_lane_span,
        thinkable=_put_blanks,
    ),
    Verb[State, RemoveBlank](
        RemoveBlank,
        CARDS,
        _blanks,
        (BLANK_KNOWN, LAST_BLANK),
        _removed,
        asks=True,
        thinkable=meant.any_blank_gone,
    ),
    Verb[State, SetFace](
        SetFace,
        CARDS,
        _faces,
        (
            KNOWN,
            PLACE_KNOWN,
            NOT_TWICE,
            SWAPPED,
        ),
        _named,
        asks=True,
        now=present.face,
        thinkable=meant.any_face,
    ),
)

CORRECTIONS: Final[tuple[Verb[State, Any], ...]] = (*GOODS_AND_GOLD, *ON_THE_BOARD, *IN_THE_COLUMNS)
