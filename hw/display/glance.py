"""Things side by side, as many as fit, each with its mark."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from .faces import Face, Size
from .sheet import ONE_LINE, Box, Sheet, wrap

Mark = Literal["plain", "kept", "missing", "alarm"]
_MARK: Final = 8
"""The width of a mark, with the space after it."""


class Thing(Struct, frozen=True):
    words: str
    mark: Mark = "plain"


class Placed(Struct, frozen=True):
    """A line at `x` in a row; only the first line of a thing has its mark, to its left."""

    words: str
    x: int
    row: int
    mark: Mark


def draw_things(sheet: Sheet, box: Box, things: list[Thing]) -> None:
    """In the largest letters in which all of them fit; if they don't fit at all, without the last ones."""
    while things:
        for size in ONE_LINE:
            placed = _placed(sheet.faces[size], things, box.w)
            if placed is not None and (placed[-1].row + 1) * size <= box.h:
                return _draw(sheet, box, placed, size)
        if len(things) == 1:
            return sheet.text(box, things[0].words, ONE_LINE)
        things = things[:-1]
    return None


def _placed(face: Face, things: list[Thing], width: int) -> list[Placed] | None:
    """Where they all go: beside the last one, or below it; None if a single word is too wide."""
    placed: list[Placed] = []
    x, row, gap = 0, 0, face.width("  ")
    for thing in things:
        indent = 0 if thing.mark == "plain" else _MARK
        lines = wrap(face, thing.words, width - indent)
        if lines is None:
            return None
        if not lines:
            continue
        if x and (len(lines) > 1 or x + indent + face.width(lines[0]) > width):
            x, row = 0, row + 1
        for below, line in enumerate(lines):
            placed.append(Placed(line, x + indent, row + below, "plain" if below else thing.mark))
        row += len(lines) - 1
        x += indent + face.width(lines[-1]) + gap
    return placed or None


def _draw(sheet: Sheet, box: Box, placed: list[Placed], size: Size) -> None:
    top = box.y + (box.h - (placed[-1].row + 1) * size) // 2
    for each in placed:
        x, y = box.x + each.x, top + each.row * size
        sheet.text(Box(x, y, box.x + box.w - x, size), each.words, (size,))
        if each.mark != "plain":
            _mark(sheet, x - _MARK, y + size // 2 - 3, each.mark)


def _mark(sheet: Sheet, x: int, y: int, mark: Mark) -> None:
    """A small square: full, empty, or an exclamation mark in it."""
    if mark == "alarm":
        sheet.fill(Box(x, y - 1, 6, 8))
        sheet.fill(Box(x + 2, y, 2, 3), sheet.paper)
        sheet.fill(Box(x + 2, y + 4, 2, 2), sheet.paper)
    else:
        sheet.frame(Box(x, y, 6, 6))
    if mark == "kept":
        sheet.fill(Box(x + 2, y + 2, 2, 2))
