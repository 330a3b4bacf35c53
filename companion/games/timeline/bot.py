"""A sensible player that thinks two moves ahead: what it does now, and what that makes possible. Reads only a view."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from companion.core import UNKNOWN, Event, Intent, SeatId, left_of

from .fold import apply, inserted
from .rules import intents as i
from .rules.market import stock
from .rules.stops import sliding, stopped
from .rules.travel import explored, reached
from .state import (
    BLANK,
    WINNING,
    Laid,
    Spot,
    State,
    Stopping,
    blanks_before,
    card_on,
    colours,
    connected,
    end_of_line,
    find,
    lanes_between,
    markets_after,
    markets_in,
    met,
    new_top,
    prices,
    sellable,
    with_column,
)

STALL: Final = 60
"""Turns per seat after which it would rather stop (T.k)."""
KEPT, PRICED = 0.6, 0.2
"""What a counter in hand is worth: a flat part, because prices change, plus a part of its price now."""
ENOUGH: Final = 0.85
"""Goods count up to this share of the Gold still missing."""
SOON: Final = 0.8
"""What next turn's gains are worth today."""
UNSEEN: Final = 1.7
"""What a card still to be drawn brings on average: four fresh counters to choose from, or one."""
WIN, LOSS, HOPED = 1000.0, 60.0, 15.0


def choose(view: State, seat: SeatId, legal: tuple[Intent, ...], tie: int) -> Intent:
    """One of `legal`; among equally good ones, `tie` decides."""
    stop = next((intent for intent in legal if isinstance(intent, i.AgreeToStop)), None)
    if stop is not None and view.turns > STALL * len(view.gold):
        return stop
    rated = [(rate(view, seat, intent), intent) for intent in legal if not isinstance(intent, i.AgreeToStop)]
    best = max((value for value, _ in rated), default=0.0)
    good = [intent for value, intent in rated if value >= best - 1e-9] or list(legal)
    chosen = good[tie % len(good)]
    return i.Sell(seat, stock(view, seat)) if isinstance(chosen, i.Sell) else chosen


def rate(view: State, seat: SeatId, intent: Intent) -> float:
    """How good an intent is, in Gold."""
    match intent:
        case i.Sell():
            return _sale(view, seat, stock(view, seat))
        case i.KeepGoods():
            return _position(view, seat) - 0.01
        case i.Stay():
            return _position(view, seat) - 0.3
        case i.EnterMarket():
            return _market(view, seat)
        case i.GoAbove() | i.GoBelow() | i.Explore():
            return _position(_unseen(view, seat, intent), seat) + UNSEEN
        case i.Flip():
            return _position(view, seat) + UNSEEN
        case i.Move() | i.Travel() | i.StopOn() | i.Place():
            after = _after(view, seat, intent)
            return _position(after, seat) if after is not None else 0.0
        case _:
            return 0.0


def _after(view: State, seat: SeatId, intent: i.Move | i.Travel | i.StopOn | i.Place) -> State | None:
    """The board after stopping on a face-up card."""
    goal = _goal(view, seat, intent)
    if goal is None:
        return None
    column, laid, lane = goal
    return _folded(view, stopped(view, seat, column, laid, lane))


def _unseen(view: State, seat: SeatId, intent: i.GoAbove | i.GoBelow | i.Explore) -> State:
    """The board with a blank in place of the card that would be laid, and the pawn on it."""
    spot = view.pawns[seat]
    if isinstance(intent, i.Explore):
        there = explored(view, intent)
        if there is None or there.laid is not None:
            return view
        column, lane = there.column, there.lane
        top = new_top(view.columns[column - 1], lane)
    else:
        column, cards = spot.column, view.columns[spot.column - 1]
        top = cards[0].top - 4 if isinstance(intent, i.GoAbove) else cards[-1].top + 4
        lane = top
    new = inserted(view.columns[column - 1], Laid(UNKNOWN, top, BLANK, 0))
    return _moved(with_column(view, column, new), seat, Spot(column, lane))


def _goal(view: State, seat: SeatId, intent: i.Move | i.Travel | i.StopOn | i.Place) -> tuple[int, Laid, int] | None:
    match intent:
        case i.Travel():
            there = reached(view, seat, intent)
            return (there.column, there.laid, there.lane) if there and there.laid else None
        case i.StopOn(number=number):
            step = view.steps[-1]
            if not isinstance(step, Stopping):
                return None
            laid = card_on(view.columns[step.column - 1], step.top)
            return (step.column, laid, step.top + number - 1) if laid else None
        case i.Move(card=card, number=number) | i.Place(card=card, number=number):
            found = find(view, card)
            return (*found, found[1].top + number - 1) if found else None


def _folded(view: State, events: tuple[Event, ...]) -> State:
    for event in events:
        view = apply(view, event)  # type: ignore[arg-type]
    return view


def _wealth(gold: int, goods: tuple[int, ...], worth: tuple[int, ...]) -> float:
    """Gold, plus goods valued in Gold; goods beyond what a win needs are worth nothing, so that nobody hoards."""
    held = sum(n * (KEPT + PRICED * price) for n, price in zip(goods, worth, strict=True))
    return gold + min(held, ENOUGH * max(WINNING - gold, 0))


