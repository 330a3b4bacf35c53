"""What people take in at a glance: Gold on its way to 21, goods and their prices, where a line leads, all markets."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from companion.core import Bar, Cell, Ledger, Meter, Part, Row, Said, SeatId, Slots, Stages, Standing, Track, Words, say
from companion.games.timeline.state import (
    GOODS,
    WINNING,
    Drawing,
    Laid,
    Over,
    Selling,
    State,
    Stopping,
    Turn,
    card_on,
    connected,
    counters,
    end_of_line,
    good_word,
    is_blank,
    lying,
    market,
    markets,
    prices,
    tier,
    worth,
)


class Ahead(Struct, frozen=True):
    """The market where a pawn stands or its line leads: its lane, what it pays per counter, the good it buys, if
    any."""

    lane: int
    value: int
    good: int | None

    def said(self) -> Said:
        if self.good is None:
            return say("panel.market-none", at=tier(self.lane), value=self.value)
        return say("panel.market", at=tier(self.lane), value=self.value, good=good_word(self.good))


def ahead(view: State, seat: SeatId) -> Ahead | None:
    """None while the pawn is beside the board."""
    spot = view.pawns[seat]
    if not spot.column:
        return None
    lane = spot.lane if in_market(view, seat) else end_of_line(view, spot)
    return Ahead(lane, worth(view.setup.pack, lane), connected(view, lane))


def in_market(view: State, seat: SeatId) -> bool:
    return view.pawns[seat].column > len(view.columns)


def stages(view: State) -> Stages | None:
    """T7 and T.b: one move or none, then a sale."""
    step = view.steps[-1]
    if not isinstance(step, Turn | Drawing | Stopping | Selling):
        return None
    return Stages((say("panel.stage.move"), say("panel.stage.sell")), int(isinstance(step, Selling)))


def _to_win(gold: int) -> tuple[Part, ...]:
    """The Gold, and what is missing to 21 (T23)."""
    left = max(0, WINNING - gold)
    return Part(say("panel.n", n=gold), gold, "used"), Part(say("panel.to-go", n=left), left, "left")


def _goods_worth(view: State, seat: SeatId) -> int:
    """What a seat's goods would bring at present prices."""
    return sum(n * price for n, price in zip(view.goods[seat], prices(view), strict=True))


def gold_meter(view: State, seat: SeatId, words: Words) -> Meter:
    """Gold and, below it on the same scale, what the goods are worth."""
    gold, goods = view.gold[seat], _goods_worth(view, seat)
    have = Bar(say("panel.gold", n=gold, limit=WINNING), _to_win(gold))
    return Meter(
        words, (have, Bar(say("panel.goods-worth", n=goods), (Part(say("panel.n", n=goods), goods, "extra"),)))
    )


def goods_panel(view: State, seat: SeatId, words: Words) -> Slots:
    """How many of each good, and at what price (T4)."""
    held = zip(GOODS, view.goods[seat], prices(view), strict=True)
    return Slots(words, tuple(Cell(say(f"panel.good.{good}"), good, _priced(n, price), n) for good, n, price in held))


def _priced(held: int, price: int) -> Said:
    return say("panel.worth", price=price, total=held * price) if held else say("panel.price", price=price)


def way(view: State, seat: SeatId, words: Words) -> Iterator[Track]:
    """The column of the pawn, and the market its line leads to; nothing beside the board."""
    there = ahead(view, seat)
    if there is None:
        return
    column = view.pawns[seat].column
    said = say("panel.in-market") if in_market(view, seat) else say("panel.column", column=column)
    stops = (*(str(number) for number in range(1, len(view.columns) + 1)), "$")
    yield Track(words, said, stops, column - 1, there.said())


def price_list(view: State, words: Words) -> Ledger:
    """What each good brings, and in which lane's market."""
    lanes = enumerate(markets(view))
    rows = (Row(say("panel.lane", at=tier(at)), _named(good), str(worth(view.setup.pack, at))) for good, at in lanes)
    return Ledger(words, say("panel.markets"), say("panel.gold-each"), tuple(rows))


def _named(good: int) -> Said:
    return say("panel.name", good=good_word(good))


def standing(view: State, seat: SeatId, words: Words) -> Standing:
    """A seat in the referee check; an alarm if a sale would reach 21 as the lines are now."""
    oil, milk, beet, nuc = view.goods[seat]
    there, gold, alarm = ahead(view, seat), view.gold[seat], None
    notes = [say("panel.goods", n=_goods_worth(view, seat), oil=oil, milk=milk, beet=beet, nuc=nuc)]
    if there is not None:
        notes.append(there.said())
        after = gold + (view.goods[seat][there.good] * there.value if there.good is not None else 0)
        if gold < WINNING <= after and not isinstance(view.steps[-1], Over):
            alarm = say("panel.can-win", n=after, at=market(view, there.lane))
    of = Bar(say("panel.of", limit=WINNING), _to_win(gold))
    return Standing(words, seat, _stands(view, seat), say("panel.gold-word"), str(gold), of, (), alarm, tuple(notes))


def _stands(view: State, seat: SeatId) -> Said:
    spot = view.pawns[seat]
    if not spot.column:
        return say("panel.beside")
    laid = None if in_market(view, seat) else card_on(view.columns[spot.column - 1], spot.lane)
    return say("panel.at-market") if laid is None else say("panel.at", card=lying(view, spot.column, laid))


def board(view: State, words: Words) -> Iterator[Ledger]:
    """Every card of the board, column by column from the top down, with the counters left on it."""
    cards = ((number, laid) for number, column in enumerate(view.columns, 1) for laid in column)
    rows = tuple(Row(say("panel.col", column=number), _card(laid), _height(laid.top)) for number, laid in cards)
    if rows:
        yield Ledger(words, say("panel.board"), say("panel.top-lane"), rows, folded=True)


def _card(laid: Laid) -> Said:
    if is_blank(laid):
        return say("panel.blank")
    return say("panel.card", left=counters(laid))


def _height(top: int) -> str:
    """How many lanes above or below Start a card begins."""
    return "=" if not top else f"{'↓' if top > 0 else '↑'} {abs(top)}"
