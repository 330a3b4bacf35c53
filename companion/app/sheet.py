"""A mat as a PDF to print at true size: a plan with its wires, then the mat itself in pages to be glued together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, Literal, TypeAlias

from fpdf import FPDF
from msgspec import Struct

from companion.core import ANTENNA, CARD, PITCH, Mat, MatSpot, Place, say
from companion.library import Speaker
from firmware_bridge.plan import Wired

Paper: TypeAlias = Literal["a4", "letter"]

TILE: Final = (2 * PITCH[0], PITCH[1])
"""Millimetres of the mat on one landscape page: fits both papers, and cuts no antenna."""
PAPER: Final[dict[Paper, tuple[float, float]]] = {"a4": (210, 297), "letter": (215.9, 279.4)}
MARGIN: Final = 15
RULER: Final = 100
PLAN: Final = 75
"""The greatest height of the small plan on the first page, in millimetres."""
COLUMNS: Final = 3
LINE: Final = 8.5
INK, SOFT = 0, 130
ENCODING: Final = "cp1252"
"""All that the fonts built into every PDF reader can show; they need not be embedded."""


class Order(Struct, frozen=True):
    """What to draw: a mat for a number of seats, with its wires, in the words of `speaker`, who knows its game."""

    mat: Mat
    seats: int
    wires: tuple[Wired, ...]
    speaker: Speaker

    def place(self, spot: MatSpot) -> str:
        said = say("reader.wand") if spot.place is None else say("reader.zone", place=Place(spot.place))
        return self.speaker.say(said)

    def wire(self, wired: Wired) -> str:
        key = "sheet.select" if wired.chip == "mfrc522" else "sheet.channel"
        return self.speaker.key(key, pico=wired.pico, wire=wired.wire)


def tiles(mat: Mat) -> Iterator[tuple[str, int, int]]:
    """The pages of a mat: each with its name (A1, A2 …, B1) and its left and upper edge; none is empty."""
    width, height = mat.size()
    for y, x in product(range(0, height, TILE[1]), range(0, width, TILE[0])):
        if any(_is_on(spot, x, y) for spot in mat.spots):
            yield f"{chr(65 + y // TILE[1])}{1 + x // TILE[0]}", x, y


def _is_on(spot: MatSpot, x: int, y: int) -> bool:
    """Whether a spot lies on the page that begins there."""
    return x < spot.x < x + TILE[0] and y < spot.y < y + TILE[1]


def sheet(order: Order, paper: Paper) -> bytes:
    """The whole PDF."""
    drawn = _Sheet(order, paper)
    drawn.first_page()
    for name, x, y in tiles(order.mat):
        drawn.tile(name, x, y)
    return bytes(drawn.pdf.output())


class _Sheet:
    """The pages so far. Lengths are in millimetres, except for letters, which are in points."""

    def __init__(self, order: Order, paper: Paper) -> None:
        self.order, self.mat = order, order.mat
        self.narrow, self.wide = PAPER[paper]
        self.pdf = FPDF(unit="mm", format=PAPER[paper])
        self.pdf.core_fonts_encoding = ENCODING
        self.pdf.c_margin = 0
        self.pdf.set_margin(MARGIN)
        self.pdf.set_auto_page_break(False)
        self.pdf.set_title(self._title())

    # The first page

    def first_page(self) -> None:
        order, pdf = self.order, self.pdf
        width, height = self.mat.size()
        picos = max(wired.pico for wired in order.wires)
        pdf.add_page("portrait")
        self._line(self._title(), 17, bold=True)
        counts = say("sheet.counts", readers=len(order.wires), picos=picos, seats=order.seats, w=width, h=height)
        self._line(order.speaker.say(counts), 11)
        self._line(order.speaker.key("sheet.how"), 10)
        if self.mat.left_out:
            first, last = self.mat.left_out[0], self.mat.left_out[-1]
            self._line(order.speaker.key("sheet.left-out", first=Place(first), last=Place(last)), 10)
        self._ruler(pdf.get_y() + 8)
        self._plan(pdf.get_y() + 6)
        self._wires(pdf.get_y() + 6)

    def _title(self) -> str:
        speak = self.order.speaker
        return f"{speak.key('game.title')} · {speak.key(f'mat.{self.mat.name}')}"

    def _line(self, text: str, size: float, *, bold: bool = False) -> None:
        self._letters(size, bold=bold)
        self.pdf.multi_cell(
            self.narrow - 2 * MARGIN, size * 0.5, _printable(text), align="L", new_x="LMARGIN", new_y="NEXT"
        )

    def _letters(self, size: float, *, bold: bool = False, shade: int = INK) -> None:
        self.pdf.set_font("helvetica", "B" if bold else "", size)
        self.pdf.set_text_color(shade)

    def _ruler(self, y: float) -> None:
        """Shows at once if somebody has printed “to fit”."""
        pdf = self.pdf
        self._stroke(0.3)
        pdf.line(MARGIN, y, MARGIN + RULER, y)
        for at in range(0, RULER + 1, 10):
            pdf.line(MARGIN + at, y - (4 if at % 50 == 0 else 2), MARGIN + at, y)
        pdf.set_y(y + 1)
        self._line(self.order.speaker.key("sheet.ruler", at=RULER), 10)

    def _plan(self, y: float) -> None:
        """The whole mat in small, with the pages it is cut into."""
        pdf = self.pdf
        width, height = self.mat.size()
        scale = min((self.narrow - 2 * MARGIN) / width, PLAN / height, 0.3)
        self._stroke(0.15, dashed=True)
        for name, x, top in tiles(self.mat):
            right, low = min(x + TILE[0], width), min(top + TILE[1], height)
            pdf.rect(MARGIN + x * scale, y + top * scale, (right - x) * scale, (low - top) * scale)
            self._letters(6, shade=SOFT)
            pdf.text(MARGIN + x * scale + 1, y + top * scale + 2.5, name)
        self._stroke(0.3)
        for wired, spot in zip(self.order.wires, self.mat.spots, strict=True):
            at, below = MARGIN + spot.x * scale, y + spot.y * scale
            w, h = ANTENNA[0] * scale, ANTENNA[1] * scale
            pdf.rect(at - w / 2, below - h / 2, w, h)
            self._centred(at, below + 1, _number(wired), 7)
        pdf.set_y(y + height * scale)

    def _wires(self, y: float) -> None:
        """Each reader with its place and its wires, in three columns."""
        pdf, order = self.pdf, self.order
        pdf.set_y(y)
        self._line(order.speaker.key(f"sheet.wires.{order.wires[0].chip}"), 9)
        top, rows = pdf.get_y() + 5, -(-len(order.wires) // COLUMNS)
        for at, (wired, spot) in enumerate(zip(order.wires, self.mat.spots, strict=True)):
            x, below = MARGIN + at // rows * (self.narrow - 2 * MARGIN) / COLUMNS, top + at % rows * LINE
            self._letters(9, bold=True)
            pdf.text(x, below, _number(wired))
            self._letters(7.5)
            pdf.text(x + 6, below, _printable(order.place(spot)))
            pdf.text(x + 6, below + 3.5, _printable(order.wire(wired)))

    # The mat itself

    def tile(self, name: str, x: int, y: int) -> None:
        """One landscape page: the part of the mat on it, between marks to cut along."""
        pdf, mat = self.pdf, self.mat
        pdf.add_page("landscape")
        wide, high = (min(side, whole - at) for side, whole, at in zip(TILE, mat.size(), (x, y), strict=True))
        left, top = (self.wide - TILE[0]) / 2, (self.narrow - TILE[1]) / 2
        self._marks(left, top, wide, high)
        self._letters(9, shade=SOFT)
        pdf.text(left, top - 8, _printable(f"{self._title()} · {name}"))
        for wired, spot in zip(self.order.wires, mat.spots, strict=True):
            if _is_on(spot, x, y):
                self._spot(wired, spot, left + spot.x - x, top + spot.y - y)

    def _marks(self, left: float, top: float, wide: float, high: float) -> None:
        """Cut marks at the corners, outside the mat."""
        self._stroke(0.2)
        for x, out in ((left, -1), (left + wide, 1)):
            for y, up in ((top, -1), (top + high, 1)):
                self.pdf.line(x + out, y, x + 5 * out, y)
                self.pdf.line(x, y + up, x, y + 5 * up)

    def _spot(self, wired: Wired, spot: MatSpot, x: float, y: float) -> None:
        """The card, dashed; the antenna below it; its centre; its name."""
        pdf = self.pdf
        self._stroke(0.2, dashed=True)
        pdf.rect(x - CARD[0] / 2, y - CARD[1] / 2, *CARD)
        self._stroke(0.5)
        pdf.rect(x - ANTENNA[0] / 2, y - ANTENNA[1] / 2, *ANTENNA)
        self._stroke(0.2)
        pdf.line(x - 5, y, x + 5, y)
        pdf.line(x, y - 5, x, y + 5)
        self._centred(x, y - 12, _number(wired), 34, bold=True)
        self._centred(x, y + 16, self.order.wire(wired), 8)
        self._centred(x, y + CARD[1] / 2 - 4, self.order.place(spot), 8)

    def _centred(self, x: float, y: float, text: str, size: float, *, bold: bool = False) -> None:
        self._letters(size, bold=bold)
        shown = _printable(text)
        self.pdf.text(x - self.pdf.get_string_width(shown) / 2, y, shown)

    def _stroke(self, width: float, *, dashed: bool = False) -> None:
        self.pdf.set_draw_color(SOFT if dashed else INK)
        self.pdf.set_line_width(width)
        self.pdf.set_dash_pattern(*((2, 1.5) if dashed else (0, 0)))


def _number(wired: Wired) -> str:
    return str(int(wired.reader[1:]))


def _printable(text: str) -> str:
    return text.replace("\u202f", "\u00a0").encode(ENCODING, "replace").decode(ENCODING)
