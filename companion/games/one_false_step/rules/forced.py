"""What the rules do by themselves: nothing is asked when there is nothing to decide.

Points are gained in one event at a time, and the score is checked before anything else follows (F.ar).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.core import Course, Event, left_of
from companion.games.one_false_step import events as e
from companion.games.one_false_step.decide import ASKS
from companion.games.one_false_step.state import (
    BUTTON,
    NOBODYS,
    SYSTEMS,
    Auction,
    DrawingSeats,
    Friday,
    Monday,
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
    active,
    button_order,
    chips,
    holding,
    income,
    on_cards,
    score,
    winner_now,
)

from .laying import largest, seats_left
from .saturday import limit, payment, split
from .week import thursday_over


def won(state: State) -> tuple[Event, ...]:
    """F35, on any day."""
    winner = winner_now(state)
    return () if winner is None else (e.Won(winner, score(state, winner)),)


def _turning(state: State, step: Turning) -> tuple[Event, ...]:
    if len(state.deck):
        return ()
    return (e.AllGone(),) if all_gone(state) else (e.ButtonOffered(),)


def all_gone(state: State) -> bool:
    """F.ba: no week could ever differ from this one again. The rulebook does not mention it, but a game must end."""
    chips_left = any((*state.red, *state.food, *state.gold))
    return not (chips_left or state.owned or any(owner != NOBODYS for owner in state.claims))


def _opening(state: State, step: DrawingSeats | Opening) -> tuple[Event, ...]:
    match step:
        case DrawingSeats(left=left):
            seats = seats_left(state)
            return tuple(e.SeatDrawn(city) for city in seats) if len(seats) == left else ()
        case Opening():
            if not state.open_seats:
                return (e.ButtonMoved(largest(state)), e.DayCame("sunday", state.week + 1))
            bids = {bid.seat: bid for bid in state.open_seats if bid.number}
            if len(bids) < len(state.open_seats):
                return ()
            bid = next(bids[seat] for seat in button_order(state) if seat in bids)
            return (e.SeatBought(bid.seat, bid.city, bid.number),)


def _first_half(state: State, step: Sunday | Monday | Tuesday | Wednesday) -> tuple[Event, ...]:
    order = button_order(state)
    match step:
        case Sunday():
            own = {seat: active(state, seat) for seat in order}
            new = (e.Populated(seat, sum(1 + h.train for h in own[seat])) for seat in order if own[seat])
            return (*new, e.DayCame("monday", state.week))
        case Monday(seat=seat):
            if on_cards(state, seat):
                return ()
            last = left_of(state, seat) == state.button
            return (e.MondayDone(seat), *((e.DayCame("tuesday", state.week),) if last else ()))
        case Tuesday():
            earned = ((seat, income(state, seat)) for seat in order)
            paid = (e.IncomePaid(seat, food, gold) for seat, (food, gold) in earned if food or gold)
            return (*paid, e.DayCame("wednesday", state.week))
        case Wednesday(due=due):
            if due:
                return ()
            aside = (e.CityOnDeck(seat, city) for seat in order for city in state.starved[seat])
            return (*aside, e.DayCame("thursday", state.week))


def _second_half(state: State, step: Thursday | Shot | Friday) -> tuple[Event, ...]:
    match step:
        case Thursday(seat=seat):
            # Without Food and Gold there is nothing to pay with, nor to trade for either.
            return () if state.food[seat] or state.gold[seat] else thursday_over(state, seat)
        case Shot(seat=seat, rolled=rolled, held=held):
            if rolled < len(SYSTEMS):
                return ()
            crew = state.crew[seat]
            landed = (e.MoonReached(seat, crew),) if held == len(SYSTEMS) and crew else ()
            return (*landed, e.ShotEnded(seat, crew))
        case Friday(due=()):
            return (e.DayCame("saturday", state.week),)
        case Friday(due=due):
            city = holding(state, due[0])
            assert city is not None
            if city.chips > 1:
                return (e.ChipOff(city.seat, city.city, city.chips - 1),)
            return (e.CityActive(city.seat, city.city),)


def _auction(state: State, step: Auction) -> tuple[Event, ...]:
    if not step.inside:
        return _unsold(state, step)
    if step.inside == (step.by,):
        if step.city == BUTTON:
            return (e.ButtonBought(step.by, step.high),)
        bought = e.CityBought(step.by, step.city, *split(step.high))
        return (bought, e.ButtonMoved(step.by), e.DayCame("sunday", state.week + 1))
    seat = step.seat
    # Trade can still add to the chips for the Button, never to the red ones for a city.
    may_trade = step.city == BUTTON and chips(state, seat) > state.red[seat]
    return () if limit(state, seat) > step.high or may_trade else (e.Passed(seat),)


def _unsold(state: State, step: Auction) -> tuple[Event, ...]:
    if step.city != BUTTON:
        return (e.GhostTown(step.city), e.ButtonOffered())
    return (e.ButtonKept(state.button), e.DayCame("sunday", state.week + 1))


def _paying(state: State, step: Paying) -> tuple[Event, ...]:
    colour = step.colours[0]
    low, high = payment(state, step.seat, colour)
    return (e.ChipsPaid(step.seat, colour, low),) if low == high else ()


FORCES: Final[dict[type[Step], Callable[[State, Any], tuple[Event, ...]]]] = {
    DrawingSeats: _opening,
    Opening: _opening,
    Sunday: _first_half,
    Monday: _first_half,
    Tuesday: _first_half,
    Wednesday: _first_half,
    Thursday: _second_half,
    Shot: _second_half,
    Friday: _second_half,
    Turning: _turning,
    Auction: _auction,
    Paying: _paying,
}


COURSE: Final = Course[State](ASKS, FORCES, always=won)
