"""What the game waits for, how it ended, and what should lie where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from companion.core.facts import Fact, Piece, Place, Seat, Word, say
from companion.core.game import Decision, Lies, Result
from companion.core.ids import TABLE, PieceId, PlaceId, SeatId
from companion.core.steps import is_seat, seats_of, top

from .books import county_of, holding, on_cards, score
from .county import BOARDS, NOBODYS
from .parts import KNOW_HOW, MOST_SEATS, SYSTEMS, board_piece, rocket_card
from .state import (
    BUTTON,
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
)


def decisions(state: State) -> tuple[Decision, ...]:
    """The stack of open questions, the one that counts last."""
    return tuple(_decision(state, step) for step in state.steps)


def _decision(state: State, step: Step) -> Decision:
    """`subject` changes with each answer of an ordered day; a day of all at once keeps it, so nobody's grows stale."""
    match step:
        case Laying():
            everyone, n = tuple(SeatId(seat) for seat in seats_of(state)), len(state.laid)
            return Decision("lay" if n < BOARDS else "make-map", everyone, "map", say("", n=n).facts)
        case DrawingSeats() | Naming() | Turning() | Dispute() | Shot():
            return _of_table(state, step)
        case Wednesday():
            return _wednesday(state, step)
        case Opening(seat=seat):
            bids = sum(open_seat.number for open_seat in state.open_seats)
            return _ask("open-bid", seat, state, bids, seat=Seat(seat))
        case Monday(seat=seat):
            left = on_cards(state, seat)
            return _ask("place", seat, state, left, seat=Seat(seat), n=left)
        case Thursday(seat=seat):
            spent = sum(state.levels[seat]) + 100 * step.shot
            return _ask("rocket", seat, state, spent, seat=Seat(seat))
        case Auction() | Paying() | Giving():
            return _of_sale(state, step)
        case Sunday() | Tuesday() | Friday():
            return _ask("day", TABLE, state, 0)
        case _:
            assert_never(step)


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
            yield Lies(card, PlaceId(f"before/{seat}" if used else "box"), "up" if used else "down")
    for card, holder in zip(KNOW_HOW, state.know_how, strict=True):
        yield Lies(card, PlaceId("bank" if holder == NOBODYS else f"before/{holder}"), "up")


def on_offer(state: State) -> tuple[PieceId, ...]:
    """The City cards that lie face up in an auction."""
    step = top(state)
    city = (step.city,) if isinstance(step, Auction) and step.city != BUTTON else ()
    return (*(open_seat.city for open_seat in state.open_seats), *city)
