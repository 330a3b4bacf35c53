"""Letters on paper: the faces, how wide a text is in them, and the size at which it fits.

The faces come from Debian packages (fonts-noto-core, fonts-dejavu-core); the PDF contains only the letters it uses. If
they are not installed, the faces that every PDF reader has take their place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from fpdf import FPDF
from fpdf.fonts import TTFFont
from msgspec import Struct

Face = Literal["plain", "bold", "italic", "code"]
FONTS: Final = Path("/usr/share/fonts/truetype")
_FILES: Final[dict[Face, tuple[str, ...]]] = {
    "plain": ("noto/NotoSerif-Regular.ttf", "dejavu/DejaVuSerif.ttf"),
    "bold": ("noto/NotoSerif-Bold.ttf", "dejavu/DejaVuSerif-Bold.ttf"),
    "italic": ("noto/NotoSerif-Italic.ttf", "dejavu/DejaVuSerif.ttf"),
    "code": ("dejavu/DejaVuSansMono-Bold.ttf",),
}
_EVERYWHERE: Final[dict[Face, tuple[str, Literal["", "B", "I"]]]] = {
    "plain": ("times", ""),
    "bold": ("times", "B"),
    "italic": ("times", "I"),
    "code": ("courier", "B"),
}
_ENCODING: Final = "cp1252"
_LIKE: Final = {"\u202f": "\u00a0", "‐": "-", "−": "–", "→": "–", "←": "–", "≥": ">", "×": "x"}
"""Substitutes for signs that a face lacks."""
POINT: Final = 25.4 / 72
"""Millimetres."""
LEADING: Final = 1.22
GAP: Final = 0.35
"""Between paragraphs, in units of the letter size."""
_STEP: Final = 0.1
_NEARLY: Final = 0.01


class Paragraphs(Struct, frozen=True):
    """Lines that fit at this size; if something had to be left out, they end in an ellipsis."""

    size: float
    paragraphs: tuple[tuple[str, ...], ...]

    @property
    def first(self) -> str:
        """The line, if there is only one."""
        return self.paragraphs[0][0]

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(line for lines in self.paragraphs for line in lines)

    @property
    def height(self) -> float:
        lines = sum(map(len, self.paragraphs))
        return self.size * (LEADING * lines + GAP * max(0, len(self.paragraphs) - 1))

    def placed(self) -> Iterator[tuple[float, str]]:
        """Each line with its distance from the top."""
        down = 0.95 * self.size
        for lines in self.paragraphs:
            for line in lines:
                yield down, line
                down += self.size * LEADING
            down += self.size * GAP


class Faces:
    """The faces of one PDF. Sizes are in millimetres, like everything else on a sheet."""

    def __init__(self, pdf: FPDF, fonts: Path = FONTS) -> None:
        self._pdf = pdf
        self._faces: dict[Face, tuple[str, Literal["", "B", "I"]]] = {}
        self.cut: list[str] = []
        """What did not fit, even at its smallest."""
        self.missing: set[str] = set()
        """Signs that could not be shown."""
        self._signs: dict[Face, frozenset[int]] = {}
        self._fitted: dict[tuple[tuple[str, ...], Face, tuple[float, float], float, float], Paragraphs] = {}
        pdf.core_fonts_encoding = _ENCODING
        for face, files in _FILES.items():
            found = next((fonts / file for file in files if (fonts / file).is_file()), None)
            if found is None:
                self._faces[face] = _EVERYWHERE[face]
            else:
                pdf.add_font(f"sheet-{face}", "", found)
                self._faces[face] = f"sheet-{face}", ""
                font = pdf.fonts[f"sheet-{face}"]
                self._signs[face] = frozenset(font.cmap if isinstance(font, TTFFont) else ())

    def use(self, face: Face, size: float) -> None:
        family, style = self._faces[face]
        self._pdf.set_font(family, style, size / POINT)

    def width(self, text: str, face: Face, size: float) -> float:
        self.use(face, size)
        return float(self._pdf.get_string_width(self.shown(text, face)))

    def shown(self, text: str, face: Face) -> str:
        """The text with only signs that its face has."""
        return text if text.isascii() else "".join(self._sign(sign, face) for sign in text)

    def _sign(self, sign: str, face: Face) -> str:
        """A sign, or another that says the same; one that no face has is noted."""
        for like in sign + _LIKE.get(sign, ""):
            if self._has(like, face):
                return like
        self.missing.add(sign)
        return "?"

    def _has(self, sign: str, face: Face) -> bool:
        family, _ = self._faces[face]
        if family.startswith("sheet-"):
            return ord(sign) in self._signs[face]
        return sign.encode(_ENCODING, "ignore") != b""

    def one_line(self, text: str, face: Face, room: float, largest: float, smallest: float) -> Paragraphs:
        """One line, as large as there is room for."""
        return self.fit((text,), face, (room, largest * LEADING), largest, smallest)

    def fit(
        self, texts: Sequence[str], face: Face, room: tuple[float, float], largest: float, smallest: float
    ) -> Paragraphs:
        """Paragraphs at the largest size that fits into width × height; cached, since seats share them."""
        asked = tuple(texts), face, room, largest, smallest
        if asked not in self._fitted:
            self._fitted[asked] = self._fit(*asked)
        return self._fitted[asked]

    def _fit(
        self, texts: tuple[str, ...], face: Face, room: tuple[float, float], largest: float, smallest: float
    ) -> Paragraphs:
        size = largest
        while True:
            fitted = Paragraphs(size, tuple(tuple(self._wrapped(text, face, size, room[0])) for text in texts))
            wide = max((self.width(line, face, size) for line in fitted.lines), default=0)
            if wide <= room[0] and fitted.height <= room[1] + _NEARLY:
                return fitted
            if size <= smallest:
                return self._cut(fitted, face, room)
            size = max(smallest, size - _STEP)

    def _wrapped(self, text: str, face: Face, size: float, room: float) -> Iterator[str]:
        line = ""
        for word in filter(None, text.split(" ")):
            longer = f"{line} {word}" if line else word
            if line and self.width(longer, face, size) > room:
                yield line
                longer = word
            line = longer
        yield line

    def _cut(self, fitted: Paragraphs, face: Face, room: tuple[float, float]) -> Paragraphs:
        """As many lines as there is room for, without gaps."""
        self.cut.append(" ".join(fitted.lines))
        size, lines = fitted.size, fitted.lines
        most = max(1, int((room[1] + _NEARLY) / (size * LEADING)))
        kept = [self._shortened(line, face, size, room[0]) for line in lines[:most]]
        if len(lines) > most:
            kept[-1] = self._shortened(kept[-1] + "…", face, size, room[0])
        return Paragraphs(size, (tuple(kept),))

    def _shortened(self, line: str, face: Face, size: float, room: float) -> str:
        if self.width(line, face, size) <= room:
            return line
        while line and self.width(f"{line}…", face, size) > room:
            line = line[:-1]
        return f"{line.rstrip('… ')}…"
