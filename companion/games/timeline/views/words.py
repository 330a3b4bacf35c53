"""The game in words: the headline, a seat's own things, the referee check, the numbers of the report."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise

from companion.core import Finding, Line, RuleId, Said, Seat, SeatId, Shown, Status, Word, say, seats_of
from companion.games.timeline.rules.forced import COURSE
from companion.games.timeline.state import (
    GOODS,
    WINNING,
    Dealing,
    Laid,
    Naming,
    Over,
    Placing,
    State,
    connected,
    counters,
    end_of_line,
    good_word,
    in_deck,
    is_blank,
    level,
    lying,
    market,
    markets,
    option,
    path_cards,
    prices,
    sellable,
)
from companion.games.timeline.state import spot as stands

from .panels import ahead, board, gold_meter, goods_panel, in_market, price_list, standing, way


def headline(view: State) -> Said:
    """Where the game stands, in one line: once it is running, the four prices."""
    match view.steps[-1]:
        case Over():
            return say("headline.over", n=max(view.gold))
        case Dealing() | Naming():
            return say("headline.setup")
        case Placing():
            return _priced("headline.placing", view)
        case _:
            return _priced("headline.turn", view)


def _priced(key: str, view: State) -> Said:
    oil, milk, beet, nuc = prices(view)
    return say(key, seat=Seat(view.turn), oil=oil, milk=milk, beet=beet, nuc=nuc)


def own(view: State, seat: SeatId) -> tuple[Shown, ...]:
    """One seat's Gold, its goods with their prices, and the market at the end of its line."""
    gold = say("own.gold", n=view.gold[seat], limit=WINNING)
    return (
        gold_meter(view, seat, (gold,)),
        goods_panel(view, seat, tuple(_goods(view, seat))),
        *way(view, seat, tuple(_way_on(view, seat))),
    )


def _goods(view: State, seat: SeatId) -> Iterator[Said]:
    for good, (held, price) in enumerate(zip(view.goods[seat], prices(view), strict=True)):
        if held:
            yield say("own.good", good=good_word(good), n=held, price=price, total=held * price)


def _way_on(view: State, seat: SeatId) -> Iterator[Said]:
    there = ahead(view, seat)
    if there is None:
        return
    arrived = in_market(view, seat)
    if not arrived:
        yield say("own.column", column=view.pawns[seat].column)
    word = Word("good.none") if there.good is None else good_word(there.good)
    yield say("own.market" if arrived else "own.line", at=market(view, there.lane), good=word)


def status(view: State) -> Status:
    """The referee check: prices and markets, goods and Gold, who can sell what, and the board column by column."""
    columns = (_column(view, number) for number in range(1, len(view.columns) + 1))
    facts: Iterator[Shown] = chain(
        (_awaited(view), price_list(view, tuple(_prices(view)))),
        (standing(view, SeatId(seat), tuple(_seat(view, SeatId(seat)))) for seat in seats_of(view)),
        board(view, tuple(chain(*columns))),
        (say("status.deck", n=in_deck(view)),),
    )
    return Status(tuple(facts), tuple(_findings(view)))


def _awaited(view: State) -> Said:
    asked = COURSE.decisions(view)
    if not asked:
        return say("status.over")
    return say("status.awaited", seat=Seat(asked[-1].seats[0]), what=Word(f"awaited.{asked[-1].kind}"))


def _prices(view: State) -> Iterator[Said]:
    for good, lane in enumerate(markets(view)):
        yield say("status.price", good=good_word(good), at=market(view, lane))


def _seat(view: State, seat: SeatId) -> Iterator[Said]:
    who, spot = Seat(seat), view.pawns[seat]
    oil, milk, beet, nuc = view.goods[seat]
    yield say("status.seat", seat=who, gold=view.gold[seat], oil=oil, milk=milk, beet=beet, nuc=nuc)
    if spot.column > len(view.columns):
        good, there = sellable(view, spot), market(view, spot.lane)
        if good is not None and view.goods[seat][good]:
            yield say("status.can-sell", seat=who, n=view.goods[seat][good], good=good_word(good), at=there)
        else:
            yield say("status.in-market", seat=who, at=there)
    elif spot.column:
        yield say("status.stands", seat=who, at=stands(view, spot.column, spot.lane))
        yield _way(view, seat)


def _way(view: State, seat: SeatId) -> Said:
    """The market that a seat's next move could reach, and what it could sell there now."""
    lane = end_of_line(view, view.pawns[seat])
    good, there = connected(view, lane), market(view, lane)
    if good is None:
        return say("status.line-none", seat=Seat(seat), at=there)
    return say("status.line", seat=Seat(seat), at=there, good=good_word(good), n=view.goods[seat][good])


def _column(view: State, number: int) -> Iterator[Said]:
    """The cards of a column from the top down."""
    return (card_said(view, number, laid) for laid in view.columns[number - 1])


def card_said(view: State, column: int, laid: Laid) -> Said:
    """A card where it lies, with the goods that still lie on it."""
    card, at = lying(view, column, laid), level(laid.top)
    if is_blank(laid):
        return say("status.blank", card=card, at=at)
    return say("status.card", card=card, at=at, left=counters(laid))


def _findings(view: State) -> Iterator[Finding]:
    lying = len(view.deck) + sum(1 for column in view.columns for laid in column if laid.lines)
    due = len(path_cards(view.setup.pack))
    if lying != due:
        yield Finding(RuleId("T25"), say("finding.cards", n=lying, due=due))
    for number, column in enumerate(view.columns, 1):
        gaps = any(low.top - high.top > 4 for high, low in pairwise(column))
        if gaps and option(view, "slide") != "card-and-above":
            yield Finding(RuleId("T.o"), say("finding.gap", column=number))
    on_board = [spot for spot in view.pawns if 0 < spot.column <= len(view.columns)]
    if len({(spot.column, spot.lane) for spot in on_board}) < len(on_board):
        yield Finding(RuleId("T18"), say("finding.pawns"))
    for seat, spot in enumerate(view.pawns):
        under = [c for c in view.columns[spot.column - 1] if 0 <= spot.lane - c.top <= 3] if spot in on_board else []
        if any(laid.counters >> (spot.lane - laid.top) & 1 for laid in under):
            yield Finding(RuleId("T15"), say("finding.counter", seat=Seat(SeatId(seat))))


def series(state: State) -> tuple[Line, ...]:
    """Gold of each seat and the price of each good, for the report."""
    lines = (Line(f"series.{good}", (price,)) for good, price in zip(GOODS, prices(state), strict=True))
    return (Line("series.gold", state.gold), *lines)
