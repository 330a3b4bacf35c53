"""Draws on a sheet: lines, letters, icons and codes, all in millimetres from its upper left corner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, TypeAlias

from fpdf import FPDF
from fpdf.drawing_primitives import Transform
from fpdf.svg import SVGObject
from msgspec import Struct

from companion.core import Icon
from companion.library import Codes, Digits, Speaker, Tag

from .faces import FONTS, Face, Faces
from .matrix import SIDE, runs

Colour: TypeAlias = tuple[int, int, int]
Align = Literal["left", "middle", "right"]

INK: Final = (31, 27, 22)
SOFT: Final = (90, 81, 69)
EDGE: Final = (125, 111, 87)
PALE: Final = (185, 171, 147)
BRASS: Final = (122, 84, 16)
STOP: Final = (142, 31, 26)
SEAL: Final = (34, 64, 107)
WHITE: Final = (255, 255, 255)
BLACK: Final = (0, 0, 0)

QUIET: Final = 1.0
"""White around a code; its modules are a millimetre each."""
CODE: Final = SIDE + 2 * QUIET
"""The side of a code including the white around it."""
_SMALL: Final = 0.8
"""The size of small capitals relative to large ones."""
_SVG: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><g fill="none" '
    'stroke="{ink}" stroke-width="{weight}" stroke-linejoin="round" stroke-linecap="round">{lines}</g></svg>'
)


class Placed(Struct, frozen=True):
    """A code where it was drawn: its page, counted from 1, and the upper left corner of its modules."""

    page: int
    x: float
    y: float
    digits: Digits


class Pen:
    """Draws in the words, icons and codes of one game."""

    def __init__(
        self,
        pdf: FPDF,
        speaker: Speaker,
        codes: Codes,
        icons: Mapping[Icon, str],
        fonts: Path = FONTS,
    ) -> None:
        self.pdf, self.speaker, self.codes = pdf, speaker, codes
        self.faces = Faces(pdf, fonts)
        self.placed: list[Placed] = []
        self._icons = icons

    # Lines

    def stroke(self, width: float, ink: Colour = INK, dash: tuple[float, float] | None = None) -> None:
        self.pdf.set_draw_color(*ink)
        self.pdf.set_line_width(width)
        self.pdf.set_dash_pattern(*(dash or (0, 0)))

    def line(self, x: float, y: float, to_x: float, to_y: float, width: float = 0.25, ink: Colour = INK) -> None:
        self.stroke(width, ink)
        self.pdf.line(x, y, to_x, to_y)

    def rect(self, x: float, y: float, w: float, h: float, *, round_by: float = 0, fill: Colour | None = None) -> None:
        """With the most recently set stroke."""
        if fill is not None:
            self.pdf.set_fill_color(*fill)
        self.pdf.rect(
            x, y, w, h, style="D" if fill is None else "DF", round_corners=round_by > 0, corner_radius=round_by
        )

    def wipe(self, x: float, y: float, w: float, h: float) -> None:
        """Hide everything underneath."""
        self.pdf.set_fill_color(*WHITE)
        self.pdf.rect(x, y, w, h, style="F")

    @contextmanager
    def within(self, x: float, y: float, w: float, h: float) -> Iterator[None]:
        """Draw nothing outside this box; afterwards the colours are restored."""
        with self.pdf.local_context(), self.pdf.rect_clip(x, y, w, h):
            yield

    def circle(self, x: float, y: float, r: float, fill: Colour | None = None) -> None:
        if fill is not None:
            self.pdf.set_fill_color(*fill)
        self.pdf.ellipse(x - r, y - r, 2 * r, 2 * r, style="D" if fill is None else "DF")

    # Faces

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        face: Face = "plain",
        *,
        align: Align = "left",
        ink: Colour = INK,
    ) -> None:
        """One line, standing on y."""
        shown = self.faces.shown(text, face)
        width = self.faces.width(text, face, size)
        self.pdf.set_text_color(*ink)
        self.pdf.text(x - width * {"left": 0, "middle": 0.5, "right": 1}[align], y, shown)

    def block(
        self,
        box: tuple[float, float, float, float],
        texts: Sequence[str],
        face: Face = "plain",
        *,
        largest: float = 3.15,
        smallest: float = 1.9,
        align: Align = "left",
        ink: Colour = INK,
    ) -> float:
        """Paragraphs in x, y, width, height, as large as they fit; returns where they end."""
        x, y, w, h = box
        fitted = self.faces.fit(texts, face, (w, h), largest, smallest)
        at = x + w * {"left": 0, "middle": 0.5, "right": 1}[align]
        for down, line in fitted.placed():
            self.text(at, y + down, line, fitted.size, face, align=align, ink=ink)
        return y + fitted.height

    def one_line(
        self,
        x: float,
        y: float,
        room: float,
        text: str,
        face: Face = "plain",
        *,
        largest: float,
        smallest: float = 1.9,
        align: Align = "left",
        ink: Colour = INK,
    ) -> None:
        """A line that stands on y, shrunk if there is little room."""
        fitted = self.faces.one_line(text, face, room, largest, smallest)
        self.text(x, y, fitted.first, fitted.size, face, align=align, ink=ink)

    def small_capitals(self, x: float, y: float, room: float, text: str, size: float, ink: Colour = INK) -> None:
        """Small capitals after a large one, as in the dashboard's headings."""
        parts = [(part, size if part[0].isupper() or not part[0].isalpha() else size * _SMALL) for part in _cased(text)]
        width = sum(self.faces.width(part.upper(), "plain", each) for part, each in parts)
        shrink = min(1.0, room / width) if width else 1.0
        for part, each in parts:
            self.text(x, y, part.upper(), each * shrink, ink=ink)
            x += self.faces.width(part.upper(), "plain", each * shrink)

    # Icons and codes

    def icon(self, icon: Icon, x: float, y: float, side: float, ink: Colour = INK, weight: float = 1.7) -> None:
        """An icon of the game; unknown names draw nothing."""
        if icon not in self._icons:
            return
        svg = SVGObject(_SVG.format(ink=in_hex(ink), weight=weight, lines=self._icons[icon]))
        _, _, path = svg.transform_to_rect_viewport(scale=1, width=side, height=side)
        moved = Transform.translation(x, y)
        path.transform = moved if path.transform is None else path.transform @ moved
        self.pdf.set_dash_pattern(0, 0)
        self.pdf.draw_path(path)

    def code(self, x: float, y: float, thing: Tag) -> None:
        """The code of a thing; x, y is the corner of the white around it."""
        digits = self.codes.number(thing)
        left, top = x + QUIET, y + QUIET
        self.wipe(x, y, CODE, CODE)
        self.pdf.set_fill_color(*BLACK)
        for column, row, width, height in runs(digits):
            self.pdf.rect(left + column, top + row, width, height, style="F")
        self.placed.append(Placed(self.pdf.page, left, top, digits))

    def short(self, x: float, y: float, thing: Tag, size: float = 3.3, align: Align = "right") -> None:
        """The signs beside a code, standing on y."""
        self.text(x, y, self.codes.short(thing), size, "code", align=align)


def in_hex(ink: Colour) -> str:
    return "#" + bytes(ink).hex()


def _cased(text: str) -> list[str]:
    """Stretches of upper-case and lower-case letters."""
    parts: list[str] = []
    for letter in text:
        if parts and parts[-1][0].islower() == letter.islower():
            parts[-1] += letter
        else:
            parts.append(letter)
    return parts
