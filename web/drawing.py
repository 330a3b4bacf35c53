"""A game's picture made ready for SVG: every shape with its words in the reader's language, broken to fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, assert_never

from msgspec import Struct

from companion.core.pictures import Card, Disc, Picture, Shape, Stroke, Zone
from companion.core.rules import Token
from companion.texts import Speaker

LETTER: Final = 0.56
"""Width of an average letter for its size, in the widest face of our list."""
LEADING: Final = 1.15
LARGEST: Final = 15.0
SMALLEST: Final = 8.0


class Words(Struct, frozen=True):
    """One line of text, placed."""

    x: float
    y: float
    size: float
    text: str


class Mark(Struct, frozen=True):
    """One shape, placed; `kind` picks its element, `look` its classes."""

    kind: Literal["card", "zone", "stroke", "disc", "trace"]
    look: str
    title: str
    x: int = 0
    y: int = 0
    w: int = 0
    h: int = 0
    points: str = ""
    words: tuple[Words, ...] = ()
    points_at: Token | None = None


class Trace(Struct, frozen=True):
    """A line that is drawn while it is chosen: its number among them, the look of its swatch, its name."""

    number: int
    look: str
    text: str


class Drawing(Struct, frozen=True):
    width: int
    height: int
    marks: tuple[Mark, ...]
    traces: tuple[Trace, ...] = ()


def draw(picture: Picture, speaker: Speaker) -> Drawing:
    sizes = _card_sizes(picture, speaker)
    traces, marks = list[Trace](), list[Mark]()
    for shape in picture.shapes:
        if isinstance(shape, Stroke) and shape.trace is not None:
            number = len(traces)
            traces.append(Trace(number, _line(shape), speaker.say(shape.trace)))
            marks.append(Mark("trace", f"ink-{shape.ink} trace-{number}", "", points=_points(shape)))
        else:
            marks.append(_mark(shape, speaker, sizes))
    return Drawing(picture.width, picture.height, tuple(marks), tuple(traces))


def _line(stroke: Stroke) -> str:
    return f"ink-{stroke.ink} line-{stroke.pattern}"


def _points(stroke: Stroke) -> str:
    return " ".join(f"{x},{y}" for x, y in stroke.points)


def _card_sizes(picture: Picture, speaker: Speaker) -> Mapping[tuple[int, int], float]:
    """One letter size for all cards of one format: the largest at which every one of them fits."""
    sizes: dict[tuple[int, int], float] = {}
    for shape in picture.shapes:
        if isinstance(shape, Card):
            size = size_of(speaker.say(shape.said), shape.w, shape.h)
            sizes[shape.w, shape.h] = min(size, sizes.get((shape.w, shape.h), LARGEST))
    return sizes


def _mark(shape: Shape, speaker: Speaker, sizes: Mapping[tuple[int, int], float]) -> Mark:
    token = None if isinstance(shape, Stroke) else shape.token
    match shape:
        case Card(x=x, y=y, w=w, h=h):
            text = speaker.say(shape.said)
            words = fit(text, shape, sizes[w, h])
            return Mark("card", "down" if shape.down else "up", text, x, y, w, h, "", words, token)
        case Zone(x=x, y=y, w=w, h=h):
            text = speaker.say(shape.said)
            size = min(12.0, h - 6, (w - 12) / (max(len(text), 1) * LETTER))
            look = "zone" if shape.seat is None else f"zone seat-{shape.seat % 6}"
            return Mark("zone", look, text, x, y, w, h, "", (Words(x + 6, y + 3 + size, size, text),), token)
        case Stroke():
            return Mark("stroke", _line(shape), "", points=_points(shape))
        case Disc(x=x, y=y, r=r):
            text = speaker.say(shape.said)
            look = f"ink-{shape.ink}" if shape.seat is None else f"ink-{shape.ink} seat-{shape.seat % 6}"
            look += " hollow" if shape.hollow else ""
            return Mark("disc", look, text, x, y, r, r, "", (Words(x, y + r * 0.36, r * 1.05, text[:1]),), token)
        case _:
            assert_never(shape)


def size_of(text: str, w: int, h: int) -> float:
    """The largest size at which a text fits into a box, down to one that is still readable."""
    size = LARGEST
    while size > SMALLEST:
        lines = wrap(text, int((w - 4) / (size * LETTER)))
        widest = max((len(line) for line in lines), default=0)
        if widest * size * LETTER <= w - 4 and len(lines) * size * LEADING <= h - 4:
            break
        size -= 1
    return size


def fit(text: str, card: Card, size: float) -> tuple[Words, ...]:
    """The text in lines of that size, in the middle of a card."""
    lines = wrap(text, int((card.w - 4) / (size * LETTER)))
    top = card.y + card.h / 2 - (len(lines) - 1) * size * LEADING / 2 + size * 0.35
    middle = card.x + card.w / 2
    return tuple(Words(middle, round(top + i * size * LEADING, 1), size, line) for i, line in enumerate(lines))


def wrap(text: str, width: int) -> list[str]:
    """Words in lines of about `width` letters; a longer word keeps a line of its own."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
