"""Saturday: the auction of a city, the auction of the Button (F29–F33)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.core import Basis, Event, Facts, Rule, RuleId, SeatId, Token, Verb, alone, is_seat, seats_of, top, unless
from companion.games.one_false_step import events as e
from companion.games.one_false_step.state import (
    BUTTON,
    Auction,
    Colour,
    Giving,
    Opening,
    Paying,
    State,
    Turning,
    chips,
    city_cards,
)

from .guards import (
    BUTTON_GIVEN,
    BUTTON_PAID,
    CARD_TURNED,
    IN_WEEK,
    RUNNING,
    SATURDAY_STEPS,
    SET_UP,
    YOUR_BID,
    YOUR_TURN,
    Guard,
    guard,
    of_table,
    on_day,
)
from .intents import Bid, DrewCity, GiveButton, Pass, PayFood, PayRed


def _opens(state: State, actor: SeatId) -> Facts | None:
    """The starting auction is on: bids are for its seats, and nobody passes."""
    return unless(isinstance(top(state), Opening))


def _passed(state: State, actor: SeatId) -> Facts | None:
    step = top(state)
    return unless(isinstance(step, Auction) and is_seat(state, actor) and actor not in step.inside)


AUCTION = (
    RUNNING,
    SET_UP,
    YOUR_BID,
    # Whoever has passed never gets another turn, so “not your turn” would mislead.
    guard("F29", "still-in", _passed, Basis.TURN),
    YOUR_TURN,
    CARD_TURNED,
    BUTTON_PAID,
    BUTTON_GIVEN,
    on_day("F29", "auction", SATURDAY_STEPS | {Opening}),
)


def _not_paying(state: State, actor: SeatId) -> Facts | None:
    return unless(not isinstance(top(state), Paying))


def _not_bought(state: State, actor: SeatId) -> Facts | None:
    return unless(not isinstance(top(state), Paying | Giving))


PAYING = (*IN_WEEK, guard("F33", "paying", _not_paying, Basis.STEP))


def limit(state: State, seat: SeatId) -> int:
    """F.u, F.v: red chips for a city, any chips for the Button."""
    step = top(state)
    if not isinstance(step, Auction) or not is_seat(state, seat):
        return 0
    return chips(state, seat) if step.city == BUTTON else state.red[seat]


def high(state: State) -> int:
    step = top(state)
    return step.high if isinstance(step, Auction) else 0


def _bids_kept(state: State, actor: SeatId) -> tuple[Bid, ...]:
    lowest = high(state) + 1
    return (Bid(actor, lowest),) if lowest <= limit(state, actor) else ()


def _no_chip(state: State, intent: Bid) -> Facts | None:
    return unless(intent.number < 1)


def _not_higher(state: State, intent: Bid) -> Facts | None:
    return unless(0 < high(state) >= intent.number, high=high(state))


def _too_much(state: State, intent: Bid) -> Facts | None:
    step, have = top(state), limit(state, intent.actor)
    city = isinstance(step, Auction) and step.city != BUTTON
    return unless(city and intent.number > have, have=have)


def _more_than_all(state: State, intent: Bid) -> Facts | None:
    step, have = top(state), limit(state, intent.actor)
    button = isinstance(step, Auction) and step.city == BUTTON
    return unless(button and intent.number > have, have=have)


def _not_next(state: State, intent: DrewCity) -> Facts | None:
    return unless(intent.city not in state.deck.next())


def _turned_up(state: State, actor: SeatId) -> Iterator[DrewCity]:
    """Any City card, while one is awaited."""
    is_due = isinstance(top(state), Turning)
    return (DrewCity(actor, city) for city in (city_cards(state.setup.pack) if is_due else ()))


def _on_sale(state: State, intent: Bid) -> tuple[Token, ...]:
    """The City card being auctioned: touching it means wanting it. The Button has no tag."""
    step = top(state)
    return (Token("piece", step.city),) if isinstance(step, Auction) else ()


AUCTIONS = (
    Verb[State, DrewCity](
        DrewCity,
        of_table("F29", "turn-due", lambda state: isinstance(top(state), Turning)),
        lambda state, actor: (DrewCity(actor, city) for city in state.deck.next()),
        # The refusal reads the same for every card: a draw reveals nothing before it is accepted.
        (Rule(RuleId("F29"), "next-city", _not_next, physical=True),),
        lambda s, i: (e.CityTurned(i.city),),
        chance=True,
        thinkable=_turned_up,
    ),
    Verb[State, Bid](
        Bid,
        (*AUCTION, guard("F5", "bid-on-seat", _opens, Basis.STEP)),
        lambda state, actor: (Bid(actor, high(state) + 1),),
        (
            Rule(RuleId("F.h"), "one-chip", _no_chip, physical=True, basis=Basis.PRICE),
            Rule(RuleId("F29"), "higher", _not_higher, physical=True, basis=Basis.PRICE),
            Rule(RuleId("F.u"), "red-enough", _too_much, physical=True, basis=Basis.PRICE),
            Rule(RuleId("F.v"), "chips-enough", _more_than_all, physical=True, basis=Basis.PRICE),
        ),
        lambda s, i: (e.BidMade(i.actor, i.number),),
        asks=True,
        span=lambda s, i: (high(s) + 1, limit(s, i.actor)),
        also=_on_sale,
        kept=_bids_kept,
    ),
    Verb[State, Pass](
        Pass,
        (*AUCTION, guard("F5", "must-bid", _opens, Basis.STEP)),
        alone(Pass),
        (),
        lambda s, i: (e.Passed(i.actor),),
        asks=True,
    ),
)


def split(bid: int) -> tuple[int, int]:
    """F30: half to the Bank; half, plus any odd chip, on the city."""
    return bid // 2, bid - bid // 2


def payment(state: State, seat: SeatId, colour: Colour) -> tuple[int, int]:
    """F33: the fewest and most chips of a colour that the buyer of the Button may pay now."""
    step = top(state)
    if not isinstance(step, Paying) or step.seat != seat or step.colours[0] != colour:
        return 0, -1
    held = {"red": state.red[seat], "food": state.food[seat], "gold": state.gold[seat]}
    others = sum(held[c] for c in step.colours[1:])
    return max(0, step.left - others), min(held[colour], step.left)


def _paying(colour: Colour) -> Guard:
    def other(state: State, actor: SeatId) -> Facts | None:
        step = top(state)
        return unless(isinstance(step, Paying) and step.colours[0] != colour)

    return guard("F33", f"paying-{colour}", other, Basis.STEP)


def _no_mix(state: State, intent: PayRed | PayFood) -> Facts | None:
    low, most = payment(state, intent.actor, "red" if isinstance(intent, PayRed) else "food")
    return unless(low <= most and not low <= intent.number <= most, low=low, high=most)


def _no_such_seat(state: State, intent: GiveButton) -> Facts | None:
    return unless(not is_seat(state, intent.seat))


def _given(state: State, intent: GiveButton) -> tuple[Event, ...]:
    return (e.ButtonMoved(intent.seat), e.DayCame("sunday", state.week + 1))


MIX: Rule[State, Any] = Rule(RuleId("F33"), "mix", _no_mix, physical=True, basis=Basis.PRICE)
PAYMENTS = (
    Verb[State, PayRed](
        PayRed,
        (*PAYING, _paying("red")),
        lambda state, actor: (PayRed(actor, payment(state, actor, "red")[0]),),
        (MIX,),
        lambda s, i: (e.ChipsPaid(i.actor, "red", i.number),),
        asks=True,
        span=lambda s, i: payment(s, i.actor, "red"),
    ),
    Verb[State, PayFood](
        PayFood,
        (*PAYING, _paying("food")),
        lambda state, actor: (PayFood(actor, payment(state, actor, "food")[0]),),
        (MIX,),
        lambda s, i: (e.ChipsPaid(i.actor, "food", i.number),),
        asks=True,
        span=lambda s, i: payment(s, i.actor, "food"),
    ),
    Verb[State, GiveButton](
        GiveButton,
        (*IN_WEEK, BUTTON_PAID, guard("F33", "giving", _not_bought, Basis.STEP)),
        lambda state, actor: (GiveButton(actor, SeatId(seat)) for seat in seats_of(state)),
        (Rule(RuleId("F.x"), "seat-at-table", _no_such_seat, physical=True),),
        _given,
        asks=True,
    ),
)
