"""A game's picture made ready for SVG: every shape with its text in the reader's language, wrapped to fit."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, assert_never

from msgspec import Struct
from msgspec.structs import replace

from companion.core import (
    Box,
    Card,
    Chip,
    Disc,
    Face,
    Icon,
    Picture,
    Piece,
    PieceId,
    Said,
    Seat,
    SeatId,
    Shape,
    Spot,
    Stroke,
    Token,
    Zone,
    bounds,
    say,
)
from companion.library import Speaker

from .lettering import LARGEST, Words, cut, in_the_middle, line, size_of, width_of, wrap

_HEAD, _TAIL, _NUMBER, _NAME, _CHIP, _DOWN = 12.5, 11.0, 17.0, 9.0, 10.0, 9.0
"""Letter sizes: a board's two numbers, a card's number and name, a chip, the lower edge of a card."""
_NAME_LINES: Final = 2
_SMALLEST, _CLOSER = 7.0, 0.95
_LOW, _HIGH = 38, 58
"""A lower card has no room for its name; one this high has room for a third line of it."""
_TOP, _HELD = 20, 5
"""Where a card's name begins, and how much of the plate on its lower edge lies on the card."""
_EDGE: Final = 4
"""Horizontal space that a card's text leaves free, both sides together."""


class Sign(Struct, frozen=True):
    """An icon, placed."""

    icon: Icon
    x: float
    y: float
    size: float


class Plate(Struct, frozen=True):
    """A small plate behind words."""

    look: Literal["price", "count", "said"]
    x: float
    y: float
    w: float
    h: float


class Emblem(Struct, frozen=True):
    """The shape of a seat with a letter in it."""

    seat: SeatId
    letter: str
    x: int
    y: int
    scale: float


class Mark(Struct, frozen=True, cache_hash=True):
    """One shape, placed; `kind` picks its element, `look` its classes."""

    kind: Literal["card", "zone", "spot", "stroke", "disc", "pawn", "trace"]
    look: str
    title: str
    x: int = 0
    y: int = 0
    w: int = 0
    h: int = 0
    points: str = ""
    words: tuple[Words, ...] = ()
    points_at: Token | None = None
    sign: Sign | None = None
    plate: Plate | None = None
    emblem: Emblem | None = None


class Trace(Struct, frozen=True):
    """A line that is drawn while it is selected: its number, the look of its swatch, its name."""

    number: int
    look: str
    text: str


class Meaning(Struct, frozen=True):
    """A line of the legend."""

    icon: Icon
    text: str


class Drawing(Struct, frozen=True):
    """Everything that is drawn; `has_turn` if something is marked as belonging to the seat whose turn it is."""

    width: int
    height: int
    marks: tuple[Mark, ...]
    traces: tuple[Trace, ...] = ()
    legend: tuple[Meaning, ...] = ()
    note: str = ""
    has_turn: bool = False
    fold: int = 0
    focus: tuple[int, int] = (0, 0)

    @property
    def has_down(self) -> bool:
        """Whether something lies face down, which is hatched."""
        return any(mark.kind == "card" and mark.look == "down" for mark in self.marks)

    @property
    def leaves(self) -> tuple[tuple[int, int], ...]:
        """Where it may be cut, so that the pieces can be laid side by side."""
        return ((0, self.fold), (self.fold, self.height)) if self.fold else ((0, self.height),)


def draw(picture: Picture, speaker: Speaker) -> Drawing:
    sizes = _card_sizes(picture, speaker)
    traces, marks = list[Trace](), list[Mark]()
    has_turn = False
    for shape in picture.shapes:
        if isinstance(shape, Stroke) and shape.trace is not None:
            marks.append(_trace(shape, len(traces)))
            traces.append(Trace(len(traces), _line(shape), speaker.say(shape.trace)))
        elif isinstance(shape, Card):
            marks.append(_mark(shape, speaker, sizes.get((shape.w, shape.h), 0) if shape.face is None else 0))
        else:
            marks.append(_mark(shape, speaker, 0))
            if isinstance(shape, Zone):
                has_turn = has_turn or shape.marked
                if shape.seat is not None:
                    marks.append(_owner(shape, shape.seat, speaker))
    legend = tuple(Meaning(key.icon, speaker.say(key.said)) for key in picture.legend)
    note = "" if picture.note is None else speaker.say(picture.note)
    wide, high, fold, focus = picture.width, picture.height, picture.fold, picture.focus
    return Drawing(wide, high, tuple(marks), tuple(traces), legend, note, has_turn, fold, focus)


_WINDOW: Final = 216, 120
"""How much is shown around a touched thing."""


class Detail(Struct, frozen=True):
    """The part of a drawing around one thing."""

    window: Box
    drawing: Drawing
    token: Token


