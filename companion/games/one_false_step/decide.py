"""What the game waits for, how it ended, and what should lie where."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
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

# `subject` changes with each answer on a day played in order; on a day for all at once it stays, so that nobody's
# answer goes stale.


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
    boards = tuple([board.number for board in state.setup.pack.boards])
    lying = [Lies(held.city, PlaceId(f"before/{held.seat}"), "down" if held.chips else "up") for held in state.owned]
    lying += [Lies(hidden.value, _DECK, "down") for hidden in state.deck.top]
    lying += [Lies(city, _DECK, "down") for city in state.deck.unseen]
    lying += [Lies(city, _ASIDE, "up") for cards in state.starved for city in cards]
    lying += [Lies(city, _AUCTION, "up") for city in on_offer(state)]
    lying += [Lies(city, _BOX, "down") for city in state.gone]
    used = tuple([laid.board for laid in state.laid])
    return (*lying, *_furniture(boards, used, state.setup.seats, state.know_how))


_DECK, _ASIDE, _AUCTION, _BOX = PlaceId("deck"), PlaceId("aside"), PlaceId("auction"), PlaceId("box")


@lru_cache(64)
def _furniture(
    boards: tuple[int, ...], laid: tuple[int, ...], seats: int, know_how: tuple[SeatId, ...]
) -> tuple[Lies, ...]:
    """Boards, Rocket cards and Know-how cards, which stay where they are between acts."""
    lying = []
    for board in boards:
        used = board in laid
        lying.append(Lies(board_piece(board), PlaceId("map") if used else _BOX, "up" if used else "down"))
    for seat in range(MOST_SEATS):
        used = seat < seats
        at = PlaceId(f"rocket/{seat}") if used else _BOX
        cards = [rocket_card(system, SeatId(seat)) for system in range(len(SYSTEMS))]
        lying += [Lies(card, at, "up" if used else "down") for card in cards]
    for card, holder in zip(KNOW_HOW, know_how, strict=True):
        lying.append(Lies(card, PlaceId("bank" if holder == NOBODYS else f"before/{holder}"), "up"))
    return tuple(lying)


def on_offer(state: State) -> tuple[PieceId, ...]:
    """The City cards that lie face up in an auction."""
    step = top(state)
    city = (step.city,) if isinstance(step, Auction) and step.city != BUTTON else ()
    return (*(open_seat.city for open_seat in state.open_seats), *city)
