"""`apply`: the state after an event. It decides nothing; what the rules do by themselves is in `rules/forced.py`."""

from __future__ import annotations

from typing import Final, assert_never

from msgspec.structs import replace

from companion.core import UNKNOWN, PieceId, SeatId, including, left_of, swapped, without

from . import events as e
from .state import (
    BLANK,
    FULL,
    GOODS,
    NO_SLIDE,
    Column,
    Dealing,
    Drawing,
    Four,
    Good,
    Laid,
    Over,
    Placing,
    Selling,
    Spot,
    State,
    Stopping,
    Turn,
    option,
    placed,
    with_column,
)

_ON_TURN: Final = (Turn(),)


def apply(state: State, event: e.AnyEvent) -> State:  # noqa: C901 - one case for each kind of event
    """The state after `event`; on a view, what its audience then knows for sure."""
    match event:
        case e.TurnPassed():
            return replace(state, turn=event.seat, turns=state.turns + 1, steps=_ON_TURN, agreed=())
        case e.Moved():
            pawns = swapped(state.pawns, event.seat, Spot(event.column, event.lane))
            return replace(state, pawns=pawns, slid=NO_SLIDE)
        case e.Took():
            return _took(state, event.seat, event.good)
        case e.Slid():
            return _slid(state, event.column, event.n)
        case e.Stayed() | e.KeptGoods():
            return replace(state, slid=NO_SLIDE)
        case e.SetOut() | e.BlankLaid() | e.CardLaid():
            return _drawn(state, event)
        case e.EnteredMarket() | e.Sold():
            return _traded(state, event)
        case e.Dealt() | e.FirstNamed() | e.Placed():
            return _opened(state, event)
        case e.AgreedToStop() | e.Won() | e.Stopped() | e.Resumed():
            return _ended(state, event)
        case e.GoldSet() | e.GoodsSet() | e.TurnSet() | e.CounterSet() | e.PawnSet():
            return _counted(state, event)
        case _:
            return replace(_rearranged(state, event), slid=NO_SLIDE)


def _took(state: State, seat: SeatId, good: Good) -> State:
    """T15: the counter on the pawn's waypoint goes to its seat."""
    spot = state.pawns[seat]
    column = _with_counter(state.columns[spot.column - 1], spot.lane, False)
    goods = swapped(state.goods, seat, _added(state.goods[seat], good, 1))
    columns = (*state.columns[: spot.column - 1], column, *state.columns[spot.column :])
    return replace(state, goods=goods, columns=columns)


def _added(goods: Four, good: Good, number: int) -> Four:
    counts = list(goods)
    counts[GOODS.index(good)] += number
    return counts[0], counts[1], counts[2], counts[3]


def _with_counter(column: Column, lane: int, lies: bool) -> Column:
    """The column with a counter on the waypoint of a lane, or without one."""
    for at, laid in enumerate(column):
        slot = lane - laid.top
        if 0 <= slot <= 3:
            counters = laid.counters | 1 << slot if lies else laid.counters & ~(1 << slot)
            return (*column[:at], Laid(laid.card, laid.top, laid.lines, counters), *column[at + 1 :])
    return column


def _slid(state: State, number: int, highest: int) -> State:
    """T16, T.a: cards, counters and pawns go up one lane together."""
    column = state.columns[number - 1]
    limit = column[highest - 1].top + 3
    raised = tuple([Laid(c.card, c.top - 1, c.lines, c.counters) for c in column[:highest]])
    pawns = tuple([
        Spot(number, spot.lane - 1) if spot.column == number and spot.lane <= limit else spot for spot in state.pawns
    ])  # fmt: skip
    columns = (*state.columns[: number - 1], raised + column[highest:], *state.columns[number:])
    return replace(state, pawns=pawns, columns=columns, slid=(number, highest))


