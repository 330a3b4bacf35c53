"""A sheet of paper: nine cards between marks to cut along; around them what it is, and a ruler.

What is around the cards is in the side margins, because a Letter sheet has no room above and below.
"""

from __future__ import annotations

from typing import Final

from fpdf import FPDF
from msgspec import Struct

from companion.app.sheet import PAPER, Paper
from companion.core import CARD

from .pen import INK, SOFT, Pen

COLUMNS: Final = 3
ROWS: Final = 3
W, H = CARD
GRID: Final = (COLUMNS * W, ROWS * H)
EDGE: Final = 5.0
"""Millimetres that printers leave white: nothing is drawn there."""
RULER: Final = 50
_AWAY: Final = 1.0
"""Between a mark and what is cut out."""
_SIZE: Final = 2.4


class Page(Struct, frozen=True):
    """Where the cards of a sheet begin."""

    width: float
    height: float

    @property
    def left(self) -> float:
        return (self.width - GRID[0]) / 2

    @property
    def top(self) -> float:
        return (self.height - GRID[1]) / 2

    def cell(self, column: int, row: int) -> tuple[float, float]:
        """The upper left corner of a card."""
        return self.left + column * W, self.top + row * H


def page_of(paper: Paper) -> Page:
    return Page(*PAPER[paper])


def new_pdf(paper: Paper) -> FPDF:
    pdf = FPDF(unit="mm", format=PAPER[paper])
    pdf.c_margin = 0
    pdf.set_margin(0)
    pdf.set_auto_page_break(False)
    return pdf


def marks(pen: Pen, page: Page, xs: tuple[float, ...], ys: tuple[float, ...]) -> None:
    """Where to cut, outside of what is cut out."""
    right, bottom = page.width - page.left, page.height - page.top
    pen.stroke(0.2)
    for x in xs:
        pen.pdf.line(x, EDGE, x, page.top - _AWAY)
        pen.pdf.line(x, bottom + _AWAY, x, page.height - EDGE)
    for y in ys:
        pen.pdf.line(EDGE, y, page.left - _AWAY, y)
        pen.pdf.line(right + _AWAY, y, page.width - EDGE, y)


def card_marks(pen: Pen, page: Page) -> None:
    xs = tuple(page.left + column * W for column in range(COLUMNS + 1))
    marks(pen, page, xs, tuple(page.top + row * H for row in range(ROWS + 1)))


def margin(pen: Pen, page: Page, title: str, doing: str, number: str) -> None:
    """Beside the cards: what this sheet is, what to do with it, its number; a ruler for those who printed “to fit”."""
    for row, text in enumerate((number, doing, title)):
        _sideways(pen, page.left - 3.0, page.top + (row + 1) * H - 3, text)
    x, low = page.width - page.left + 2.6, page.top + ROWS * H - 3
    pen.stroke(0.25)
    pen.pdf.line(x, low, x, low - RULER)
    for at in range(0, RULER + 1, 10):
        pen.pdf.line(x, low - at, x + (2.0 if at in (0, RULER) else 1.2), low - at)
    _sideways(pen, x + 2.2, page.top + 2 * H - 3, pen.speaker.key("print.ruler", at=RULER))


def _sideways(pen: Pen, x: float, y: float, text: str) -> None:
    """A line that reads upwards, at most as long as a card is high."""
    fitted = pen.faces.one_line(text, "plain", H - 6, _SIZE, 1.6)
    with pen.pdf.rotation(90, x, y):
        pen.text(x, y, fitted.first, fitted.size, ink=SOFT)


def frame(pen: Pen, x: float, y: float, w: float = W, h: float = H) -> None:
    """The double line around a card."""
    pen.stroke(0.35, INK)
    pen.rect(x + 2.6, y + 2.6, w - 5.2, h - 5.2, round_by=1.2)
    pen.stroke(0.15, INK)
    pen.rect(x + 3.2, y + 3.2, w - 6.4, h - 6.4, round_by=0.8)
