"""What the game waits for, how it ended, and what should lie where."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from companion.core import (
    TABLE,
    Decision,
    Fact,
    Lies,
    Piece,
    PieceId,
    Place,
    PlaceId,
    Result,
    Seat,
    SeatId,
    Word,
    is_seat,
    say,
    seats_of,
    top,
)

from .state import (
    BOARDS,
    BUTTON,
    KNOW_HOW,
    MOST_SEATS,
    NOBODYS,
    SYSTEMS,
    Auction,
    Dispute,
    DrawingSeats,
    Friday,
    Giving,
    Laying,
    Monday,
    Naming,
    Opening,
    Paying,
    Shot,
    State,
    Step,
    Sunday,
    Thursday,
    Tuesday,
    Turning,
    Wednesday,
    board_piece,
    county_of,
    holding,
    on_cards,
    rocket_card,
    score,
)

# `subject` changes with each answer of an ordered day; a day of all at once keeps it, so nobody's grows stale.


def _laying(state: State, _step: Laying) -> Decision:
    everyone, n = tuple(SeatId(seat) for seat in seats_of(state)), len(state.laid)
    return Decision("lay" if n < BOARDS else "make-map", everyone, "map", say("", n=n).facts)


def _opening(state: State, step: Opening) -> Decision:
    bids = sum(open_seat.number for open_seat in state.open_seats)
    return _ask("open-bid", step.seat, state, bids, seat=Seat(step.seat))


def _monday(state: State, step: Monday) -> Decision:
    left = on_cards(state, step.seat)
    return _ask("place", step.seat, state, left, seat=Seat(step.seat), n=left)


def _thursday(state: State, step: Thursday) -> Decision:
    spent = sum(state.levels[step.seat]) + 100 * step.shot
    return _ask("rocket", step.seat, state, spent, seat=Seat(step.seat))


def _day(state: State, _step: Sunday | Tuesday | Friday) -> Decision:
    return _ask("day", TABLE, state, 0)


def _of_table(state: State, step: DrawingSeats | Naming | Turning | Dispute | Shot) -> Decision:
    match step:
        case DrawingSeats(left=left):
            return _ask("draw-seat", TABLE, state, left, n=left)
        case Naming():
            return _ask("name-button", TABLE, state, 0)
        case Turning():
            return _ask("turn-city", TABLE, state, 0)
        case Dispute(claim=at, roll=roll):
            claim = Place(county_of(state).claims[at])
            kind, seat = ("defence", step.defender) if roll else ("attack", step.seat)
            return _ask(kind, TABLE, state, on_cards(state, step.seat), seat=Seat(seat), claim=claim)
        case Shot(seat=seat, rolled=rolled):
            system = Word(f"system.{SYSTEMS[min(rolled, len(SYSTEMS) - 1)]}")
            return _ask("shot", TABLE, state, rolled, seat=Seat(seat), system=system)


def _wednesday(state: State, step: Wednesday) -> Decision:
    owners = {held.seat for city in step.due if (held := holding(state, city))}
    return Decision("feed", tuple(sorted(owners)), f"{state.week}", say("", n=len(step.due)).facts)


def _of_sale(state: State, step: Auction | Paying | Giving) -> Decision:
    seat = step.seat
    match step:
        case Auction(city=city, inside=inside, high=high) if city != BUTTON:
            count = 10 * high + len(inside)
            return _ask("bid", seat, state, count, seat=Seat(seat), city=Piece(city), high=high)
        case Auction(inside=inside, high=high):
            return _ask("bid-button", seat, state, 10 * high + len(inside), seat=Seat(seat), high=high)
        case Paying(left=left, colours=colours):
            asked = Word(f"colour.{colours[0]}")
            return _ask("pay", seat, state, 10 * left + len(colours), seat=Seat(seat), n=left, colour=asked)
        case Giving():
            return _ask("give-button", seat, state, 0, seat=Seat(seat))


ASKS: Final[dict[type[Step], Callable[[State, Any], Decision]]] = {
    Laying: _laying,
    DrawingSeats: _of_table,
    Naming: _of_table,
    Turning: _of_table,
    Dispute: _of_table,
    Shot: _of_table,
    Opening: _opening,
    Sunday: _day,
    Monday: _monday,
    Tuesday: _day,
    Wednesday: _wednesday,
    Thursday: _thursday,
    Friday: _day,
    Auction: _of_sale,
    Paying: _of_sale,
    Giving: _of_sale,
}


def _ask(kind: str, awaited: SeatId, state: State, left: int, /, **facts: Fact) -> Decision:
    return Decision(kind, (awaited,), f"{state.week}.{awaited}.{left}", tuple(facts.items()))


def result(state: State) -> Result | None:
    """F35: the first to reach 30; F.ba: nobody, if all have lost everything."""
    if state.steps:
        return None
    if not is_seat(state, state.winner):
        return Result((), say("result.nobody", weeks=state.week))
    winner = state.winner
    return Result((winner,), say("result.won", seat=Seat(winner), total=score(state, winner), weeks=state.week))


def layout(state: State) -> tuple[Lies, ...]:
    """Each piece and where it should lie; an unseen card of the deck is `?` in a view, so that it still counts."""
    return tuple(_lies(state))


def _lies(state: State) -> Iterator[Lies]:
    for held in state.owned:
        yield Lies(held.city, PlaceId(f"before/{held.seat}"), "down" if held.chips else "up")
    yield from (Lies(hidden.value, PlaceId("deck"), "down") for hidden in state.deck.top)
    yield from (Lies(city, PlaceId("deck"), "down") for city in state.deck.unseen)
    yield from (Lies(city, PlaceId("aside"), "up") for cards in state.starved for city in cards)
    yield from (Lies(city, PlaceId("auction"), "up") for city in on_offer(state))
    yield from (Lies(city, PlaceId("box"), "down") for city in state.gone)
    yield from _furniture(state)


def _furniture(state: State) -> Iterator[Lies]:
    """Boards, Rocket cards and Know-how cards."""
    laid = {laid.board for laid in state.laid}
    for board in state.setup.pack.boards:
        used = board.number in laid
        yield Lies(board_piece(board.number), PlaceId("map" if used else "box"), "up" if used else "down")
    for seat in range(MOST_SEATS):
        used = seat in seats_of(state)
        for system in range(len(SYSTEMS)):
            card = rocket_card(system, SeatId(seat))
            yield Lies(card, PlaceId(f"rocket/{seat}" if used else "box"), "up" if used else "down")
    for card, holder in zip(KNOW_HOW, state.know_how, strict=True):
        yield Lies(card, PlaceId("bank" if holder == NOBODYS else f"before/{holder}"), "up")


def on_offer(state: State) -> tuple[PieceId, ...]:
    """The City cards that lie face up in an auction."""
    step = top(state)
    city = (step.city,) if isinstance(step, Auction) and step.city != BUTTON else ()
    return (*(open_seat.city for open_seat in state.open_seats), *city)