def detail(picture: Picture, speaker: Speaker, token: Token) -> Detail | None:
    """The drawn table around the thing that a token points at; None if it isn't drawn."""
    touched = next((shape for shape in reversed(picture.shapes) if getattr(shape, "token", None) == token), None)
    if touched is None:
        return None
    x, y, w, h = bounds(touched)
    wide, high = min(_WINDOW[0], picture.width), min(max(_WINDOW[1], h + 16), picture.height)
    left = max(0, min(x + (w - wide) // 2, picture.width - wide))
    top = max(0, min(y + (h - high) // 2, picture.height - high))
    window = left, top, wide, high
    near = (shape for shape in picture.shapes if getattr(shape, "trace", None) is None)
    shapes = tuple(shape for shape in near if _overlap(bounds(shape), window))
    return Detail(window, draw(replace(picture, shapes=shapes), speaker), token)


def _overlap(one: Box, other: Box) -> bool:
    return (
        one[0] <= other[0] + other[2]
        and other[0] <= one[0] + one[2]
        and one[1] <= other[1] + other[3]
        and other[1] <= one[1] + one[3]
    )


def _line(stroke: Stroke) -> str:
    return f"ink-{stroke.ink} line-{stroke.pattern}"


def _points(stroke: Stroke) -> str:
    return " ".join(f"{x},{y}" for x, y in stroke.points)


def _card_sizes(picture: Picture, speaker: Speaker) -> Mapping[tuple[int, int], float]:
    """One letter size for all cards of the same format: the largest at which they all fit."""
    sizes: dict[tuple[int, int], float] = {}
    for shape in picture.shapes:
        if isinstance(shape, Card) and shape.face is None:
            size = _size(shape.said, speaker, shape.w - _EDGE, shape.h - _EDGE)
            sizes[shape.w, shape.h] = min(size, sizes.get((shape.w, shape.h), LARGEST))
    return sizes


@lru_cache(maxsize=1024)
def _size(said: Said, speaker: Speaker, wide: int, high: int) -> float:
    return size_of(speaker.say(said), wide, high)


@lru_cache(maxsize=4096)
def _mark(shape: Shape, speaker: Speaker, size: float) -> Mark:
    """Cached: between two acts most of a table stays the same. `size` is that of the letters on a plain card."""
    match shape:
        case Card(face=Face() as face):
            return _faced(shape, face, speaker)
        case Card():
            return _card(shape, speaker, size)
        case Zone(head=(left, right)):
            return _board(shape, speaker.say(shape.said), str(left), str(right))
        case Zone():
            return _zone(shape, speaker)
        case Spot():
            return _spot(shape, speaker.say(shape.said))
        case Stroke():
            return Mark("stroke", _line(shape), "", points=_points(shape))
        case Disc():
            return _disc(shape, speaker.say(shape.said), speaker)
        case _:
            assert_never(shape)


def _card(card: Card, speaker: Speaker, size: float) -> Mark:
    text, room = speaker.say(card.said), card.w - _EDGE
    lines = wrap(text, size, room)
    lines = cut(lines, len(lines), size, room)
    words = in_the_middle(lines, card.x + card.w / 2, card.y + card.h / 2, size, room)
    look, title = "down" if card.down else "up", text.strip() or _called(card.token, speaker)
    return Mark("card", look, title, card.x, card.y, card.w, card.h, words=words, points_at=card.token)


def _called(token: Token | None, speaker: Speaker) -> str:
    """The name of a card whose picture shows it without text."""
    if token is None or token.kind != "piece":
        return ""
    return speaker.key("choice", item=Piece(PieceId(str(token.value))))


def _faced(card: Card, face: Face, speaker: Speaker) -> Mark:
    """Icon and number side by side, the name below, and at the lower edge whether it lies face down."""
    title, x, middle = speaker.say(card.said), card.x, card.x + card.w / 2
    room = card.w - _EDGE
    words = () if card.h < _LOW else _named(speaker.say(face.name), card, room)
    look, plate = "empty" if face.number is None else "down" if card.down else "up", None
    number = "" if face.number is None else str(face.number)
    high = min(1.0, (card.h - _EDGE) / _TOP)
    icon, side = 15 * high, width_of(number, _NUMBER * high, "bold")
    left = middle - (icon + side + 3) / 2 if number else middle - icon / 2
    if number:
        words += (line(left + icon + 3, card.y + 18 * high, _NUMBER * high, number, side, "number", "bold"),)
    if card.down:
        said = speaker.key("web.table.face-down")
        wide = width_of(said, _DOWN, "typewriter")
        plate = Plate("said", middle - wide / 2 - 4, card.y + card.h - _HELD, wide + 8, 12)
        words += in_the_middle([said], middle, card.y + card.h + 6 - _HELD, _DOWN, wide, "mid said", "typewriter")
    sign = Sign(face.icon, left, card.y + 4.5 * high, icon)
    return Mark("card", look, title, x, card.y, card.w, card.h, "", words, card.token, sign, plate)


def _named(name: str, card: Card, room: int) -> tuple[Words, ...]:
    """The name below, in letters small enough for its longest word and all its lines; only then is it cut."""
    widest = max((width_of(word, 1) for word in name.split()), default=1)
    size = _NAME if room > _CLOSER * widest * _NAME else max(_SMALLEST, room / widest)
    lines = _NAME_LINES + (card.h >= _HIGH)
    while size > _SMALLEST and len(wrap(name, size, room)) > lines:
        size = max(_SMALLEST, size - 0.5)
    names = cut(wrap(name, size, room), lines, size, room)
    middle = (card.h + _TOP - (_HELD if card.down else 0)) / 2
    return in_the_middle(names, card.x + card.w / 2, card.y + middle, size, room)


def _zone(zone: Zone, speaker: Speaker) -> Mark:
    """Its text on top, after the shape of its seat."""
    text, x, y, w, h = speaker.say(zone.said), zone.x, zone.y, zone.w, zone.h
    inset = 6 if zone.seat is None else 24
    room = w - inset - 6
    size = min(12.0, h - 6, room / max(width_of(text, 1, "bold"), 1))
    words = (line(x + inset, y + 3 + size, size, text, room, face="bold"),)
    return Mark("zone", "marked" if zone.marked else "", text, x, y, w, h, "", words, zone.token)


@lru_cache(maxsize=256)
def _trace(stroke: Stroke, number: int) -> Mark:
    return Mark("trace", f"ink-{stroke.ink} trace-{number}", "", points=_points(stroke))


@lru_cache(maxsize=256)
def _owner(zone: Zone, seat: SeatId, speaker: Speaker) -> Mark:
    """A separate mark: the letter is not part of the zone's text, which is its name."""
    name = _name(seat, speaker)
    x, y = zone.x + 12, zone.y + 11
    return Mark("pawn", "ink-seat", name, x, y, emblem=Emblem(seat, name[:1], x, y, 0.75))


def _name(seat: SeatId, speaker: Speaker) -> str:
    return speaker.say(say("choice", item=Seat(seat)))


def _board(zone: Zone, title: str, left: str, right: str) -> Mark:
    """Two numbers in its upper corners; a marked one has a filled corner with its number beside it."""
    x, y, w, h = zone.x, zone.y, zone.w, zone.h
    end = x + w - (18 if zone.marked else 7)
    after = width_of(right, _TAIL, "typewriter")
    before = end - after - 3 - (x + 7)
    words = (
        line(end, y + 15, _TAIL, right, after, "end", "typewriter"),
        line(x + 7, y + 15, _HEAD, left, before, "start", "typewriter"),
    )
    corner = f"{x + w - 15},{y} {x + w},{y} {x + w},{y + 15}" if zone.marked else ""
    return Mark("zone", "board marked" if zone.marked else "board", title, x, y, w, h, corner, words, zone.token)


def _spot(spot: Spot, title: str) -> Mark:
    look = ("dot" if spot.icon is None else spot.frame) + (" bare" if spot.empty else "")
    sign = plate = None
    words: tuple[Words, ...] = ()
    if spot.icon is not None:
        sign = Sign(spot.icon, spot.x - spot.inner / 2, spot.y - spot.inner / 2, spot.inner)
    if spot.chip is not None:
        plate, words = _chip(spot.chip)
    return Mark("spot", look, title, spot.x, spot.y, spot.r, spot.r, "", words, spot.token, sign, plate)


def _chip(chip: Chip) -> tuple[Plate, tuple[Words, ...]]:
    look: Literal["price", "count"] = "price" if chip.is_price else "count"
    x, y = chip.x + chip.w / 2, chip.y + chip.h / 2
    words = in_the_middle(list(chip.lines), x, y, _CHIP, chip.w - 2, f"mid {look}", "typewriter")
    return Plate(look, chip.x, chip.y, chip.w, chip.h), words


def _disc(disc: Disc, text: str, speaker: Speaker) -> Mark:
    x, y, r, look = disc.x, disc.y, disc.r, f"ink-{disc.ink} hollow" if disc.hollow else f"ink-{disc.ink}"
    if disc.seat is not None:
        emblem = Emblem(disc.seat, _name(disc.seat, speaker)[:1], x, y, r / 10)
        return Mark("pawn", look, text, x, y, r, r, points_at=disc.token, emblem=emblem)
    letter = (text if disc.word is None else speaker.say(say("choice", item=disc.word)))[:1].upper()
    words = (Words(x, y + r * 0.36, r * 1.05, letter, "mid"),)
    look += " offered" if disc.offered else ""
    return Mark("disc", look, text, x, y, r, r, "", words, disc.token)
