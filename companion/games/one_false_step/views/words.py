"""The game in words: the headline, a seat's own things, the numbers of the report."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core import Line, Piece, Said, Seat, SeatId, Shown, Word, say, seats_of, top
from companion.games.one_false_step.rules.week import green, owed
from companion.games.one_false_step.state import (
    BUTTON,
    SYSTEMS,
    WINNING,
    Auction,
    DrawingSeats,
    Holding,
    Laying,
    Monday,
    Naming,
    Offer,
    Opening,
    State,
    Thursday,
    Wednesday,
    bill,
    income,
    on_cards,
    score,
    target,
)

from .panels import chips_meter, own_cities, rocket_meter
from .sale import sale


def headline(view: State) -> Said:
    """Where the game stands, in one line."""
    step = top(view)
    match step:
        case None:
            return say("headline.over", week=view.week)
        case Laying():
            return say("headline.lay", n=len(view.laid))
        case DrawingSeats() | Naming():
            return say("headline.setup")
        case Opening(seat=seat):
            return say("headline.opening", seat=Seat(seat))
        case Wednesday(due=due):
            return say("headline.feed", week=view.week, n=len(due))
        case Auction(city=city, high=high) if city != BUTTON:
            return say("headline.auction", week=view.week, city=Piece(city), high=high)
        case Auction(high=high):
            return say("headline.button", week=view.week, high=high)
        case Monday(seat=seat):
            return say("headline.place", week=view.week, seat=Seat(seat), n=on_cards(view, seat))
        case Thursday(seat=seat):
            return say("headline.rocket", week=view.week, seat=Seat(seat))
        case _:
            return say("headline.day", week=view.week, day=Word(f"day.{view.day}"))


def own(view: State, seat: SeatId) -> tuple[Shown, ...]:
    """One seat's trades, score and chips, rocket and cities; last, next to the choices, what is for sale now."""
    return (
        *(_trade(offer, seat) for offer in view.offers if seat in (offer.seat, offer.to)),
        chips_meter(view, seat, tuple(_chips(view, seat))),
        rocket_meter(view, seat, tuple(_rocket(view, seat))),
        *own_cities(view, seat, tuple(_cities(view, seat))),
        *sale(view),
    )


def _chips(view: State, seat: SeatId) -> Iterator[Said]:
    yield say("own.score", points=score(view, seat), goal=WINNING)
    yield say("own.chips", red=view.red[seat], food=view.food[seat], gold=view.gold[seat])
    if view.claims:
        food, gold = income(view, seat)
        yield say("own.income", food=food, gold=gold, bill=bill(view, seat))


def _rocket(view: State, seat: SeatId) -> Iterator[Said]:
    for system, level in zip(SYSTEMS, view.levels[seat], strict=True):
        yield say("own.system", system=Word(f"system.{system}"), level=level, target=target(view, level))
    if view.crew[seat]:
        yield say("own.crew", n=view.crew[seat])


def _cities(view: State, seat: SeatId) -> Iterator[Said]:
    yield from (say("own.due", city=Piece(city), food=green(view, city)) for city in owed(view, seat))
    yield from (said for held in view.owned if held.seat == seat for said in _city(view, held))


def _city(view: State, held: Holding) -> Iterator[Said]:
    city = Piece(held.city)
    if held.chips:
        yield say("own.inactive", city=city, n=held.chips)
        return
    yield say("own.city", city=city, counters=held.counters, food=green(view, held.city))
    if held.middle:
        yield say("own.middle", city=city, n=held.middle)
    if held.train:
        yield say("own.train", city=city, n=held.train)


def _trade(offer: Offer, seat: SeatId) -> Said:
    mine = "out" if offer.seat == seat else "in"
    other = Seat(offer.to if mine == "out" else offer.seat)
    if not offer.price:
        return say(f"own.offer-{mine}-{offer.gives}", seat=other, number=offer.number)
    return say(f"own.trade-{mine}-{offer.gives}", seat=other, number=offer.number, price=offer.price)


def series(state: State) -> tuple[Line, ...]:
    """Scores and chips, for the report."""
    return (
        Line("series.score", tuple(score(state, SeatId(seat)) for seat in seats_of(state))),
        Line("series.red", state.red),
        Line("series.food", state.food),
        Line("series.gold", state.gold),
    )
