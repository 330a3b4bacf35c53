"""The board drawn: Start, columns with their lines, counters and pawns, and the markets; and the same as rows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from msgspec import Struct

from companion.core import (
    Card,
    Disc,
    Ink,
    Pattern,
    Phrase,
    Picture,
    Said,
    Seat,
    SeatId,
    Shape,
    Stroke,
    Token,
    Word,
    Zone,
    say,
    seats_of,
)
from companion.games.timeline.state import (
    COLOURS,
    GOODS,
    Laid,
    State,
    card_place,
    colours,
    column_place,
    exits,
    good_word,
    is_blank,
    lying,
    market,
    market_place,
    markets,
    onward,
    point,
    point_of,
    start_lane,
    stop_place,
    worth,
)
from companion.games.timeline.state import spot as stands

from .goals import Goals, acting, goals_of
from .words import card_said

WIDTH: Final = 360
LANE: Final = 24
_CLOSE: Final = 12
"""How many lanes to show around a pawn: three cards."""
_HEAD, _START, _FINISH, _DOT = 18, 30, 34, 8
INKS: Final[tuple[Ink, ...]] = ("brown", "yellow", "crimson", "green")
PATTERNS: Final[tuple[Pattern, ...]] = ("solid", "dashed", "dotted", "double")
BEND: Final = ((0, 0), (30, 0), (42, 6), (52, 22), (60, 50), (68, 78), (78, 94), (90, 100), (100, 100))
"""A line across a card, in hundredths: straight past its waypoint, then across to its exit."""


class Frame(Struct, frozen=True, cache_hash=True):
    """Where lanes and columns are on the page."""

    first: int
    last: int
    columns: int

    def y(self, lane: int) -> int:
        """The middle of a lane."""
        return _HEAD + (lane - self.first) * LANE + LANE // 2

    def x(self, column: int) -> int:
        """The left edge of the cards of a column."""
        return _START + 8 + (column - 1) * self.pitch

    @property
    def pitch(self) -> int:
        return (WIDTH - _START - _FINISH - 12) // self.columns

    @property
    def card(self) -> int:
        return self.pitch - 10


def frame_of(view: State) -> Frame:
    """All cards, Start, every market in use, and a lane of space around them."""
    lanes = [0, 3, *markets(view)]
    lanes += (edge for column in view.columns for laid in column for edge in (laid.top, laid.top + 3))
    lanes += (spot.lane for spot in view.pawns if spot.column)
    return Frame(min(lanes) - 1, max(lanes) + 1, len(view.columns))


def picture(view: State) -> Picture:
    frame, goals = frame_of(view), goals_of(view)
    numbers = range(1, len(view.columns) + 1)
    shapes = (
        *_start(view.setup.pack.start, frame),
        *_markets(view, frame, goals),
        *(shape for number in numbers for shape in _column(view, frame, number)),
        *_traces(view, frame),
        *(line for number in numbers for line in _lines(view, frame, number, goals)),
        *_pawns(view, frame),
        *_slide(view, frame),
    )
    note = say("picture.offered", seat=Seat(acting(view))) if goals else None
    high = frame.y(frame.last) + LANE
    return Picture(WIDTH, high, shapes, tuple(_rows(view)), note=note, focus=_focus(view, frame, high))


def _focus(view: State, frame: Frame, high: int) -> tuple[int, int]:
    """The lanes around the pawn whose turn it is; until it is on the board, those of Start."""
    spot, room = view.pawns[acting(view)], min(_CLOSE * LANE, high)
    middle = frame.y(spot.lane) if spot.column else frame.y(1) + LANE // 2
    top = max(0, min(middle - room // 2, high - room))
    return top, top + room


def _traces(view: State, frame: Frame) -> Iterator[Shape]:
    """The whole line of each good, from Start to its market."""
    for good in range(len(GOODS)):
        lanes = [start_lane(view.setup.pack, good)]
        for column in view.columns:
            lanes.append(onward(column, lanes[-1]))
        yield _trace(frame, good, tuple(lanes))


@lru_cache(maxsize=256)
def _trace(frame: Frame, good: int, lanes: tuple[int, ...]) -> Stroke:
    points = [(_START, frame.y(lanes[0]))]
    for number, (lane, out) in enumerate(pairwise(lanes), 1):
        points += _bend(frame, number, lane, out)
    points.append((WIDTH - _FINISH, frame.y(lanes[-1])))
    return Stroke(tuple(points), INKS[good], PATTERNS[good], say("picture.trace", good=good_word(good)))


@lru_cache(maxsize=512)
def _bend(frame: Frame, column: int, lane: int, out: int) -> tuple[tuple[int, int], ...]:
    x, width, y, rise = frame.x(column), frame.card, frame.y(lane), frame.y(out) - frame.y(lane)
    return tuple((x + width * across // 100, y + rise * down // 100) for across, down in BEND)


@lru_cache(maxsize=64)
def _start(start: str, frame: Frame) -> tuple[Shape, ...]:
    return tuple(_starting(start, frame))


def _starting(start: str, frame: Frame) -> Iterator[Shape]:
    yield Zone(0, 2, _START + 2, _HEAD - 2, say("picture.start"))
    yield Card(2, frame.y(0) - LANE // 2, _START - 4, 4 * LANE, say("picture.face"))
    for lane, letter in enumerate(start):
        good = COLOURS.index(letter)
        yield Disc(_START // 2, frame.y(lane), _DOT, say("picture.good", good=good_word(good)), ink=INKS[good])


def _markets(view: State, frame: Frame, goals: Goals) -> Iterator[Shape]:
    """One for each visible lane (T.r); those that buy show their good, those that can be entered a ring."""
    buyers = {lane: good for good, lane in enumerate(markets(view))}
    x = WIDTH - _FINISH
    yield Zone(x, 2, _FINISH, _HEAD - 2, say("picture.finish"))
    for lane in range(frame.first, frame.last + 1):
        value = worth(view.setup.pack, lane)
        y, good = frame.y(lane) - LANE // 2, buyers.get(lane)
        spot = x + _FINISH - 8, y + LANE // 2
        token, offered = Token("place", market_place(lane)), (len(view.columns) + 1, lane) in goals
        if good is not None:
            said = say("picture.market", value=value, good=good_word(good))
            yield Card(x, y + 1, _FINISH // 2, LANE - 2, say("picture.value", value=value))
            yield Disc(*spot, _DOT - 1, said, ink=INKS[good], token=token, offered=offered, word=good_word(good))
        else:
            yield Zone(x, y + 1, _FINISH - 2, LANE - 2, say("picture.value", value=value))
            if offered:
                said = say("picture.market-none", value=value)
                yield Disc(*spot, _DOT - 3, said, ink="soft", token=token, hollow=True, offered=True)


def _column(view: State, frame: Frame, number: int) -> Iterator[Shape]:
    x, width = frame.x(number), frame.card
    label = say("picture.column", n=number)
    yield Zone(x, 2, width, _HEAD - 2, label, token=Token("place", column_place(number)))
    yield from (_card(frame, number, at, laid) for at, laid in enumerate(view.columns[number - 1], 1))


@lru_cache(maxsize=512)
def _card(frame: Frame, number: int, at: int, laid: Laid) -> Card:
    y = frame.y(laid.top) - LANE // 2
    token = Token("place", card_place(number, at)) if is_blank(laid) else Token("piece", laid.card)
    said = say("picture.blank") if is_blank(laid) else say("picture.face")
    return Card(frame.x(number), y + 1, frame.card, 4 * LANE - 2, said, is_blank(laid), token)


def _lines(view: State, frame: Frame, number: int, goals: Goals) -> Iterator[Shape]:
    """The lines of each card, then the counters on them."""
    for laid in view.columns[number - 1]:
        if not is_blank(laid):
            yield from _strokes(frame, number, laid.top, laid.lines)
            yield from _waypoints(view, frame, number, laid, goals)


@lru_cache(maxsize=512)
def _strokes(frame: Frame, number: int, top: int, lines: str) -> tuple[Shape, ...]:
    """Cached: between two acts most cards stay where they are."""
    return tuple(
        Stroke(_bend(frame, number, top + slot, top + out), INKS[good], PATTERNS[good])
        for slot, (good, out) in enumerate(zip(colours(lines), exits(lines), strict=True))
    )


def _waypoints(view: State, frame: Frame, number: int, laid: Laid, goals: Goals) -> Iterator[Shape]:
    card = lying(view, number, laid)
    for slot in range(len(colours(laid.lines))):
        yield _stop(frame, number, laid, slot, card, (number, laid.top + slot) in goals)


@lru_cache(maxsize=1024)
def _stop(frame: Frame, number: int, laid: Laid, slot: int, card: Phrase, offered: bool) -> Disc:
    """A waypoint of a card, with its counter if one lies there."""
    good, lies, lane = colours(laid.lines)[slot], bool(laid.counters >> slot & 1), laid.top + slot
    said = say("picture.counter" if lies else "picture.empty", card=card, number=point(laid, slot + 1))
    (x, y), token, r = _waypoint(frame, number, lane), Token("place", stop_place(number, lane)), _DOT - (not lies)
    return Disc(x, y, r, said, None, INKS[good], token, not lies, offered, good_word(good))


def _slide(view: State, frame: Frame) -> Iterator[Shape]:
    """A reminder for hands: an arrow beside the cards that went up in the last act."""
    number, highest = view.slid
    if not number:
        return
    column = view.columns[number - 1]
    x = frame.x(number) + frame.card + 4
    top, bottom = frame.y(column[0].top) - LANE // 2, frame.y(column[highest - 1].top + 3) + LANE // 2
    yield Stroke(((x, bottom), (x, top), (x - 4, top + 8), (x, top), (x + 4, top + 8)), "brass")


def _waypoint(frame: Frame, column: int, lane: int) -> tuple[int, int]:
    return frame.x(column) + _DOT + 3, frame.y(lane)


def _pawns(view: State, frame: Frame) -> Iterator[Shape]:
    """In a market, which holds any number of them, side by side before its value."""
    crowd: dict[int, int] = {}
    for seat, spot in enumerate(view.pawns):
        who = SeatId(seat)
        said = say("picture.pawn", seat=Seat(who))
        if 0 < spot.column <= len(view.columns):
            x, y = _waypoint(frame, spot.column, spot.lane)
            yield Disc(x, y, _DOT + 2, said, who, "ink", Token("seat", who))
        elif spot.column:
            place = crowd.setdefault(spot.lane, 0)
            crowd[spot.lane] += 1
            x = WIDTH - _FINISH - 6 - place * (_DOT + 4)
            yield Disc(x, frame.y(spot.lane), _DOT + 2, said, who, "ink", Token("seat", who))


def _rows(view: State) -> Iterator[Said]:
    """What slid, the prices, then the board column by column, then the pawns."""
    if view.slid[0]:
        yield say("row.slid", column=view.slid[0], n=view.slid[1])
    for good, lane in enumerate(markets(view)):
        yield say("status.price", good=good_word(good), at=market(view, lane))
    for number, column in enumerate(view.columns, 1):
        for laid in column:
            yield card_said(view, number, laid)
            yield from _line_rows(laid.lines, laid.counters)
    for seat in seats_of(view):
        yield from _pawn_row(view, SeatId(seat))


@lru_cache(maxsize=1024)
def _line_rows(lines: str, counters: int) -> tuple[Said, ...]:
    keys = ("row.counter" if counters >> slot & 1 else "row.empty" for slot in range(4))
    rows = zip(keys, colours(lines), exits(lines), strict=True) if lines else ()
    return tuple(
        say(key, number=point_of(good, slot), out=Word(f"out.{out + 1}"))
        for slot, (key, good, out) in enumerate(rows, 1)
    )


def _pawn_row(view: State, seat: SeatId) -> Iterator[Said]:
    spot = view.pawns[seat]
    if spot.column:
        yield say("status.stands", seat=Seat(seat), at=stands(view, spot.column, spot.lane))
