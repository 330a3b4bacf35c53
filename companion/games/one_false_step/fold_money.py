"""The state after chips have moved: rockets, Moon Shots, the Button's price, trades."""

from __future__ import annotations

from operator import attrgetter
from typing import Final, assert_never

from msgspec.structs import replace

from companion.core import PieceId, SeatId, instead, left_of, popped, pushed, swapped, top, with_steps

from . import events as e
from .state import (
    BUTTON,
    COLOURS,
    Auction,
    Colour,
    Giving,
    Offer,
    Paying,
    Shot,
    State,
    Thursday,
    added,
    button_order,
    system_of,
)


def shot(state: State, event: e.Rockets) -> State:
    match event:
        case e.Upgraded(seat=seat, card=card, level=level, gold=gold):
            return _levelled(paid(state, seat, "gold", gold), seat, card, level)
        case e.UpgradedForFee(seat=seat, card=card, level=level, gold=gold, holder=holder):
            fee = added(added(state.gold, seat, -1), holder, 1)
            return _levelled(paid(replace(state, gold=fee), seat, "gold", gold), seat, card, level)
        case e.KnowHowTaken(seat=seat, card=card):
            return replace(state, know_how=swapped(state.know_how, system_of(card) or 0, seat))
        case e.ShotTaken(seat=seat, food=food):
            step = top(state)
            base = instead(state, replace(step, shot=True)) if isinstance(step, Thursday) else state
            return pushed(paid(base, seat, "food", food), Shot(seat))
        case e.ShotEnded(seat=seat):
            return popped(replace(state, crew=swapped(state.crew, seat, 0)))
        case e.ThursdayDone(seat=seat):
            return with_steps(state, Thursday(left_of(state, seat)))
        case _:
            assert_never(event)


def rolled(state: State, event: e.Rolls) -> State:
    step = top(state)
    assert isinstance(step, Shot)
    match event:
        case e.SystemHeld(seat=seat):
            return instead(paid(state, seat, "red", -1), Shot(seat, step.rolled + 1, step.held + 1))
        case e.SystemFailed(seat=seat):
            return instead(state, Shot(seat, step.rolled + 1, step.held))
        case e.MoonReached(seat=seat, number=number):
            return paid(state, seat, "red", -number)
        case _:
            assert_never(event)


def _levelled(state: State, seat: SeatId, card: PieceId, level: int) -> State:
    system = system_of(card) or 0
    return replace(state, levels=swapped(state.levels, seat, swapped(state.levels[seat], system, level)))


def paid(state: State, seat: SeatId, colour: Colour, number: int) -> State:
    """The state after a seat paid this many chips to the Bank; a negative number came from it."""
    bank = added(state.bank, COLOURS.index(colour), number)
    match colour:
        case "red":
            return replace(state, bank=bank, red=added(state.red, seat, -number))
        case "food":
            return replace(state, bank=bank, food=added(state.food, seat, -number))
        case "gold":
            return replace(state, bank=bank, gold=added(state.gold, seat, -number))


def bought(state: State, event: e.Buttons) -> State:
    match event:
        case e.ButtonOffered():
            order = button_order(state)
            return with_steps(state, Auction(BUTTON, order[0], order))
        case e.ButtonKept():
            return state
        case e.ButtonBought(seat=seat, number=number):
            return with_steps(state, _next_payment(state, seat, number, COLOURS))
        case e.ChipsPaid(seat=seat, colour=colour, number=number):
            step = top(state)
            assert isinstance(step, Paying)
            after = paid(state, seat, colour, number)
            return with_steps(after, _next_payment(after, seat, step.left - number, step.colours[1:]))
        case _:
            assert_never(event)


def _next_payment(state: State, seat: SeatId, left: int, colours: tuple[Colour, ...]) -> Paying | Giving:
    """The next colour that the payer has any of."""
    held = {"red": state.red[seat], "food": state.food[seat], "gold": state.gold[seat]}
    while colours and not held[colours[0]]:
        colours = colours[1:]
    return Paying(seat, left, colours) if left and colours else Giving(seat)


def traded(state: State, event: e.Trades) -> State:
    match event:
        case e.FoodOffered(seat=seat, to=to, number=number):
            return _with_offer(state, Offer(seat, to, "food", number))
        case e.GoldOffered(seat=seat, to=to, number=number):
            return _with_offer(state, Offer(seat, to, "gold", number))
        case e.PriceNamed(seat=seat, to=to, number=number):
            named = next(offer for offer in state.offers if offer.seat == seat and offer.to == to)
            return _with_offer(state, replace(named, price=number))
        case e.OfferGone(seat=seat, to=to):
            return replace(state, offers=_other_offers(state, seat, to))
        case e.Traded(seat=seat, to=to, food=food, gold=gold):
            moved = replace(state, food=added(added(state.food, seat, -food), to, food))
            return replace(moved, gold=added(added(state.gold, seat, gold), to, -gold))
        case e.FoodBought(seat=seat, number=number, gold=gold):
            return paid(paid(state, seat, "gold", gold), seat, "food", -number)
        case e.GoldBought(seat=seat, number=number, food=food):
            return paid(paid(state, seat, "food", food), seat, "gold", -number)
        case _:
            assert_never(event)


def _other_offers(state: State, seat: SeatId, to: SeatId) -> tuple[Offer, ...]:
    return tuple([offer for offer in state.offers if offer.seat != seat or offer.to != to])


def _with_offer(state: State, offer: Offer) -> State:
    others = _other_offers(state, offer.seat, offer.to)
    return replace(state, offers=tuple(sorted((*others, offer), key=_WHOSE)) if others else (offer,))


_WHOSE: Final = attrgetter("seat", "to")
