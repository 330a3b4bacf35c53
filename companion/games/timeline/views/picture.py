"""The board drawn: Start, columns with their lines, counters and pawns, and the markets; and the same as rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from companion.core.facts import Piece, Said, Seat, say
from companion.core.ids import SeatId
from companion.core.pictures import Card, Disc, Ink, Pattern, Picture, Shape, Stroke, Zone
from companion.core.rules import Token
from companion.games.timeline.cards import COLOURS, GOODS, colours, column_place, exits, good_word
from companion.games.timeline.lanes import markets, onward, start_lane, worth
from companion.games.timeline.state import Laid, State, is_blank, seats_of

from .words import card_said

WIDTH: Final = 360
LANE: Final = 24
_HEAD, _START, _FINISH, _DOT = 18, 30, 34, 8
_INKS: Final[tuple[Ink, ...]] = GOODS
_PATTERNS: Final[tuple[Pattern, ...]] = ("solid", "dashed", "dotted", "double")
_BEND: Final = ((0, 0), (30, 0), (42, 6), (52, 22), (60, 50), (68, 78), (78, 94), (90, 100), (100, 100))
"""A line across a card, in hundredths: straight past its waypoint, then over to its exit."""


class Frame(Struct, frozen=True):
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
    """All cards, Start, every market in use, and a lane of space around."""
    lanes = [0, 3, *markets(view)]
    lanes += (edge for column in view.columns for laid in column for edge in (laid.top, laid.top + 3))
    lanes += (spot.lane for spot in view.pawns if spot.column)
    return Frame(min(lanes) - 1, max(lanes) + 1, len(view.columns))


def picture(view: State) -> Picture:
    frame = frame_of(view)
    numbers = range(1, len(view.columns) + 1)
    shapes = (
        *_start(view, frame),
        *_markets(view, frame),
        *(shape for number in numbers for shape in _column(view, frame, number)),
        *_traces(view, frame),
        *(line for number in numbers for laid in view.columns[number - 1] for line in _lines(frame, number, laid)),
        *_pawns(view, frame),
        *_slide(view, frame),
    )
    return Picture(WIDTH, frame.y(frame.last) + LANE, shapes, tuple(_rows(view)))


def _traces(view: State, frame: Frame) -> Iterator[Shape]:
    """The whole line of each good, from Start to its market."""
    for good in range(len(GOODS)):
        lane = start_lane(view.setup.pack, good)
        points = [(_START, frame.y(lane))]
        for number, column in enumerate(view.columns, 1):
            out = onward(column, lane)
            points += _bend(frame, number, lane, out)
            lane = out
        points.append((WIDTH - _FINISH, frame.y(lane)))
        yield Stroke(tuple(points), _INKS[good], _PATTERNS[good], say("picture.trace", good=good_word(good)))


def _bend(frame: Frame, column: int, lane: int, out: int) -> list[tuple[int, int]]:
    x, width, y, rise = frame.x(column), frame.card, frame.y(lane), frame.y(out) - frame.y(lane)
    return [(x + width * across // 100, y + rise * down // 100) for across, down in _BEND]


def _start(view: State, frame: Frame) -> Iterator[Shape]:
    yield Zone(0, 2, _START + 2, _HEAD - 2, say("picture.start"))
    yield Card(2, frame.y(0) - LANE // 2, _START - 4, 4 * LANE, say("picture.face"))
    for lane, letter in enumerate(view.setup.pack.start):
        good = COLOURS.index(letter)
        yield Disc(_START // 2, frame.y(lane), _DOT, say("picture.good", good=good_word(good)), ink=_INKS[good])


def _markets(view: State, frame: Frame) -> Iterator[Shape]:
    """One for each lane in sight (T.r); those that buy carry their good."""
    buyers = {lane: good for good, lane in enumerate(markets(view))}
    x = WIDTH - _FINISH
    yield Zone(x, 2, _FINISH, _HEAD - 2, say("picture.finish"))
    for lane in range(frame.first, frame.last + 1):
        value = worth(view.setup.pack, lane)
        y = frame.y(lane) - LANE // 2
        if lane in buyers:
            good = buyers[lane]
            said = say("picture.market", value=value, good=good_word(good))
            yield Card(x, y + 1, _FINISH // 2, LANE - 2, say("picture.value", value=value))
            yield Disc(x + _FINISH - 8, y + LANE // 2, _DOT - 1, said, ink=_INKS[good])
        else:
            yield Zone(x, y + 1, _FINISH - 2, LANE - 2, say("picture.value", value=value))


def _column(view: State, frame: Frame, number: int) -> Iterator[Shape]:
    x, width = frame.x(number), frame.card
    label = say("picture.column", n=number)
    yield Zone(x, 2, width, _HEAD - 2, label, token=Token("place", column_place(number)))
    for laid in view.columns[number - 1]:
        y = frame.y(laid.top) - LANE // 2
        token = None if is_blank(laid) else Token("piece", laid.card)
        said = say("picture.blank") if is_blank(laid) else say("picture.face")
        yield Card(x, y + 1, width, 4 * LANE - 2, said, is_blank(laid), token)


def _lines(frame: Frame, number: int, laid: Laid) -> Iterator[Shape]:
    """The four lines of a card, then the counters on them; a blank has none."""
    if is_blank(laid):
        return
    for slot, out in enumerate(exits(laid.lines)):
        good = colours(laid.lines)[slot]
        points = _bend(frame, number, laid.top + slot, laid.top + out)
        yield Stroke(tuple(points), _INKS[good], _PATTERNS[good])
    for slot, good in enumerate(colours(laid.lines)):
        lies = bool(laid.counters >> slot & 1)
        key = "picture.counter" if lies else "picture.empty"
        said = say(key, good=good_word(good), card=Piece(laid.card), number=slot + 1)
        x, y = _waypoint(frame, number, laid.top + slot)
        yield Disc(x, y, _DOT if lies else _DOT - 1, said, None, _INKS[good], Token("piece", laid.card), not lies)


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
    """In a market, which holds any number, side by side before its value."""
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
        yield say("status.price", good=good_word(good), value=worth(view.setup.pack, lane), at=lane)
    for number, column in enumerate(view.columns, 1):
        for at, laid in enumerate(column):
            yield card_said("status.top" if at == 0 else "status.below", number, laid)
            for slot in range(4) if laid.lines else ():
                yield _line_row(number, laid, slot)
    for seat in seats_of(view):
        yield from _pawn_row(view, SeatId(seat))


def _line_row(number: int, laid: Laid, slot: int) -> Said:
    key = "row.counter" if laid.counters >> slot & 1 else "row.empty"
    good = good_word(colours(laid.lines)[slot])
    return say(key, column=number, number=slot + 1, good=good, out=exits(laid.lines)[slot] + 1)


def _pawn_row(view: State, seat: SeatId) -> Iterator[Said]:
    spot = view.pawns[seat]
    if 0 < spot.column <= len(view.columns):
        for laid in view.columns[spot.column - 1]:
            if 0 <= spot.lane - laid.top <= 3:
                number = spot.lane - laid.top + 1
                yield say("status.stands", seat=Seat(seat), column=spot.column, card=Piece(laid.card), number=number)
    elif spot.column:
        value = worth(view.setup.pack, spot.lane)
        yield say("status.in-market", seat=Seat(seat), value=value, at=spot.lane)
