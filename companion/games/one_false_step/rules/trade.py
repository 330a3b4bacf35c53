"""Trade: Food for Gold, freely with players, with the Bank at its rate (F34). Open alongside whatever else is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeAlias, TypeVar

from companion.core import Basis, Event, Facts, Rule, RuleId, Seat, SeatId, Verb, is_seat, seats_of, unless
from companion.games.one_false_step import events as e
from companion.games.one_false_step.state import RATE, Amounts, Offer, State, keeps_bid

from .guards import TRADE
from .intents import AcceptTrade, BuyFood, BuyGold, DeclineTrade, NamePrice, OfferFood, OfferGold, WithdrawOffer

Offering: TypeAlias = OfferFood | OfferGold
Answer: TypeAlias = AcceptTrade | DeclineTrade
FromBank: TypeAlias = BuyFood | BuyGold
GIVES_FOOD: Final = (OfferFood, BuyGold)
A = TypeVar("A", AcceptTrade, DeclineTrade)
O = TypeVar("O", OfferFood, OfferGold)  # noqa: E741


def offer_of(state: State, seat: SeatId, to: SeatId) -> Offer | None:
    """What `seat` offers `to` now."""
    return next((offer for offer in state.offers if offer.seat == seat and offer.to == to), None)


def _held(amounts: Amounts, seat: SeatId) -> int:
    return amounts[seat] if 0 <= seat < len(amounts) else 0


def _given(state: State, intent: Offering | FromBank) -> Amounts:
    """The colour that the actor would give."""
    return state.food if isinstance(intent, GIVES_FOOD) else state.gold


def _no_partner(state: State, intent: Offering) -> Facts | None:
    return unless(not is_seat(state, intent.seat) or intent.seat == intent.actor)


def _gift(state: State, intent: Offering | NamePrice) -> Facts | None:
    return unless(intent.number < 1)


def _has_less(state: State, intent: Offering) -> Facts | None:
    have = _held(_given(state, intent), intent.actor)
    return unless(intent.number > have, have=have)


def _partner_has_none(state: State, intent: Offering) -> Facts | None:
    theirs = state.gold if isinstance(intent, OfferFood) else state.food
    return unless(is_seat(state, intent.seat) and not _held(theirs, intent.seat), seat=Seat(intent.seat))


def _food_offers(state: State, actor: SeatId) -> Iterable[OfferFood]:
    if not _held(state.food, actor):
        return ()
    return [OfferFood(actor, SeatId(seat), 1) for seat, gold in enumerate(state.gold) if gold and seat != actor]


def _gold_offers(state: State, actor: SeatId) -> Iterable[OfferGold]:
    if not _held(state.gold, actor):
        return ()
    return [OfferGold(actor, SeatId(seat), 1) for seat, food in enumerate(state.food) if food and seat != actor]


def _to_anyone(cls: type[O]) -> Callable[[State, SeatId], Iterable[O]]:
    return lambda state, actor: (cls(actor, SeatId(seat), 1) for seat in seats_of(state) if seat != actor)


def _own_offers(state: State, actor: SeatId) -> list[Offer]:
    return [offer for offer in state.offers if offer.seat == actor]


def _prices(state: State, actor: SeatId) -> Iterable[NamePrice]:
    if not state.offers:
        return ()
    return [NamePrice(actor, offer.to, 1) for offer in _own_offers(state, actor) if most_for(state, offer)]


def most_for(state: State, offer: Offer) -> int:
    """The highest price that the other seat can pay now: no promises."""
    return state.gold[offer.to] if offer.gives == "food" else state.food[offer.to]


def _no_offer(state: State, intent: NamePrice | WithdrawOffer) -> Facts | None:
    return unless(offer_of(state, intent.actor, intent.seat) is None)


def _promise(state: State, intent: NamePrice) -> Facts | None:
    offer = offer_of(state, intent.actor, intent.seat)
    have = most_for(state, offer) if offer else 0
    return unless(offer is not None and intent.number > have, seat=Seat(intent.seat), have=have)


def _price_span(state: State, intent: NamePrice) -> tuple[int, int]:
    offer = offer_of(state, intent.actor, intent.seat)
    return 1, most_for(state, offer) if offer else 0


def _not_offered(state: State, intent: Answer) -> Facts | None:
    offer = offer_of(state, intent.seat, intent.actor)
    return unless(offer is None or not offer.price)


def goods(offer: Offer) -> e.Traded:
    """What would change hands, with the giver of Food first."""
    if offer.gives == "food":
        return e.Traded(offer.seat, offer.to, offer.number, offer.price)
    return e.Traded(offer.to, offer.seat, offer.price, offer.number)


def _cannot_give(state: State, intent: AcceptTrade) -> Facts | None:
    offer = offer_of(state, intent.seat, intent.actor)
    if offer is None or not offer.price:
        return None
    trade = goods(offer)
    if state.food[trade.seat] < trade.food:
        return unless(True, seat=Seat(trade.seat))
    return unless(state.gold[trade.to] < trade.gold, seat=Seat(trade.to))


def _below_bid(state: State, intent: AcceptTrade) -> Facts | None:
    offer = offer_of(state, intent.seat, intent.actor)
    if offer is None or not offer.price:
        return None
    trade = goods(offer)
    if not keeps_bid(state, trade.seat, -trade.food, trade.gold):
        return unless(True, seat=Seat(trade.seat))
    return unless(not keeps_bid(state, trade.to, trade.food, -trade.gold), seat=Seat(trade.to))


def _accepted(state: State, intent: AcceptTrade) -> tuple[Event, ...]:
    offer = offer_of(state, intent.seat, intent.actor)
    assert offer is not None
    return (goods(offer), e.OfferGone(offer.seat, offer.to))


def _answers(cls: type[A]) -> Callable[[State, SeatId], Iterable[A]]:
    return lambda state, actor: [cls(actor, o.seat) for o in state.offers if o.to == actor and o.price]


PARTNER: Rule[State, Any] = Rule(RuleId("F34"), "partner", _no_partner, physical=True)
NO_GIFT: Rule[State, Any] = Rule(RuleId("F.z"), "no-gift", _gift, physical=True, basis=Basis.PRICE)
HELD: Rule[State, Any] = Rule(RuleId("F34"), "held", _has_less, physical=True, basis=Basis.PRICE)
PARTNER_HAS: Rule[State, Any] = Rule(RuleId("F34"), "partner-has", _partner_has_none, physical=True, basis=Basis.PRICE)
OFFERED: Rule[State, Any] = Rule(RuleId("F34"), "offered", _not_offered, physical=True)
OWN_OFFER: Rule[State, Any] = Rule(RuleId("F34"), "own-offer", _no_offer, physical=True)

OFFERS = (
    Verb[State, OfferFood](
        OfferFood,
        TRADE,
        _food_offers,
        (PARTNER, NO_GIFT, HELD, PARTNER_HAS),
        lambda s, i: (e.FoodOffered(i.actor, i.seat, i.number),),
        span=lambda s, i: (1, _held(s.food, i.actor)),
        thinkable=_to_anyone(OfferFood),
    ),
    Verb[State, OfferGold](
        OfferGold,
        TRADE,
        _gold_offers,
        (PARTNER, NO_GIFT, HELD, PARTNER_HAS),
        lambda s, i: (e.GoldOffered(i.actor, i.seat, i.number),),
        span=lambda s, i: (1, _held(s.gold, i.actor)),
        thinkable=_to_anyone(OfferGold),
    ),
)

ANSWERS = (
    Verb[State, NamePrice](
        NamePrice,
        TRADE,
        _prices,
        (OWN_OFFER, NO_GIFT, Rule(RuleId("F34"), "no-promise", _promise, physical=True, basis=Basis.PRICE)),
        lambda s, i: (e.PriceNamed(i.actor, i.seat, i.number),),
        asks=True,
        span=_price_span,
    ),
    Verb[State, AcceptTrade](
        AcceptTrade,
        TRADE,
        _answers(AcceptTrade),
        (
            OFFERED,
            Rule(RuleId("F34"), "both-have", _cannot_give, physical=True, basis=Basis.PRICE),
            Rule(RuleId("F.w"), "bid-payable", _below_bid, basis=Basis.PRICE),
        ),
        _accepted,
        asks=True,
    ),
    Verb[State, DeclineTrade](
        DeclineTrade,
        TRADE,
        _answers(DeclineTrade),
        (OFFERED,),
        lambda s, i: (e.OfferGone(i.seat, i.actor),),
    ),
    Verb[State, WithdrawOffer](
        WithdrawOffer,
        TRADE,
        lambda state, actor: [WithdrawOffer(actor, o.to) for o in state.offers if o.seat == actor],
        (OWN_OFFER,),
        lambda s, i: (e.OfferGone(i.actor, i.seat),),
    ),
)


def _nothing(state: State, intent: FromBank) -> Facts | None:
    return unless(intent.number < 1)


def _too_dear(state: State, intent: FromBank) -> Facts | None:
    need, have = RATE * intent.number, _held(_given(state, intent), intent.actor)
    return (("need", need), ("have", have)) if need > have else None


def _keeps_bid(state: State, intent: FromBank, number: int) -> bool:
    """Whether a bid can still be paid after buying this much from the Bank."""
    food, gold = (number, -RATE * number) if isinstance(intent, BuyFood) else (-RATE * number, number)
    return keeps_bid(state, intent.actor, food, gold)


def _bank_below_bid(state: State, intent: FromBank) -> Facts | None:
    if not is_seat(state, intent.actor) or _keeps_bid(state, intent, intent.number):
        return None
    return unless(True, seat=Seat(intent.actor))


def _most_from_bank(state: State, intent: FromBank) -> int:
    """What the chips of the other colour buy, as far as a standing bid leaves them free."""
    affordable = range(_held(_given(state, intent), intent.actor) // RATE, 0, -1)
    return next((number for number in affordable if _keeps_bid(state, intent, number)), 0)


BANK_RULES: tuple[Rule[State, Any], ...] = (
    Rule(RuleId("F34"), "bank-rate", _too_dear, physical=True, basis=Basis.PRICE),
    Rule(RuleId("F.aa"), "bank-some", _nothing, physical=True, basis=Basis.PRICE),
    Rule(RuleId("F.w"), "bid-payable", _bank_below_bid, basis=Basis.PRICE),
)


def _food_kept(state: State, actor: SeatId) -> tuple[BuyFood, ...]:
    payable = _held(state.gold, actor) >= RATE and keeps_bid(state, actor, 1, -RATE)
    return (BuyFood(actor, 1),) if payable else ()


def _gold_kept(state: State, actor: SeatId) -> tuple[BuyGold, ...]:
    payable = _held(state.food, actor) >= RATE and keeps_bid(state, actor, -RATE, 1)
    return (BuyGold(actor, 1),) if payable else ()


BANK = (
    Verb[State, BuyFood](
        BuyFood,
        TRADE,
        lambda state, actor: (BuyFood(actor, 1),),
        BANK_RULES,
        lambda s, i: (e.FoodBought(i.actor, i.number, RATE * i.number),),
        asks=True,
        span=lambda s, i: (1, _most_from_bank(s, i)),
        kept=_food_kept,
    ),
    Verb[State, BuyGold](
        BuyGold,
        TRADE,
        lambda state, actor: (BuyGold(actor, 1),),
        BANK_RULES,
        lambda s, i: (e.GoldBought(i.actor, i.number, RATE * i.number),),
        asks=True,
        span=lambda s, i: (1, _most_from_bank(s, i)),
        kept=_gold_kept,
    ),
)
