"""`apply`: the state after an event. It decides nothing; what the rules do by themselves is in `rules/forced.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, assert_never, get_args

from msgspec.structs import replace

from companion.core import (
    EVERYONE,
    Deck,
    Hidden,
    SeatId,
    deck_of,
    instead,
    left_of,
    popped,
    pushed,
    swapped,
    top,
    with_steps,
)

from . import events as e
from .fold_money import bought, rolled, shot, traded
from .fold_repairs import corrected, moved
from .state import (
    NOBODYS,
    Auction,
    DrawingSeats,
    Friday,
    Holding,
    Laid,
    Monday,
    Naming,
    Opening,
    OpenSeat,
    State,
    Step,
    Sunday,
    Thursday,
    Tuesday,
    Turning,
    Wednesday,
    added,
    board_number,
    button_order,
    city_cards,
    county_of,
    holding,
)
from .state import Dispute as DisputeStep

_GROUPS = (
    e.Layings, e.Openings, e.Mondays, e.Disputes, e.Meals, e.Rockets, e.Rolls, e.Sales, e.Buttons, e.Trades,
    e.Repairs, e.Moves,
)  # fmt: skip


def apply(state: State, event: e.AnyEvent) -> State:
    """The state after `event`; on a view, what its audience then knows for sure."""
    return _FOLDS[type(event)](state, event)


def _ended(state: State, event: e.Won | e.AllGone) -> State:
    winner = event.seat if isinstance(event, e.Won) else state.winner
    return replace(state, winner=winner, offers=(), steps=())


def _laid(state: State, event: e.Layings) -> State:
    match event:
        case e.BoardLaid(board=board, place=place):
            _, x, y = place.split("/")
            return replace(state, laid=(*state.laid, Laid(board_number(board), int(x), int(y))))
        case e.BoardTurned(board=board):
            number = board_number(board)
            boards = (replace(b, turn=(b.turn + 1) % 4) if b.board == number else b for b in state.laid)
            return replace(state, laid=tuple(boards))
        case e.BoardLifted(board=board):
            return replace(state, laid=tuple(b for b in state.laid if b.board != board_number(board)))
        case e.LayoutUsed(number=number):
            return replace(state, laid=state.setup.pack.layouts[number - 1].boards)
        case e.MapMade():
            cards, where = city_cards(state.setup.pack), county_of(state)
            made = replace(state, claims=(NOBODYS,) * len(where.claims), deck=deck_of(where.cities))
            made = replace(made, gone=tuple(sorted(set(cards) - set(where.cities))))
            return with_steps(made, Naming(), DrawingSeats(len(state.red)))
        case _:
            assert_never(event)


def _opened(state: State, event: e.Openings) -> State:
    match event:
        case e.SeatDrawn(city=city):
            drawn = replace(state, deck=state.deck.without(city), open_seats=(*state.open_seats, OpenSeat(city)))
            step = top(state)
            assert isinstance(step, DrawingSeats)
            return instead(drawn, DrawingSeats(step.left - 1)) if step.left > 1 else popped(drawn)
        case e.ButtonNamed(seat=seat):
            return with_steps(replace(state, button=seat), Opening(seat))
        case e.Outbid(seat=seat, city=city, number=number):
            return replace(_seat_bid(state, OpenSeat(city)), red=added(state.red, seat, number))
        case e.SeatBid(seat=seat, city=city, number=number):
            bid = replace(_seat_bid(state, OpenSeat(city, seat, number)), red=added(state.red, seat, -number))
            return with_steps(bid, Opening(_next_bidder(bid, seat)))
        case e.SeatBought(seat=seat, city=city, number=number):
            rest = tuple(open_seat for open_seat in state.open_seats if open_seat.city != city)
            sold = replace(state, open_seats=rest, owned=(*state.owned, Holding(city, seat)))
            return replace(sold, bank=added(state.bank, 0, number))
        case e.ButtonMoved(seat=seat):
            return replace(state, button=seat)
        case _:
            assert_never(event)


def _seat_bid(state: State, bid: OpenSeat) -> State:
    return replace(state, open_seats=tuple(bid if s.city == bid.city else s for s in state.open_seats))


def _next_bidder(state: State, seat: SeatId) -> SeatId:
    """F5: the next seat to the left without a bid out; the same seat if all have one."""
    bidders = {open_seat.seat for open_seat in state.open_seats}
    n = len(state.red)
    turns = (SeatId((seat + i) % n) for i in range(1, n))
    return next((s for s in turns if s not in bidders), seat)


def _day_came(state: State, event: e.DayCame) -> State:
    day, first = event.day, state.button
    step: Step
    match day:
        case "monday":
            step = Monday(first)
        case "tuesday":
            step = Tuesday()
        case "wednesday":
            cards = city_cards(state.setup.pack)
            step = Wednesday(tuple(h.city for h in state.owned if not h.chips and cards[h.city].green))
        case "thursday":
            step = Thursday(first)
        case "friday":
            order = button_order(state)
            waiting = (h for seat in order for h in state.owned if h.seat == seat and h.chips)
            step = Friday(tuple(h.city for h in waiting))
        case "saturday":
            step = Turning()
        case _:
            step = Sunday()
    return replace(state, day=day, week=event.week, steps=(step,))


def _placed(state: State, event: e.Mondays) -> State:
    match event:
        case e.Populated(seat=seat):
            return replace(state, owned=tuple(_grown(h) if h.seat == seat else h for h in state.owned))
        case e.Staked(seat=seat, city=city, claim=claim):
            at = county_of(state).claim_at[claim]
            return replace(off_card(state, city), claims=swapped(state.claims, at, seat))
        case e.Strengthened(city=city):
            return changed(off_card(state, city), city, counters=1)
        case e.SentByTrain(city=city, to=to):
            return changed(off_card(state, city), to, train=1)
        case e.RocketBoarded(seat=seat, city=city):
            return replace(off_card(state, city), crew=added(state.crew, seat, 1))
        case e.MondayDone(seat=seat):
            return with_steps(state, Monday(left_of(state, seat)))
        case _:
            assert_never(event)


def _grown(held: Holding) -> Holding:
    """F10: one new counter, plus those from the train."""
    return held if held.chips else replace(held, middle=held.middle + held.train + 1, train=0)


def off_card(state: State, city: str) -> State:
    """One counter fewer in the middle of a City card."""
    return changed(state, city, middle=-1)


def changed(state: State, city: str, counters: int = 0, middle: int = 0, train: int = 0) -> State:
    """This many more counters in a city and on its card."""
    return replace(
        state,
        owned=tuple(
            replace(h, counters=h.counters + counters, middle=h.middle + middle, train=h.train + train)
            if h.city == city
            else h
            for h in state.owned
        ),
    )


def _disputed(state: State, event: e.Disputes) -> State:
    match event, top(state):
        case e.Jumped(seat=seat, city=city, claim=claim, defender=defender), _:
            at = county_of(state).claim_at[claim]
            return pushed(off_card(state, city), DisputeStep(seat, city, at, defender))
        case e.AttackFell(number=number), DisputeStep() as step:
            return instead(state, replace(step, roll=number))
        case e.DefenceFell(), DisputeStep():
            return state
        case e.DisputeLost(), DisputeStep():
            return popped(state)
        case ((e.DisputeWon(seat=seat) | e.ClaimFell(seat=seat)), DisputeStep(claim=at)):
            return popped(replace(state, claims=swapped(state.claims, at, seat)))
        case _:
            raise ValueError(f"{event} does not follow {top(state)}: the record and these rules do not belong together")


def _eaten(state: State, event: e.Meals) -> State:
    match event:
        case e.IncomePaid(seat=seat, food=food, gold=gold):
            red, green, yellow = state.bank
            earned = replace(state, food=added(state.food, seat, food), gold=added(state.gold, seat, gold))
            return replace(earned, bank=(red, green - food, yellow - gold))
        case e.Fed(seat=seat, city=city, number=number):
            fed = replace(state, food=added(state.food, seat, -number), bank=added(state.bank, 1, number))
            return _answered(fed, city)
        case e.Starved(seat=seat, city=city):
            aside = swapped(state.starved, seat, (*state.starved[seat], city))
            lost = replace(state, owned=tuple(h for h in state.owned if h.city != city), starved=aside)
            return _answered(lost, city)
        case e.CityOnDeck(seat=seat, city=city):
            deck = Deck((Hidden(city, EVERYONE), *state.deck.top), state.deck.unseen)
            aside = swapped(state.starved, seat, tuple(c for c in state.starved[seat] if c != city))
            return replace(state, deck=deck, starved=aside)
        case _:
            assert_never(event)


def _answered(state: State, city: str) -> State:
    step = top(state)
    if not isinstance(step, Wednesday):
        return state
    return instead(state, Wednesday(tuple(c for c in step.due if c != city)))


def _sold(state: State, event: e.Sales) -> State:
    match event, top(state):
        case e.CityTurned(city=city), _:
            order = button_order(state)
            return with_steps(replace(state, deck=state.deck.without(city)), Auction(city, order[0], order))
        case e.BidMade(seat=seat, number=number), Auction() as step:
            asked = _next_inside(step.inside, seat)
            return instead(state, replace(step, seat=asked, high=number, by=seat))
        case e.Passed(seat=seat), Auction() as step:
            asked = _next_inside(step.inside, seat)
            return instead(state, replace(step, seat=asked, inside=tuple(s for s in step.inside if s != seat)))
        case e.CityBought(seat=seat, city=city, bank=bank, chips=chips), _:
            money = replace(state, red=added(state.red, seat, -bank - chips), bank=added(state.bank, 0, bank))
            return replace(money, owned=(*state.owned, Holding(city, seat, chips)))
        case e.GhostTown(city=city), _:
            return replace(state, gone=tuple(sorted((*state.gone, city))))
        case ((e.ChipOff(city=city) | e.CityActive(city=city)), _):
            held = holding(state, city)
            assert held is not None
            left = event.left if isinstance(event, e.ChipOff) else 0
            off = held.chips - left
            owned = tuple(replace(h, chips=left) if h.city == city else h for h in state.owned)
            friday = top(state)
            due = tuple(c for c in friday.due if c != city) if isinstance(friday, Friday) else ()
            return with_steps(replace(state, owned=owned, bank=added(state.bank, 0, off)), Friday(due))
        case _:
            raise ValueError(f"{event} does not follow {top(state)}: the record and these rules do not belong together")


def _next_inside(inside: tuple[SeatId, ...], seat: SeatId) -> SeatId:
    """The next to the left who has not passed."""
    return inside[(inside.index(seat) + 1) % len(inside)]


_FOLDERS: Final[tuple[Callable[[State, Any], State], ...]] = (
    _laid, _opened, _placed, _disputed, _eaten, shot, rolled, _sold, bought, traded, corrected, moved,
)  # fmt: skip
_FOLDS: Final[dict[type[Any], Callable[[State, Any], State]]] = {
    event: folder for group, folder in zip(_GROUPS, _FOLDERS, strict=True) for event in get_args(group)
} | {e.DayCame: _day_came, e.Won: _ended, e.AllGone: _ended}
