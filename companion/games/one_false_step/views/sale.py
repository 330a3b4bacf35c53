"""What is for sale now: the County Seats of the starting auction, a city or the Button, with who bids."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core import Ledger, Piece, PieceId, Row, Said, Seat, Shown, say, top
from companion.games.one_false_step.rules.saturday import split
from companion.games.one_false_step.state import BUTTON, Auction, OpenSeat, State, card_of


def sale(view: State) -> Iterator[Shown]:
    """Nothing outside auctions."""
    if view.open_seats:
        rows = tuple(Row(_bidder(each), _city(view, each.city), _n(each.number)) for each in view.open_seats)
        words = tuple(_open_seat(each) for each in view.open_seats)
        yield Ledger(words, say("panel.county-seats"), say("panel.bids"), rows)
    step = top(view)
    if isinstance(step, Auction):
        yield _auction(view, step)
        if step.high and step.city != BUTTON:
            bank, chips = split(step.high)
            yield say("status.split", bank=bank, chips=chips)


def _open_seat(each: OpenSeat) -> Said:
    if each.number:
        return say("status.seat-bid", city=Piece(each.city), seat=Seat(each.seat), number=each.number)
    return say("status.seat-free", city=Piece(each.city))


def _bidder(each: OpenSeat) -> Said:
    return say("panel.who", seat=Seat(each.seat)) if each.number else say("panel.nobody")


def _city(view: State, city: PieceId) -> Said:
    """A city, with what it scores and eats once it is Active."""
    card = card_of(view, city)
    assert card is not None, f"{city} is for sale and has no card: see the pack"
    return say("panel.for-sale", city=Piece(city), red=card.red, green=card.green)


def _auction(view: State, step: Auction) -> Ledger:
    """Who is still in, and the highest bid (F29, F33)."""
    head = say("panel.button") if step.city == BUTTON else _city(view, step.city)
    high = (say("status.high", seat=Seat(step.by), number=step.high),) if step.high else ()
    inside = (say("status.inside", seat=Seat(seat)) for seat in step.inside)
    rows = tuple(
        Row(
            say("panel.who", seat=Seat(seat)),
            say("panel.highest" if seat == step.by else "panel.now" if seat == step.seat else "panel.inside"),
            _n(step.high if seat == step.by else 0),
        )
        for seat in step.inside
    )
    return Ledger((*high, *inside), head, say("panel.bids"), rows)


def _n(number: int) -> str:
    return str(number) if number else "–"
