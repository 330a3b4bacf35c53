"""What an intent would do, told in advance: odds, prices, splits, scores."""

from __future__ import annotations

from companion.core import Intent, Piece, PieceId, Said, Seat, SeatId, is_seat, say, top
from companion.games.one_false_step.rules import intents as i
from companion.games.one_false_step.rules.laying import seats_on_map
from companion.games.one_false_step.rules.saturday import split
from companion.games.one_false_step.rules.trade import goods, offer_of
from companion.games.one_false_step.rules.week import fee_goes_to, green, owed, takes_know_how
from companion.games.one_false_step.state import (
    BUTTON,
    NOBODYS,
    PARTY,
    RATE,
    Auction,
    State,
    card_of,
    claim_number,
    holding,
    income,
    price,
    score,
    support,
    system_of,
    target,
)

from . import odds


def foresee(view: State, intent: Intent) -> tuple[Said, ...]:
    """Short lines for the choice; () if its label says it all."""
    if not is_seat(view, intent.actor):
        return ()
    match intent:
        case i.Stake() | i.Jump() | i.Strengthen() | i.SendByTrain() | i.BoardRocket():
            return _placing(view, intent)
        case i.Feed() | i.FeedAll() | i.Starve():
            return _meal(view, intent)
        case i.Upgrade(actor=seat, card=card):
            return _upgrade(view, seat, card)
        case i.MoonShot(actor=seat):
            return _shot(view, seat)
        case i.Bid() | i.BidSeat() | i.PayRed():
            return _bid(view, intent)
        case i.AcceptTrade() | i.BuyFood() | i.BuyGold():
            return _trade(view, intent)
        case i.OfferFood(seat=seat) | i.OfferGold(seat=seat):
            return (say("foresee.to", seat=Seat(seat)),)
        case i.MakeMap():
            return (say("foresee.seats", n=seats_on_map(view)),)
        case _:
            return ()


def _placing(view: State, intent: i.Stake | i.Jump | i.Strengthen | i.SendByTrain | i.BoardRocket) -> tuple[Said, ...]:
    seat = intent.actor
    match intent:
        case i.Stake(claim=claim):
            food, gold = income(view, seat)
            mine = claim.startswith("mine/")
            return (say("foresee.income", food=food + (not mine), gold=gold + mine),)
        case i.Jump():
            return _jump(view, intent)
        case i.Strengthen(city=city):
            held = holding(view, city)
            return (say("foresee.strength", n=(held.counters if held else 0) + 1),)
        case i.SendByTrain(to=to):
            return (say("foresee.arrives", city=Piece(to)),)
        case i.BoardRocket():
            return (say("foresee.crew", n=view.crew[seat] + 1),)


def _jump(view: State, intent: i.Jump) -> tuple[Said, ...]:
    """The exact odds, over 36 cases."""
    at, held = claim_number(view, intent.claim), holding(view, intent.city)
    if at is None or held is None or view.claims[at] == NOBODYS:
        return ()
    defence = support(view, at)
    if defence is None:
        return (say("foresee.falls", seat=Seat(view.claims[at])),)
    cases = odds.dispute(held.counters, defence)
    return (
        say("foresee.dispute", cases=cases, of=36, percent=round(100 * cases / 36)),
        say("foresee.sums", attack=held.counters, defence=defence, seat=Seat(view.claims[at])),
    )


def _meal(view: State, intent: i.Feed | i.FeedAll | i.Starve) -> tuple[Said, ...]:
    seat = intent.actor
    match intent:
        case i.Feed(city=city):
            return (say("foresee.food-left", n=view.food[seat] - green(view, city)),)
        case i.FeedAll():
            need = sum(green(view, city) for city in owed(view, seat))
            return (say("foresee.food-left", n=view.food[seat] - need),)
        case i.Starve(city=city):
            card, held = card_of(view, city), holding(view, city)
            points = card.red if card else 0
            lost = held.counters + held.middle + held.train if held else 0
            return (say("foresee.starves", points=points, counters=lost),)


def _upgrade(view: State, seat: SeatId, card: PieceId) -> tuple[Said, ...]:
    system = system_of(card)
    if system is None or view.levels[seat][system] >= 10:
        return ()
    level = view.levels[seat][system] + 1
    gold, holder = price(view, level), fee_goes_to(view, seat, system, level)
    if holder == NOBODYS:
        lines = [say("foresee.upgrade", level=level, gold=gold, target=target(view, level))]
    else:
        fee = say("foresee.fee", bank=gold - 1, seat=Seat(holder))
        lines = [say("foresee.upgrade", level=level, gold=gold, target=target(view, level)), fee]
    if takes_know_how(view, seat, system, level):
        lines.append(say("foresee.know-how", points=score(view, seat) + 2))
    return tuple(lines)


def _shot(view: State, seat: SeatId) -> tuple[Said, ...]:
    """How likely no, one, two or three successes are, over all 46,656 cases."""
    targets = tuple(target(view, level) for level in view.levels[seat])
    ways, of = odds.successes(targets), 36 ** len(targets)
    lines = [say(f"foresee.shot-{held}", cases=n, of=of, percent=round(100 * n / of)) for held, n in enumerate(ways)]
    if view.crew[seat]:
        lines.append(say("foresee.moon", n=view.crew[seat]))
    return (say("foresee.party", n=PARTY), *lines)


def _bid(view: State, intent: i.Bid | i.BidSeat | i.PayRed) -> tuple[Said, ...]:
    seat, step = intent.actor, top(view)
    now = score(view, seat) - intent.number
    match intent:
        case i.BidSeat(city=city):
            card = card_of(view, city)
            return (say("foresee.score", points=now + (card.red if card else 0)),)
        case i.PayRed():
            return (say("foresee.score", points=now),)
        case i.Bid(number=number) if isinstance(step, Auction) and step.city != BUTTON:
            bank, chips = split(number)
            card = card_of(view, step.city)
            later = now + (card.red if card else 0)
            return (
                say("foresee.split", bank=bank, chips=chips),
                say("foresee.fridays", n=chips),
                say("foresee.later", points=now, later=later),
            )
        case _:
            return ()


def _trade(view: State, intent: i.AcceptTrade | i.BuyFood | i.BuyGold) -> tuple[Said, ...]:
    seat = intent.actor
    food, gold = view.food[seat], view.gold[seat]
    match intent:
        case i.BuyFood(number=number):
            food, gold = food + number, gold - RATE * number
        case i.BuyGold(number=number):
            food, gold = food - RATE * number, gold + number
        case i.AcceptTrade(seat=other):
            offer = offer_of(view, other, seat)
            if offer is None:
                return ()
            trade = goods(offer)
            sign = -1 if trade.seat == seat else 1
            food, gold = food + sign * trade.food, gold - sign * trade.gold
    return (say("foresee.then", food=food, gold=gold),)
