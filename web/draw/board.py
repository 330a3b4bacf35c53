"""The touchable drawn table: as much of it as matters now, and what touching each thing does."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.core import Box, Card, Picture, Shape, Stroke, Token, Zone, bounds
from companion.library import Speaker

from .drawing import Drawing, draw

Span: TypeAlias = tuple[int, int]
"""From top to bottom."""
_WIDE: Final = 360
"""How wide a table is drawn on a narrow phone."""
ROOM: Final = 17
"""How many lines of text such a phone has room for, from the table down."""
_LINE: Final = 26
"""The height of a line of text."""
_SMALLEST: Final = 0.7
"""How far the drawing may be scaled down."""
_AROUND: Final = 3
"""Margin around a part that is cut out."""
_LEAST: Final = 130
"""The least height of a part cut out of open ground."""


class Touch(Struct, frozen=True):
    """What touching a lit thing does: the intent, as JSON, or "" to show its acts."""

    title: str
    badge: str = ""
    json: str = ""


class Leaf(Struct, frozen=True):
    """A part of the drawn table, `height` high from `top` down."""

    drawing: Drawing
    top: int
    height: int


class Board(Struct, frozen=True):
    """The parts that are drawn, and what is lit on them."""

    leaves: tuple[Leaf, ...]
    lights: Mapping[Token, Touch]
    asked: int
    below: int = 0
    """How many lines below it need room."""
    tall: bool = False
    """It would be unreadable if scaled to fit, so it scrolls under the finger instead."""


class Cut(Struct, frozen=True):
    """A picture cut down to what is lit: what surrounds it above the fold, and below."""

    picture: Picture
    above: Span | None
    below: tuple[Span, ...]

    @property
    def lines(self) -> int:
        """The fewest lines it takes."""
        return sum(end - top for top, end in self.spans(0)) * _WIDE // self.picture.width // _LINE

    def spans(self, room: int) -> tuple[Span, ...]:
        """What is drawn: everything above the fold if there is room for it."""
        if self.above is None:
            return self.below
        fold = self.picture.fold or self.picture.height
        is_room = fold + sum(end - top for top, end in self.below) <= room
        return (0, fold) if is_room else self.above, *self.below


def cut(picture: Picture, lights: Collection[Token]) -> Cut:
    lit = [bounds(shape) for shape in picture.shapes if not isinstance(shape, Stroke) and shape.token in lights]
    holders = [bounds(shape) for shape in picture.shapes if isinstance(shape, Card | Zone)]
    fold = picture.fold or picture.height
    above = [box for box in lit if box[1] < fold]
    below = (_around(holders, (box,), picture.height) for box in lit if box[1] >= fold)
    return Cut(picture, _around(holders, above, fold) if above else None, tuple(_merged(below)))


def board(cut: Cut, speaker: Speaker, lights: Mapping[Token, Touch], asked: int, below: int | None = None) -> Board:
    """The whole picture, or, with lines `below`, only the parts of it in which something is lit."""
    tall, picture = False, cut.picture
    if below is None:
        spans = tuple(pairwise(sorted({0, picture.fold, picture.height})))
    else:
        room = (ROOM - below) * _LINE * picture.width // _WIDE
        spans = cut.spans(room)
        tall = sum(end - top for top, end in spans) * _SMALLEST > room
    leaves = tuple(_leaf(picture, speaker, span) for span in spans)
    return Board(leaves, lights, asked, min(below or 0, ROOM // 2), tall)


def _leaf(picture: Picture, speaker: Speaker, span: Span) -> Leaf:
    top, end = span
    shapes = tuple(shape for shape in picture.shapes if (of := _span(shape)) and of[0] < end and of[1] > top)
    return Leaf(draw(replace(picture, shapes=shapes), speaker), top, end - top)


@lru_cache(maxsize=4096)
def _span(shape: Shape) -> Span | None:
    """None for a line that is drawn only while somebody follows it."""
    if isinstance(shape, Stroke) and shape.trace is not None:
        return None
    _, y, _, h = bounds(shape)
    return y, y + h


def _around(holders: list[Box], lit: Sequence[Box], end: int) -> Span:
    """From the first to the last of them, with the zones and cards that contain them."""
    first, last = min(lit, key=lambda box: box[1]), max(lit, key=lambda box: box[1] + box[3])
    tall = [first, last, *(holder for holder in holders if _holds(holder, first) or _holds(holder, last))]
    low, high = min(box[1] for box in tall), max(box[1] + box[3] for box in tall)
    around = _AROUND if len(tall) > len((first, last)) else max(_AROUND, (_LEAST - high + low) // 2)
    return max(0, low - around), min(end, high + around)


def _holds(outer: Box, inner: Box) -> bool:
    x, y = inner[0] + inner[2] // 2, inner[1] + inner[3] // 2
    return outer[0] <= x <= outer[0] + outer[2] and outer[1] <= y <= outer[1] + outer[3]


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    """Spans that touch each other as one."""
    now: Span | None = None
    for top, end in sorted(spans):
        if now is not None and top <= now[1] + 4 * _AROUND:
            now = now[0], max(now[1], end)
        else:
            if now is not None:
                yield now
            now = top, end
    if now is not None:
        yield now