def _sold(view: State, seat: SeatId, good: int, number: int, now: tuple[int, ...]) -> float:
    """The wealth after selling this many now; winning outweighs everything."""
    gold, goods = view.gold[seat] + number * now[good], view.goods[seat]
    left = (*goods[:good], goods[good] - number, *goods[good + 1 :])
    return _wealth(gold, left, now) + (WIN if gold >= WINNING else 0.0)


def _sale(view: State, seat: SeatId, number: int) -> float:
    good = sellable(view, view.pawns[seat])
    if good is None or not number:
        return 0.0
    return _sold(view, seat, good, number, prices(view)) - _threat(view, seat)


def _market(view: State, seat: SeatId) -> float:
    """The value of entering the market at the end of the line and selling all it buys, if that pays."""
    lane = end_of_line(view, view.pawns[seat])
    moved = _moved(view, seat, Spot(len(view.columns) + 1, lane))
    return max(_sale(moved, seat, stock(moved, seat)), _position(moved, seat))


def _moved(view: State, seat: SeatId, spot: Spot) -> State:
    return replace(view, pawns=(*view.pawns[:seat], spot, *view.pawns[seat + 1 :]))


def _position(view: State, seat: SeatId) -> float:
    """Gold and goods, plus the most that its next move could add."""
    now = prices(view)
    value = _wealth(view.gold[seat], view.goods[seat], now)
    ahead = max(_sale_next(view, seat, now) - value, _take_next(view, seat) - value, 0.0)
    return value + SOON * ahead - _threat(view, seat)


def _sale_next(view: State, seat: SeatId, now: tuple[int, ...]) -> float:
    """The wealth after the best sale ahead if the board stayed as it is, discounted for each turn until then."""
    on_line, _ = _reachable_sale(view, seat)
    lanes = _lanes_here(view, seat)
    best = value = _wealth(view.gold[seat], view.goods[seat], now)
    for good, number in enumerate(view.goods[seat]):
        gain = min(_sold(view, seat, good, number, now) - value, HOPED)
        if number and gain > 0:
            away = 0 if good == on_line else _away(view, seat, lanes[good])
            best = max(best, value + gain * SOON**away)
    return best


def _lanes_here(view: State, seat: SeatId) -> tuple[int, int, int, int]:
    """The lanes on which the four goods enter the pawn's column."""
    return markets_in(view.setup.pack, view.columns[: max(view.pawns[seat].column - 1, 0)])


def _away(view: State, seat: SeatId, lane: int) -> int:
    """Turns until the pawn stands on that lane of its column: one if a card covers it, one more per card yet to be
    laid."""
    spot = view.pawns[seat]
    if not 0 < spot.column <= len(view.columns):
        return 3
    column = view.columns[spot.column - 1]
    if lane < column[0].top or lane > column[-1].top + 3:
        return 2 + blanks_before(column, lane)
    return 1 if card_on(column, lane) is not None else 4


def _reachable_sale(view: State, seat: SeatId) -> tuple[int | None, int]:
    """The good that a seat could sell on its next turn, and how many it has."""
    spot = view.pawns[seat]
    if not spot.column:
        return None, 0
    lane = spot.lane if spot.column > len(view.columns) else end_of_line(view, spot)
    good = connected(view, lane)
    return good, 0 if good is None else view.goods[seat][good]


def _take_next(view: State, seat: SeatId) -> float:
    """The wealth after taking the best counter within reach, including what its slide does to all prices."""
    best, goods = 0.0, view.goods[seat]
    finish, lanes = view.setup.pack.finish, lanes_between(view)
    for number, laid, slots in _within_reach(view, seat):
        taken = {colours(laid.lines)[slot] for slot in slots if laid.counters >> slot & 1}
        if not taken:
            continue
        highest = sliding(view, view.columns[number - 1], laid)
        after = tuple(finish[lane % 4] for lane in markets_after(view, number, highest, lanes[number - 1]))
        dearest = max(taken, key=lambda good: after[good])
        more = (*goods[:dearest], goods[dearest] + 1, *goods[dearest + 1 :])
        best = max(best, _wealth(view.gold[seat], more, after))
    return best


def _within_reach(view: State, seat: SeatId) -> list[tuple[int, Laid, tuple[int, ...]]]:
    """Column, card and slots where the next move could stop; pawns in the way may have left by then."""
    spot = view.pawns[seat]
    found: list[tuple[int, Laid, tuple[int, ...]]] = []
    if 0 < spot.column <= len(view.columns):
        found += ((spot.column, laid, (0, 1, 2, 3)) for laid in view.columns[spot.column - 1] if laid.lines)
    found += ((m.column, m.laid, (m.lane - m.laid.top,)) for m in met(view, seat) if m.laid and m.laid.lines)
    return found


def _threat(view: State, seat: SeatId) -> float:
    """How near the others are to a winning sale; the next to move counts most."""
    threat, now = 0.0, prices(view)
    for other in range(len(view.gold)):
        if other == seat:
            continue
        good, number = _reachable_sale(view, SeatId(other))
        gold = number * now[good] if good is not None else 0
        if view.gold[other] + gold >= WINNING:
            threat += LOSS if other == left_of(view, seat) else LOSS / 2
        else:
            threat += 0.15 * gold
    return threat
