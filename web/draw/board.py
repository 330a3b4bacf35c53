"""The drawn table to be touched: as much of it as matters now, with what a touch of each thing does."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from companion.core import Box, Card, Picture, Shape, Stroke, Token, Zone, bounds
from companion.library import Speaker

from .drawing import Drawing, draw

Span: TypeAlias = tuple[int, int]
"""From where to where, downward."""
_TALL: Final = 1.3
"""Times its width: a picture that is higher is cut down to what is lit."""
_LINE: Final = 26
"""The height of a line of words."""
_AROUND: Final = 3
"""What is left around a part that is cut out."""


class Touch(Struct, frozen=True):
    """What a lit thing does when it is touched: the intent, as JSON, or where that is "", its acts are shown."""

    title: str
    badge: str = ""
    json: str = ""


class Leaf(Struct, frozen=True):
    """A part of the drawn table, `height` high from `top` on."""

    drawing: Drawing
    top: int
    height: int


class Board(Struct, frozen=True):
    """What is drawn, part by part, and what is lit on it."""

    leaves: tuple[Leaf, ...]
    lights: Mapping[Token, Touch]
    asked: int

    @property
    def lines(self) -> int:
        """About how many lines of a narrow phone it takes."""
        return 1 + sum(leaf.height for leaf in self.leaves) // _LINE


def board(picture: Picture, speaker: Speaker, lights: Mapping[Token, Touch], asked: int, *, whole: bool) -> Board:
    """The whole picture, or just the parts of it in which something is lit."""
    cuts = sorted({0, picture.fold, picture.height})
    spans = tuple(pairwise(cuts)) if whole else tuple(_spans(picture, lights))
    return Board(tuple(_leaf(picture, speaker, span) for span in spans), lights, asked)


def _leaf(picture: Picture, speaker: Speaker, span: Span) -> Leaf:
    top, end = span
    shapes = tuple(shape for shape in picture.shapes if _is_between(shape, top, end))
    return Leaf(draw(replace(picture, shapes=shapes), speaker), top, end - top)


def _is_between(shape: Shape, top: int, end: int) -> bool:
    """Lines that are drawn only while somebody follows them are left out."""
    if isinstance(shape, Stroke) and shape.trace is not None:
        return False
    _, y, _, h = bounds(shape)
    return y < end and y + h > top


def _spans(picture: Picture, lights: Collection[Token]) -> Iterator[Span]:
    """What is above the fold is shown as one; of what is below, or too tall, only what is around something lit."""
    lit = [bounds(shape) for shape in picture.shapes if getattr(shape, "token", None) in lights]
    fold = picture.fold or picture.height
    above = [box for box in lit if box[1] < fold]
    if above:
        yield (0, fold) if fold <= picture.width * _TALL else _around(picture, above, fold)
    yield from _merged(_around(picture, (box,), picture.height) for box in lit if box[1] >= fold)


def _around(picture: Picture, lit: Iterable[Box], end: int) -> Span:
    """From the first to the last of them, and the zones and cards that those lie in."""
    boxes = list(lit)
    first, last = min(boxes, key=lambda box: box[1]), max(boxes, key=lambda box: box[1] + box[3])
    holders = (bounds(shape) for shape in picture.shapes if isinstance(shape, Card | Zone))
    tall = [first, last, *(holder for holder in holders if _holds(holder, first) or _holds(holder, last))]
    low, high = min(box[1] for box in tall), max(box[1] + box[3] for box in tall)
    return max(0, low - _AROUND), min(end, high + _AROUND)


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
