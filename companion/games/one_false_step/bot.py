"""A sensible player: claims what it lacks, feeds its cities, keeps building the rocket. It reads only the view."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from companion.core import Intent, PieceId, SeatId, seats_of, top

from .rules import intents as i
from .rules.week import green, owed
from .state import (
    NOBODYS,
    PARTY,
    WINNING,
    Auction,
    State,
    bill,
    card_of,
    claim_number,
    county_of,
    holding,
    income,
    price,
    score,
    support,
    system_of,
    target,
)
from .views import odds

_NEVER: Final = -1000.0
_RARELY: Final = frozenset(
    {i.OfferFood, i.OfferGold, i.NamePrice, i.WithdrawOffer, i.AcceptTrade, i.DeclineTrade, i.BuyFood, i.BuyGold}
)
"""Trades; all other acts are what the day is for."""


def choose(view: State, seat: SeatId, legal: tuple[Intent, ...], tie: int = 0) -> Intent:
    """One of `legal`, possibly with a higher number; `tie` picks among equals, so that chance stays outside."""
    scored = [(_worth(view, seat, intent), intent) for intent in legal]
    best = max(worth for worth, _ in scored)
    equals = [intent for worth, intent in scored if worth == best]
    return _numbered(view, seat, equals[tie % len(equals)], tie)


def _numbered(view: State, seat: SeatId, intent: Intent, tie: int) -> Intent:
    """The intent with the number it wants, if one is asked for."""
    match intent:
        case i.UseLayout():
            return replace(intent, number=1 + tie % max(1, len(view.setup.pack.layouts)))
        case i.BuyFood():
            short = sum(green(view, city) for city in owed(view, seat)) - view.food[seat]
            return replace(intent, number=max(1, min(short, view.gold[seat] // 3)))
        case _:
            return intent


def _worth(view: State, seat: SeatId, intent: Intent) -> float:
    match intent:
        case i.LayBoard() | i.TurnBoard() | i.LiftBoard():
            return _NEVER
        case i.UseLayout():
            return _NEVER if len(view.laid) == 5 else 1
        case i.BidSeat(city=city, number=number):
            return _town(view, city) - number
        case i.Stake() | i.Jump() | i.Strengthen() | i.SendByTrain() | i.BoardRocket():
            return _placing(view, seat, intent)
        case i.FeedAll() | i.Feed() | i.Starve():
            return _meal(view, seat, intent)
        case i.Upgrade() | i.MoonShot() | i.EndThursday():
            return _rocket(view, seat, intent)
        case i.Bid(number=number):
            return _bid(view, seat, number)
        case i.GiveButton(seat=to):
            return float(to == seat)
        case i.BuyFood():
            return _meal(view, seat, intent)
        case _:
            return _NEVER if type(intent) in _RARELY else 0


def _town(view: State, city: PieceId) -> float:
    """What a city is worth in chips: its dots, and the free claims around it."""
    card, where = card_of(view, city), county_of(view)
    if card is None:
        return 0
    near = where.city_near[where.city_at[city]]
    beyond = near
    for at, links in enumerate(where.near):
        if near >> at & 1:
            beyond |= links
    free = sum(1 << at for at, owner in enumerate(view.claims) if owner == NOBODYS)
    return card.red + 0.7 * (near & free).bit_count() + 0.25 * (beyond & free).bit_count() - 0.5 * card.green


def _placing(
    view: State, seat: SeatId, intent: i.Stake | i.Jump | i.Strengthen | i.SendByTrain | i.BoardRocket
) -> float:
    match intent:
        case i.Stake(claim=claim):
            at = claim_number(view, claim)
            return 6 + _needs(view, seat, claim.startswith("mine/")) + _opens(view, seat, at or 0)
        case i.Jump(city=city, claim=claim):
            return _jump(view, seat, city, claim_number(view, claim) or 0)
        case i.Strengthen():
            return 2.5
        case i.SendByTrain(city=city, to=to):
            return 1.0 if city == to else 0.5
        case i.BoardRocket():
            return _crew(view, seat)


def _crew(view: State, seat: SeatId) -> float:
    """A counter on the rocket is worth the chance of reaching the Moon, if the next shot is near."""
    near = view.food[seat] + income(view, seat)[0] >= PARTY + bill(view, seat)
    whole = odds.successes(tuple(target(view, level) for level in view.levels[seat]))[-1] / 36**3
    return 2 + 14 * whole if near else 1.5


def _needs(view: State, seat: SeatId, mine: bool) -> float:
    """Food first, for the cities and a weekly Moon Shot, then Gold."""
    food, gold = income(view, seat)
    short = bill(view, seat) + PARTY - food
    if mine:
        return 1.0 if gold < food else 0.4
    return 1.5 if short > PARTY - 2 else 0.8 if short > 0 else 0.0


def _opens(view: State, seat: SeatId, at: int) -> float:
    """A claim that leads to more free ones is worth a little more."""
    near = county_of(view).near[at]
    return 0.1 * sum(1 for k, owner in enumerate(view.claims) if near >> k & 1 and owner == NOBODYS)


def _jump(view: State, seat: SeatId, city: PieceId, at: int) -> float:
    held, defence = holding(view, city), support(view, at)
    if held is None:
        return _NEVER
    chance = 1.0 if defence is None else odds.dispute(held.counters, defence) / 36
    leading = score(view, view.claims[at]) / WINNING
    return 8 * chance + 2 * leading * chance


def _meal(view: State, seat: SeatId, intent: i.FeedAll | i.Feed | i.Starve | i.BuyFood) -> float:
    due = owed(view, seat)
    short = sum(green(view, city) for city in due) - view.food[seat]
    match intent:
        case i.FeedAll():
            return 10
        case i.Feed(city=city):
            return 5 + _town(view, city) / 10 if short > 0 else 4
        case i.BuyFood():
            return 8 if due and 0 < short <= view.gold[seat] // 3 else _NEVER
        case i.Starve(city=city):
            return -_town(view, city)


def _rocket(view: State, seat: SeatId, intent: i.Upgrade | i.MoonShot | i.EndThursday) -> float:
    match intent:
        case i.Upgrade(card=card):
            system = system_of(card) or 0
            level = view.levels[seat][system] + 1
            takes = level > max(levels[system] for levels in view.levels)
            helps = target(view, level) < target(view, level - 1)
            return (5 if helps else -1.5) + 2 * takes - 0.1 * price(view, level)
        case i.MoonShot():
            spare = view.food[seat] - PARTY + income(view, seat)[0] - bill(view, seat)
            hopes = sum(odds.reaches(target(view, level)) for level in view.levels[seat]) / 36
            return 1 if spare >= 0 and hopes >= 0.3 else -1
        case i.EndThursday():
            return 0


def _bid(view: State, seat: SeatId, number: int) -> float:
    """For a city its dots and a little more, if it can still become Active in time; never for the Button."""
    step = top(view)
    if not isinstance(step, Auction) or not step.city:
        return _NEVER
    weeks = (number + 1) // 2
    ahead = max(score(view, SeatId(s)) for s in seats_of(view))
    left = max(0.0, (WINNING - ahead) / 1.5)
    if weeks > left + 1:
        return _NEVER
    hunger = bill(view, seat) + green(view, step.city) - income(view, seat)[0] - view.food[seat] / 4
    worth = _town(view, step.city) * min(1.0, 0.3 + left / 10) - max(0.0, hunger)
    return worth - number
