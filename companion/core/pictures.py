"""A table drawn: shapes for the eye, and the same as a list for the ear. Web draws it; games only say it."""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from .facts import Said
from .ids import SeatId
from .rules import Token

Ink = Literal["ink", "soft", "edge", "brass", "go", "stop", "seal", "brown", "yellow", "crimson", "green", "seat"]
"""Four that can be told apart beside each other; the last is the colour of the seat that a thing belongs to."""
Pattern = Literal["solid", "dashed", "dotted", "double"]
"""Tells lines apart without their colours."""
Icon: TypeAlias = str
"""The name of a small drawing that says what a thing is. A game brings its lines (`Game.icons`), in a square of 24."""
Frame = Literal["ring", "square", "double"]


class Face(Struct, frozen=True):
    """What a card shows at a glance: icon and number large, the name small. Without a number no card lies there."""

    icon: Icon
    name: Said
    number: int | None = None


class Card(Struct, frozen=True, tag="card"):
    """A card at (x, y); `down` is hatched. Touching it points at `token`. It shows its `face`, or else `said`."""

    x: int
    y: int
    w: int
    h: int
    said: Said
    down: bool = False
    token: Token | None = None
    face: Face | None = None


class Zone(Struct, frozen=True, tag="zone"):
    """A named area of the table, `marked` for who is on turn. It shows the two numbers of its `head`, or `said`."""

    x: int
    y: int
    w: int
    h: int
    said: Said
    seat: SeatId | None = None
    token: Token | None = None
    head: tuple[int, int] | None = None
    marked: bool = False


class Chip(Struct, frozen=True):
    """A small plate with lines of numbers: prices in brass, counts in a ring."""

    x: int
    y: int
    w: int
    h: int
    lines: tuple[str, ...]
    is_price: bool = False


class Spot(Struct, frozen=True, tag="spot"):
    """A space of a map: an icon in its frame, or a plain dot. An `empty` one is dashed and paler."""

    x: int
    y: int
    r: int
    said: Said
    token: Token | None = None
    icon: Icon | None = None
    frame: Frame = "ring"
    empty: bool = False
    chip: Chip | None = None

    @property
    def inner(self) -> int:
        """The side of the square in the middle that holds the icon."""
        return self.r * 13 // 10


class Stroke(Struct, frozen=True, tag="stroke"):
    """A line through points. One with a `trace` is drawn wide, under the others, while that name is chosen."""

    points: tuple[tuple[int, int], ...]
    ink: Ink = "ink"
    pattern: Pattern = "solid"
    trace: Said | None = None


class Disc(Struct, frozen=True, tag="disc"):
    """A pawn or counter, in the shape of its seat if it has one; a `hollow` one is a spot where none lies.

    One that is `offered` has a ring: the picture's note says to whom, and for what.
    """

    x: int
    y: int
    r: int
    said: Said
    seat: SeatId | None = None
    ink: Ink = "ink"
    token: Token | None = None
    hollow: bool = False
    offered: bool = False


Shape: TypeAlias = Card | Zone | Spot | Stroke | Disc


def moved(shape: Shape, dx: int, dy: int) -> Shape:
    """The same shape elsewhere, as when a part of a picture is drawn by itself."""
    match shape:
        case Stroke(points=points):
            return replace(shape, points=tuple((x + dx, y + dy) for x, y in points))
        case Spot(chip=Chip() as chip):
            chip = replace(chip, x=chip.x + dx, y=chip.y + dy)
            return replace(shape, x=shape.x + dx, y=shape.y + dy, chip=chip)
        case Card() | Zone() | Spot() | Disc():
            return replace(shape, x=shape.x + dx, y=shape.y + dy)
        case _:
            assert_never(shape)


class Key(Struct, frozen=True):
    """What an icon means, for the legend."""

    icon: Icon
    said: Said


class Picture(Struct, frozen=True):
    """Shapes within width × height, one row of words for each thing a listener should hear, and the icons explained.

    The `note` is what is told beside the drawing.
    """

    width: int
    height: int
    shapes: tuple[Shape, ...]
    rows: tuple[Said, ...]
    legend: tuple[Key, ...] = ()
    note: Said | None = None
