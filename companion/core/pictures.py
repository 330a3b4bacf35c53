"""A table drawn: shapes for the eye, and the same as a list for the ear. Web draws it; games only say it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from .facts import Said
from .ids import SeatId
from .rules import Token

Ink = Literal["ink", "soft", "brass", "go", "stop", "seal", "oil", "milk", "beet", "nuc"]
Pattern = Literal["solid", "dashed", "dotted", "double"]
"""Tells lines apart without their colours."""
Icon = Literal["weapon", "shield", "chassis", "plant", "market", "lab", "library", "office", "mechanic", "junkyard"]
"""A small drawing that says what a thing is; the web has the lines."""


class Card(Struct, frozen=True, tag="card"):
    """A card at (x, y); `down` is hatched. Touching it points at `token`."""

    x: int
    y: int
    w: int
    h: int
    said: Said
    down: bool = False
    token: Token | None = None


class Zone(Struct, frozen=True, tag="zone"):
    """A named area of the table."""

    x: int
    y: int
    w: int
    h: int
    said: Said
    seat: SeatId | None = None
    token: Token | None = None


class Stroke(Struct, frozen=True, tag="stroke"):
    """A line through points. One with a `trace` is drawn wide, under the others, while that name is chosen."""

    points: tuple[tuple[int, int], ...]
    ink: Ink = "ink"
    pattern: Pattern = "solid"
    trace: Said | None = None


class Disc(Struct, frozen=True, tag="disc"):
    """A pawn or counter; a `hollow` one is a spot where none lies."""

    x: int
    y: int
    r: int
    said: Said
    seat: SeatId | None = None
    ink: Ink = "ink"
    token: Token | None = None
    hollow: bool = False


Shape: TypeAlias = Card | Zone | Stroke | Disc


class Picture(Struct, frozen=True):
    """Shapes within width × height, and one row of words for each thing a listener should hear."""

    width: int
    height: int
    shapes: tuple[Shape, ...]
    rows: tuple[Said, ...]
