"""Before the first week: the boards, the County Seats, the Button, the starting auction (F1–F8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.core import (
    Basis,
    Event,
    Facts,
    Piece,
    PieceId,
    PlaceId,
    Rule,
    RuleId,
    SeatId,
    Verb,
    alone,
    is_seat,
    seats_of,
    top,
    unless,
)
from companion.games.one_false_step import events as e
from companion.games.one_false_step.state import (
    BOARDS,
    DrawingSeats,
    Naming,
    Opening,
    OpenSeat,
    State,
    all_meet,
    board_number,
    board_piece,
    card_of,
    city_cards,
    county,
    squares_beside,
)

from .guards import LAYING, RUNNING, SET_UP, SETTING_UP, YOUR_BID, Guard, guard, of_table, on_day
from .intents import BidSeat, DrewSeat, LayBoard, LiftBoard, MakeMap, NameButton, TurnBoard, UseLayout


def square(x: int, y: int) -> PlaceId:
    return PlaceId(f"at/{x}/{y}")


def lies(state: State, board: PieceId) -> bool:
    return any(laid.board == board_number(board) for laid in state.laid)


def seats_on_map(state: State) -> int:
    """How many County Seats the boards have as they lie."""
    cards = city_cards(state.setup.pack)
    return sum(cards[city].seat for city in county(state.setup.pack, state.laid).cities)


def _boards(state: State, actor: SeatId) -> Iterator[LayBoard]:
    if len(state.laid) >= BOARDS:
        return
    used = {laid.board for laid in state.laid}
    beside = [square(x, y) for x, y in squares_beside(state.laid)]
    for board in state.setup.pack.boards:
        if board.number not in used:
            yield from (LayBoard(actor, board_piece(board.number), place) for place in beside)


def _any_board(state: State, actor: SeatId) -> Iterator[LayBoard]:
    beside = [square(x, y) for x, y in squares_beside(state.laid)]
    return (LayBoard(actor, board, place) for board in every_board(state) for place in beside)


def every_board(state: State) -> list[PieceId]:
    return [board_piece(board.number) for board in state.setup.pack.boards]


def _no_board(state: State, intent: LayBoard) -> Facts | None:
    return unless(intent.board not in every_board(state) or lies(state, intent.board), board=Piece(intent.board))


def _five_lie(state: State, intent: LayBoard) -> Facts | None:
    return unless(len(state.laid) >= BOARDS, n=BOARDS)


def _apart(state: State, intent: LayBoard) -> Facts | None:
    return unless(intent.place not in [square(x, y) for x, y in squares_beside(state.laid)])


def _not_laid(state: State, intent: TurnBoard | LiftBoard) -> Facts | None:
    return unless(not lies(state, intent.board), board=Piece(intent.board))


def _no_layout(state: State, intent: UseLayout) -> Facts | None:
    high = len(state.setup.pack.layouts)
    return unless(not 1 <= intent.number <= high, high=high)


def _too_few(state: State, actor: SeatId) -> Facts | None:
    return unless(len(state.laid) != BOARDS, n=len(state.laid))


def _do_not_meet(state: State, actor: SeatId) -> Facts | None:
    return unless(not all_meet(state.laid))


def _unseated(state: State, actor: SeatId) -> Facts | None:
    n = seats_on_map(state)
    return unless(n < len(state.red), n=n, seats=len(state.red))


LAID: Rule[State, Any] = Rule(RuleId("F1"), "board-lies", _not_laid, physical=True)

BOARDS_VERBS = (
    Verb[State, LayBoard](
        LayBoard,
        LAYING,
        _boards,
        (
            Rule(RuleId("F1"), "board-free", _no_board, physical=True),
            Rule(RuleId("F1"), "five-boards", _five_lie, physical=True),
            Rule(RuleId("F.ax"), "boards-touch", _apart, physical=True, basis=Basis.PLACE),
        ),
        lambda s, i: (e.BoardLaid(i.actor, i.board, i.place),),
        thinkable=_any_board,
    ),
    Verb[State, TurnBoard](
        TurnBoard,
        LAYING,
        lambda state, actor: (TurnBoard(actor, board_piece(laid.board)) for laid in state.laid),
        (LAID,),
        lambda s, i: (e.BoardTurned(i.actor, i.board),),
        thinkable=lambda state, actor: (TurnBoard(actor, board) for board in every_board(state)),
    ),
    Verb[State, LiftBoard](
        LiftBoard,
        LAYING,
        lambda state, actor: (LiftBoard(actor, board_piece(laid.board)) for laid in state.laid),
        (LAID,),
        lambda s, i: (e.BoardLifted(i.actor, i.board),),
        thinkable=lambda state, actor: (LiftBoard(actor, board) for board in every_board(state)),
    ),
    Verb[State, UseLayout](
        UseLayout,
        LAYING,
        lambda state, actor: (UseLayout(actor, 1),),
        (Rule(RuleId("F1"), "layout-there", _no_layout, physical=True),),
        lambda s, i: (e.LayoutUsed(i.actor, i.number),),
        span=lambda s, i: (1, len(s.setup.pack.layouts)),
    ),
    Verb[State, MakeMap](
        MakeMap,
        (
            *LAYING,
            guard("F1", "all-laid", _too_few, Basis.STEP),
            Guard(RuleId("F.ax"), "boards-meet", _do_not_meet, physical=True, basis=Basis.PLACE),
            Guard(RuleId("F.ax"), "seats-enough", _unseated, physical=True),
        ),
        alone(MakeMap),
        (),
        lambda s, i: (e.MapMade(i.actor),),
        asks=True,
    ),
)


def seats_left(state: State) -> tuple[PieceId, ...]:
    """The County Seats on the map that have not been drawn yet."""
    drawn = {open_seat.city for open_seat in state.open_seats}
    cards = city_cards(state.setup.pack)
    where = county(state.setup.pack, state.laid)
    return tuple(city for city in where.cities if cards[city].seat and city not in drawn)


def _not_left(state: State, intent: DrewSeat) -> Facts | None:
    return unless(intent.city not in seats_left(state))


def _no_such_seat(state: State, intent: NameButton) -> Facts | None:
    return unless(not is_seat(state, intent.seat))


def _drawn(state: State, actor: SeatId) -> Iterator[DrewSeat]:
    """Any City card, while one is awaited: at other times touching one does not mean drawing it."""
    is_due = isinstance(top(state), DrawingSeats)
    return (DrewSeat(actor, city) for city in (city_cards(state.setup.pack) if is_due else ()))


DRAWS = (
    Verb[State, DrewSeat](
        DrewSeat,
        of_table("F3", "seat-due", lambda state: isinstance(top(state), DrawingSeats)),
        lambda state, actor: (DrewSeat(actor, city) for city in seats_left(state)),
        (Rule(RuleId("F3"), "seat-left", _not_left, physical=True),),
        lambda s, i: (e.SeatDrawn(i.city),),
        chance=True,
        thinkable=_drawn,
    ),
    Verb[State, NameButton](
        NameButton,
        of_table("F4", "button-due", lambda state: isinstance(top(state), Naming)),
        lambda state, actor: (NameButton(actor, SeatId(seat)) for seat in seats_of(state)),
        (Rule(RuleId("F4"), "seat-there", _no_such_seat, physical=True),),
        lambda s, i: (e.ButtonNamed(i.seat),),
        chance=True,
    ),
)


def _open_seat(state: State, city: PieceId) -> OpenSeat | None:
    return next((open_seat for open_seat in state.open_seats if open_seat.city == city), None)


def _bid_out(state: State, actor: SeatId) -> Facts | None:
    return unless(isinstance(top(state), Opening) and any(bid.seat == actor for bid in state.open_seats))


def _seat_bids(state: State, actor: SeatId) -> Iterator[BidSeat]:
    return (BidSeat(actor, open_seat.city, open_seat.number + 1) for open_seat in state.open_seats)


def _any_city(state: State, actor: SeatId) -> Iterator[BidSeat]:
    offered = {open_seat.city for open_seat in state.open_seats}
    yield from _seat_bids(state, actor)
    yield from (BidSeat(actor, city, 1) for city in city_cards(state.setup.pack) if city not in offered)


def _no_open_seat(state: State, intent: BidSeat) -> Facts | None:
    return unless(_open_seat(state, intent.city) is None, city=Piece(intent.city))


def _no_chip(state: State, intent: BidSeat) -> Facts | None:
    return unless(intent.number < 1)


def _not_higher(state: State, intent: BidSeat) -> Facts | None:
    open_seat = _open_seat(state, intent.city)
    high = open_seat.number if open_seat else 0
    return unless(high > 0 and intent.number <= high, high=high)


def _too_much(state: State, intent: BidSeat) -> Facts | None:
    have = state.red[intent.actor] if is_seat(state, intent.actor) else 0
    return unless(intent.number > have, have=have)


def _seat_span(state: State, intent: BidSeat) -> tuple[int, int]:
    open_seat = _open_seat(state, intent.city)
    low = open_seat.number + 1 if open_seat else 1
    return low, state.red[intent.actor] if is_seat(state, intent.actor) else 0


def _seat_bid(state: State, intent: BidSeat) -> tuple[Event, ...]:
    before = _open_seat(state, intent.city)
    back = (e.Outbid(before.seat, before.city, before.number),) if before and before.number else ()
    return (*back, e.SeatBid(intent.actor, intent.city, intent.number))


OPENING = (
    Verb[State, BidSeat](
        BidSeat,
        (
            RUNNING,
            SET_UP,
            on_day("F5", "opening", SETTING_UP | {Opening}, Basis.OVER),
            # Seats with a bid out are not asked, and this reason says more than whose turn it is.
            guard("F.s", "no-bid-out", _bid_out, Basis.TURN),
            YOUR_BID,
        ),
        _seat_bids,
        (
            Rule(RuleId("F3"), "seat-on-offer", _no_open_seat, physical=True),
            Rule(RuleId("F.h"), "one-chip", _no_chip, physical=True, basis=Basis.PRICE),
            Rule(RuleId("F6"), "seat-higher", _not_higher, physical=True, basis=Basis.PRICE),
            Rule(RuleId("F.r"), "red-held", _too_much, physical=True, basis=Basis.PRICE),
        ),
        _seat_bid,
        asks=True,
        span=_seat_span,
        thinkable=_any_city,
    ),
)


def largest(state: State) -> SeatId:
    """F8, F.n: who has the most populous city; among equals the first from the Button to the left."""
    n = len(state.red)

    def rank(seat: int) -> tuple[int, int]:
        people = [card.population for h in state.owned if h.seat == seat and (card := card_of(state, h.city))]
        return max(people, default=0), -((seat - state.button) % n)

    return SeatId(max(seats_of(state), key=rank))
