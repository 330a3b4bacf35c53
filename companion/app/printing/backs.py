"""The backs: an endless pattern that is the same on every card of a deck, whichever way the sheet was turned.

Its tile divides a card evenly and is its own mirror image, so that no card can be recognised by where it was cut.
"""

from __future__ import annotations

from typing import Final

from .paper import GRID, Page
from .pen import INK, SEAL, SOFT, Colour, Pen

TILE: Final = (7, 8)
"""Fits nine and eleven times into 63 × 88 millimetres."""
_OVER: Final = 2.0
"""Beyond the cards, for hands that do not cut exactly."""
_INKS: Final[tuple[Colour, ...]] = (SEAL, INK, SOFT)


def draw_back(pen: Pen, page: Page, number: int) -> None:
    """The back of a whole sheet; each deck of a game has its own."""
    ink = _INKS[number % len(_INKS)]
    left, top = page.left - _OVER, page.top - _OVER
    with pen.within(left, top, GRID[0] + 2 * _OVER, GRID[1] + 2 * _OVER):
        pen.stroke(0.12, ink)
        for row in range(-1, GRID[1] // TILE[1] + 2):
            for column in range(-1, GRID[0] // TILE[0] + 2):
                _motif(pen, page.left + column * TILE[0], page.top + row * TILE[1], number)


def _motif(pen: Pen, x: float, y: float, number: int) -> None:
    """Around the corner of a tile, and in its middle."""
    wide, high = TILE[0] / 2, TILE[1] / 2
    pen.circle(x, y, 1.7)
    pen.circle(x, y, 0.5 + 0.35 * (number % 3))
    pen.circle(x + wide, y + high, 1.7 - 0.4 * (number % 2))
    pen.circle(x + wide, y + high, 0.3)
    for ends in (((x + 1.7, y), (x + TILE[0] - 1.7, y)), ((x, y + 1.7), (x, y + TILE[1] - 1.7))):
        pen.pdf.line(*ends[0], *ends[1])
    if number % 4 < 2:
        pen.pdf.line(x + 1.1, y + 1.3, x + wide - 1.1, y + high - 1.3)
        pen.pdf.line(x + TILE[0] - 1.1, y + 1.3, x + wide + 1.1, y + high - 1.3)
        pen.pdf.line(x + 1.1, y + TILE[1] - 1.3, x + wide - 1.1, y + high + 1.3)
        pen.pdf.line(x + TILE[0] - 1.1, y + TILE[1] - 1.3, x + wide + 1.1, y + high + 1.3)