def _opened(state: State, event: e.Dealt | e.FirstNamed | e.Placed) -> State:
    match event:
        case e.Dealt(column=column, card=card, lines=lines):
            dealt = with_column(state, column, (Laid(card, 0, lines),))
            left = len(state.columns) - column
            steps = (*state.steps[:-1], Dealing(left)) if left else state.steps[:-1]
            return replace(dealt, deck=without(state.deck, card), steps=steps)
        case e.FirstNamed(seat=seat):
            return replace(state, first=seat, turn=seat, steps=state.steps[:-1])
        case e.Placed(seat=seat, good=good):
            there = replace(state, pawns=swapped(state.pawns, seat, Spot(event.column, event.lane)))
            taken = _took(there, seat, good)
            steps = taken.steps[:-1] if placed(taken) == len(taken.gold) else (*taken.steps[:-1], Placing())
            return replace(taken, turn=left_of(state, seat), turns=state.turns + 1, steps=steps)
        case _:
            assert_never(event)


def _drawn(state: State, event: e.SetOut | e.BlankLaid | e.CardLaid) -> State:
    match event:
        case e.SetOut(seat=seat, column=column, top=top, come=come, lane=lane):
            steps = (*state.steps, Drawing(seat, column, top, come, lane))
            return replace(state, turn=seat, steps=steps, slid=NO_SLIDE)
        case e.BlankLaid(column=column, top=top):
            return _with_blank(state, column, top)
        case e.CardLaid(card=card, column=column, top=top, lines=lines):
            return _laid(state, column, Laid(card, top, lines))
        case _:
            assert_never(event)


def _with_blank(state: State, column: int, top: int) -> State:
    """T.p: a blank is one card less in the deck, unless spare cards stand in."""
    more = int(option(state, "blanks") != "stand-ins")
    laid = inserted(state.columns[column - 1], Laid(UNKNOWN, top, BLANK, 0))
    return replace(with_column(state, column, laid), blanks=state.blanks + more)


def _laid(state: State, number: int, new: Laid) -> State:
    """The drawn card is laid, on its own or in place of a blank; a local mover then chooses a waypoint."""
    columns = state.columns
    column = columns[number - 1]
    others = tuple([laid for laid in column if laid.top != new.top])
    fewer = int(len(others) < len(column) and option(state, "blanks") != "stand-ins")
    steps, step = state.steps, state.steps[-1]
    if isinstance(step, Drawing):
        steps = steps[:-1]
        if step.come == "local":
            steps = (*steps, Stopping(step.seat, number, new.top))
    columns = (*columns[: number - 1], inserted(others, new), *columns[number:])
    deck = without(state.deck, new.card)
    return replace(state, columns=columns, deck=deck, blanks=state.blanks - fewer, steps=steps)


def inserted(column: Column, new: Laid) -> Column:
    """The column with one more card, from the top down."""
    above = len([laid for laid in column if laid.top < new.top])
    return (*column[:above], new, *column[above:])


def _traded(state: State, event: e.EnteredMarket | e.Sold) -> State:
    match event:
        case e.EnteredMarket(seat=seat, lane=lane):
            pawns = swapped(state.pawns, seat, Spot(len(state.columns) + 1, lane))
            return replace(state, turn=seat, pawns=pawns, steps=(*state.steps, Selling()), slid=NO_SLIDE)
        case e.Sold(seat=seat, n=number, good=good, gold=gold):
            goods = swapped(state.goods, seat, _added(state.goods[seat], good, -number))
            return replace(state, goods=goods, gold=swapped(state.gold, seat, state.gold[seat] + gold))
        case _:
            assert_never(event)


def _ended(state: State, event: e.AgreedToStop | e.Won | e.Stopped | e.Resumed) -> State:
    match event:
        case e.AgreedToStop(seat=seat):
            return replace(state, agreed=tuple(sorted((*state.agreed, seat))))
        case e.Won() | e.Stopped():
            return replace(state, steps=(*state.steps, Over()))
        case e.Resumed():
            after = left_of(state, state.turn)
            return replace(state, turn=after, turns=state.turns + 1, steps=(Turn(),), agreed=())
        case _:
            assert_never(event)


