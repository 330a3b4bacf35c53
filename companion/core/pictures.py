"""A table drawn: shapes for the eye, and the same as a list for the ear. Games describe it, web draws it.

Also panels: things to take in at a glance, each in words as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from .facts import Said, Word
from .ids import RuleId, SeatId
from .rules import Token

Ink = Literal["ink", "soft", "edge", "brass", "go", "stop", "seal", "brown", "yellow", "crimson", "green", "seat"]
"""The first four can be told apart side by side; the last is the colour of the seat a thing belongs to."""
Pattern = Literal["solid", "dashed", "dotted", "double"]
"""Tells lines apart without colour."""
Icon: TypeAlias = str
"""The name of a small drawing that says what a thing is. The game has its lines (`Game.icons`), in a square of 24."""
Frame = Literal["ring", "square", "double"]


class Face(Struct, frozen=True):
    """What a card shows at a glance: icon and number large, the name small. Without a number there is no card."""

    icon: Icon
    name: Said
    number: int | None = None


class Card(Struct, frozen=True, tag="card", cache_hash=True):
    """A card at (x, y); `down` is hatched. Touching it points at `token`. It shows its `face`, or else `said`."""

    x: int
    y: int
    w: int
    h: int
    said: Said
    down: bool = False
    token: Token | None = None
    face: Face | None = None


class Zone(Struct, frozen=True, tag="zone", cache_hash=True):
    """A named area of the table, `marked` for whose turn it is. It shows the two numbers of its `head`, or `said`."""

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


class Spot(Struct, frozen=True, tag="spot", cache_hash=True):
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


class Stroke(Struct, frozen=True, tag="stroke", cache_hash=True):
    """A line through points. One with a `trace` is drawn wide, beneath the others, while that name is selected."""

    points: tuple[tuple[int, int], ...]
    ink: Ink = "ink"
    pattern: Pattern = "solid"
    trace: Said | None = None


class Disc(Struct, frozen=True, tag="disc", cache_hash=True):
    """A pawn or counter, in the shape of its seat if it has one; a `hollow` one marks a spot without any.

    An `offered` one has a ring: the picture's note says to whom, and for what. It carries the initial of its person, of
    the `word`, or of what is said.
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
    word: Word | None = None


Shape: TypeAlias = Card | Zone | Spot | Stroke | Disc


def moved(shape: Shape, dx: int, dy: int) -> Shape:
    """The same shape elsewhere, as when part of a picture is drawn on its own."""
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


Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, width, height."""


@lru_cache(maxsize=4096)
def bounds(shape: Shape) -> Box:
    """The box that a shape fills. Cached, like the hashes of shapes: most of a table stays the same between acts."""
    match shape:
        case Card(x=x, y=y, w=w, h=h) | Zone(x=x, y=y, w=w, h=h):
            return x, y, w, h
        case Spot(x=x, y=y, r=r) | Disc(x=x, y=y, r=r):
            return x - r, y - r, 2 * r, 2 * r
        case Stroke(points=points):
            xs, ys = [x for x, _ in points], [y for _, y in points]
            return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)
        case _:
            assert_never(shape)


class Key(Struct, frozen=True):
    """What an icon means, for the legend."""

    icon: Icon
    said: Said


class Picture(Struct, frozen=True):
    """Shapes within width × height, a row of words for each thing a listener should hear, and a legend of the icons.

    The `note` is told beside the drawing. On a wide screen, what lies below the `fold` moves beside the rest. The
    `focus` of a picture that may grow tall is the stretch where things happen now.
    """

    width: int
    height: int
    shapes: tuple[Shape, ...]
    rows: tuple[Said, ...]
    legend: tuple[Key, ...] = ()
    note: Said | None = None
    fold: int = 0
    focus: tuple[int, int] = (0, 0)


Words: TypeAlias = tuple[Said, ...]
Look = Literal["plain", "extra", "used", "left", "over"]
"""What a part of a bar stands for: there, there as a bonus, taken, still free, taken but missing."""


class Noted(Struct, frozen=True, tag="noted"):
    """A line about the thing an icon stands for."""

    said: Said
    icon: Icon

    @property
    def words(self) -> Words:
        return (self.said,)


class Cell(Struct, frozen=True):
    """One slot, empty without a `name`; `tied` to the one before it."""

    head: Said
    icon: Icon
    name: Said | None = None
    number: int | None = None
    down: bool = False
    tied: bool = False


class Slots(Struct, frozen=True, tag="slots"):
    """Cards side by side in their slots."""

    words: Words
    cells: tuple[Cell, ...]


class Part(Struct, frozen=True):
    """A part of a bar; one of size 0 is not drawn."""

    said: Said
    size: int
    look: Look = "plain"


class Bar(Struct, frozen=True):
    """A sum and its parts."""

    said: Said
    parts: tuple[Part, ...]


class Meter(Struct, frozen=True, tag="meter"):
    """Bars on one scale, one above the other, and what threatens."""

    words: Words
    bars: tuple[Bar, ...]
    warning: Said | None = None


class Track(Struct, frozen=True, tag="track"):
    """A counter on its way along `stops`; `at` is None while there is none."""

    words: Words
    said: Said
    stops: tuple[str, ...]
    at: int | None = None
    note: Said | None = None


class Side(Struct, frozen=True):
    """One side of a duel: what it rolls, and from what."""

    seat: SeatId
    said: Said
    note: Said


class Duel(Struct, frozen=True, tag="duel"):
    """Two seats against each other, with a bar of possible outcomes, or the `outcome` once it is settled."""

    words: Words
    sides: tuple[Side, Side]
    against: Said
    chances: Bar | None = None
    outcome: Said | None = None


class Check(Struct, frozen=True):
    """A condition that is met or not, and the rule that asks for it."""

    said: Said
    kept: bool
    rule: RuleId


class Checks(Struct, frozen=True, tag="checks"):
    """The conditions of one thing."""

    words: Words
    said: Said
    checks: tuple[Check, ...]


class Standing(Struct, frozen=True, tag="standing"):
    """How one seat stands: a line, the most important number with its name, a bar, conditions, an alarm, notes."""

    words: Words
    seat: SeatId
    said: Said
    label: Said
    value: str
    bar: Bar | None = None
    checks: tuple[Check, ...] = ()
    alarm: Said | None = None
    notes: Words = ()


class Row(Struct, frozen=True):
    """A line of a ledger: where or whose, what, how much."""

    left: Said
    said: Said
    right: str


class Ledger(Struct, frozen=True, tag="ledger"):
    """Rows with a number each, in `unit`. A `folded` one opens at a touch."""

    words: Words
    said: Said
    unit: Said
    rows: tuple[Row, ...]
    folded: bool = False


Panel: TypeAlias = Noted | Slots | Meter | Track | Duel | Checks | Standing | Ledger
Shown: TypeAlias = Said | Panel
"""What a game shows people, line by line: words or a panel."""


class Stages(Struct, frozen=True):
    """The course of a turn: its stages in order, the current one, and what comes `then`."""

    names: tuple[Said, ...]
    at: int
    then: Said | None = None


def words_of(shown: Iterable[Shown]) -> Words:
    """All of it in words."""
    return tuple(line for each in shown for line in ((each,) if isinstance(each, Said) else each.words))
