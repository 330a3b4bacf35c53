"""What-if: the prices after an intent, and whose goods gain or lose, told in advance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import Struct

from companion.core import Fact, Intent, Name, Said, Seat, SeatId, Word, say
from companion.games.timeline.rules import intents as i
from companion.games.timeline.rules.stops import sliding
from companion.games.timeline.rules.travel import explored, reached
from companion.games.timeline.state import (
    GOODS,
    Columns,
    Four,
    Laid,
    State,
    Stopping,
    blanks_before,
    card_on,
    colours,
    connected,
    end_of_line,
    find,
    good_word,
    lanes_between,
    markets_after,
    sellable,
    worth,
)


def foresee(view: State, intent: Intent) -> tuple[Said, ...]:
    """Short lines for the choice; () if its label says it all."""
    match intent:
        case i.Move() | i.Travel() | i.StopOn() | i.Place():
            return _stop(view, intent)
        case i.GoAbove() | i.GoBelow() | i.Flip():
            return (say("foresee.unknown"),)
        case i.Explore():
            return _exploration(view, intent)
        case i.EnterMarket(actor=seat):
            return (_market(view, seat, end_of_line(view, view.pawns[seat])),)
        case i.Sell():
            return _sale(view, intent)
        case i.Stay(actor=seat) if sellable(view, view.pawns[seat]) is not None:
            return (say("foresee.keeps"),)
        case i.AgreeToStop():
            return (say("foresee.stop", n=len(view.gold) - len(view.agreed) - 1),)
        case _:
            return ()


def goal(view: State, intent: i.Move | i.Travel | i.StopOn | i.Place) -> tuple[int, Laid, int] | None:
    """The column, card and slot where the pawn would stop."""
    match intent:
        case i.Travel():
            met = reached(view, intent.actor, intent)
            return (met.column, met.laid, met.lane - met.laid.top) if met and met.laid else None
        case i.StopOn():
            step = view.steps[-1]
            laid = card_on(view.columns[step.column - 1], step.top) if isinstance(step, Stopping) else None
            return (step.column, laid, intent.number - 1) if laid and isinstance(step, Stopping) else None
        case i.Move() | i.Place():
            found = find(view, intent.card)
            return (*found, intent.number - 1) if found else None


def _stop(view: State, intent: i.Move | i.Travel | i.StopOn | i.Place) -> tuple[Said, ...]:
    found = goal(view, intent)
    if found is None or not 0 <= found[2] <= 3:
        return ()
    column, laid, slot = found
    if not laid.counters >> slot & 1:
        return (say("foresee.empty"),)
    good = colours(laid.lines)[slot]
    word = good_word(good)
    if type(intent) is i.Place:
        return (say("foresee.first", good=word),)
    after, lines = _slide(view, column, laid)
    return (say("foresee.gets", good=word, n=view.goods[intent.actor][good] + 1, price=after[good]), *lines)


Prices: TypeAlias = tuple[int, ...]


class Slides(Struct):
    """What-if for one position: where the goods enter each column, their prices now, and each slide asked about."""

    columns: Columns
    goods: tuple[Four, ...]
    lanes: list[Four]
    now: Prices
    known: dict[tuple[int, int], tuple[Prices, tuple[Said, ...]]]


_LAST: Final = [Slides((), (), [], (), {})]
"""The last position asked about: all waypoints of a card slide the same cards. Compared by identity."""


def _slide(view: State, column: int, laid: Laid) -> tuple[Prices, tuple[Said, ...]]:
    """The prices after a counter of this card is taken and its column has slid, and what to say about them."""
    slides = _LAST[0]
    if slides.columns is not view.columns or slides.goods is not view.goods:
        lanes = lanes_between(view)
        slides = _LAST[0] = Slides(view.columns, view.goods, lanes, _worth(view, lanes[-1]), {})
    asked = column, laid.top
    found = slides.known.get(asked)
    if found is None:
        highest = sliding(view, view.columns[column - 1], laid)
        after = _worth(view, markets_after(view, column, highest, slides.lanes[column - 1]))
        lines = (_changes(slides.now, after), *_gains(view, slides.now, after))
        found = slides.known[asked] = after, lines
    return found


def _worth(view: State, lanes: Four) -> Prices:
    finish = view.setup.pack.finish
    return tuple([finish[lane % 4] for lane in lanes])


_WAYS: Final[dict[int, Fact]] = {-1: Word("way.down"), 0: Name(""), 1: Word("way.up")}


def _changes(before: Prices, after: Prices) -> Said:
    """The four prices to come, each marked if it rises or falls."""
    if before == after:
        return say("foresee.same")
    facts: list[tuple[str, Fact]] = []
    for good, old, new in zip(GOODS, before, after, strict=True):
        facts += ((good, new), (f"{good}_way", _WAYS[(new > old) - (new < old)]))
    return Said("foresee.prices", tuple(facts))


def _gains(view: State, before: Prices, after: Prices) -> Iterator[Said]:
    """Whose goods gain or lose value, not counting the counter taken."""
    for seat, goods in enumerate(view.goods):
        change = sum(n * (new - old) for n, old, new in zip(goods, before, after, strict=True))
        if change:
            yield say("foresee.gains" if change > 0 else "foresee.loses", seat=Seat(SeatId(seat)), n=abs(change))


def _exploration(view: State, intent: i.Explore) -> tuple[Said, ...]:
    met = explored(view, intent)
    if met is None:
        return ()
    if met.laid is not None:
        return (say("foresee.flips"), say("foresee.unknown"))
    column = view.columns[met.column - 1]
    blanks = blanks_before(column, met.lane) if column else 0
    lines = (say("foresee.blanks", n=blanks),) if blanks > 0 else ()
    return (*lines, say("foresee.unknown"))


def _market(view: State, seat: SeatId, lane: int) -> Said:
    good, value = connected(view, lane), worth(view.setup.pack, lane)
    if good is None:
        return say("foresee.market-none", value=value)
    return say("foresee.market", value=value, good=good_word(good), n=view.goods[seat][good])


def _sale(view: State, intent: i.Sell) -> tuple[Said, ...]:
    spot = view.pawns[intent.actor]
    if sellable(view, spot) is None:
        return ()
    gold = intent.number * worth(view.setup.pack, spot.lane)
    return (say("foresee.gold", n=gold, total=view.gold[intent.actor] + gold),)