def _counted(state: State, event: e.GoldSet | e.GoodsSet | e.TurnSet | e.CounterSet | e.PawnSet) -> State:
    match event:
        case e.GoldSet(seat=seat, number=number):
            return replace(state, gold=swapped(state.gold, seat, number))
        case e.GoodsSet(seat=seat, good=good, number=number):
            more = number - state.goods[seat][GOODS.index(good)]
            return replace(state, goods=swapped(state.goods, seat, _added(state.goods[seat], good, more)))
        case e.TurnSet(seat=seat):
            return replace(state, turn=seat, turns=state.turns + 1, agreed=())
        case e.CounterSet(card=card, number=number, lies=lies):
            return _counter_set(state, card, number, bool(lies))
        case e.PawnSet(seat=seat, column=column, lane=lane):
            return replace(state, pawns=swapped(state.pawns, seat, Spot(column, lane)))
        case _:
            assert_never(event)


def _counter_set(state: State, card: PieceId, number: int, lies: bool) -> State:
    columns = tuple(
        next((_with_counter(column, laid.top + number - 1, lies) for laid in column if laid.card == card), column)
        for column in state.columns
    )
    return replace(state, columns=columns)


def _rearranged(
    state: State, event: e.ColumnSet | e.CardPut | e.CardGone | e.BlankPut | e.BlankGone | e.FaceSet
) -> State:
    match event:
        case e.ColumnSet(column=column, top=top):
            return _shifted(state, column, top - state.columns[column - 1][0].top)
        case e.CardPut(card=card, column=column, top=top, lines=lines):
            return _put(state, card, column, top, lines)
        case e.CardGone(card=card):
            return replace(_off_board(state, card), deck=including(state.deck, card))
        case e.BlankPut(column=column, top=top):
            return _with_blank(state, column, top)
        case e.BlankGone(column=column, at=at):
            fewer = int(option(state, "blanks") != "stand-ins")
            cards = state.columns[column - 1]
            return replace(with_column(state, column, cards[: at - 1] + cards[at:]), blanks=state.blanks - fewer)
        case e.FaceSet(column=column, at=at, card=card, lines=lines):
            return _renamed(state, column, at, card, lines)
        case _:
            assert_never(event)


def _shifted(state: State, number: int, by: int) -> State:
    column = tuple(Laid(c.card, c.top + by, c.lines, c.counters) for c in state.columns[number - 1])
    pawns = tuple(Spot(number, s.lane + by) if s.column == number else s for s in state.pawns)
    return replace(with_column(state, number, column), pawns=pawns)


def _off_board(state: State, card: PieceId) -> State:
    return replace(state, columns=tuple(tuple(c for c in column if c.card != card) for column in state.columns))


def _put(state: State, card: PieceId, number: int, top: int, lines: str) -> State:
    """A card from the board brings its pawns and counters, one from the deck gets new counters (T3)."""
    for was, column in enumerate(state.columns, 1):
        for old in column:
            if old.card == card:
                pawns = tuple(
                    Spot(number, s.lane - old.top + top) if s.column == was and 0 <= s.lane - old.top <= 3 else s
                    for s in state.pawns
                )
                left = replace(_off_board(state, card), pawns=pawns)
                moved = Laid(card, top, old.lines, old.counters)
                return with_column(left, number, inserted(left.columns[number - 1], moved))
    filled = inserted(state.columns[number - 1], Laid(card, top, lines, FULL))
    return replace(with_column(state, number, filled), deck=without(state.deck, card))


def _renamed(state: State, number: int, at: int, card: PieceId, lines: str) -> State:
    column = state.columns[number - 1]
    old = column[at - 1]
    deck = without(state.deck, card)
    blanks = state.blanks
    if old.card == UNKNOWN:
        blanks -= int(option(state, "blanks") != "stand-ins")
    else:
        deck = including(deck, old.card)
    counters = old.counters if old.lines else FULL
    new = swapped(column, at - 1, Laid(card, old.top, lines, counters))
    return replace(with_column(state, number, new), deck=deck, blanks=blanks)
