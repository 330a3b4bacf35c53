"""The fonts of the display: Spleen's bitmaps if the system has them, else a font that always exists.

Every character drawn has a glyph: one that a font lacks is replaced by the nearest one it has.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path
from typing import Final, Literal

from PIL import Image, ImageDraw, ImageFont

Size = Literal[8, 12, 16, 24, 32]
SIZES: Final[tuple[Size, ...]] = (8, 12, 16, 24, 32)
NBSP: Final = "\u00a0"

_CELLS: Final = {8: 5, 12: 6, 16: 8, 24: 12, 32: 16}
_SPLEEN: Final = (
    ("/usr/share/fonts/X11/misc", "pcf.gz"),
    ("/usr/share/fonts/X11/misc", "pcf"),
    ("/usr/share/fonts/opentype/spleen", "otf"),
)
_OUTLINES: Final = tuple(
    Path("/usr/share/fonts/truetype", name)
    for name in ("dejavu/DejaVuSansMono-Bold.ttf", "liberation/LiberationMono-Regular.ttf")
)
"""What systems have instead, the clearest first. Small bold letters of Liberation would lose strokes."""
_NOBODY: Final = "\ue123"
"""A private-use character that no font draws: it shows what a missing glyph looks like."""

_INSTEAD: Final = {
    "œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ß": "ss", "Ÿ": "Y",
    "’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"',
    "…": "...", "–": "-", "—": "-", "−": "-", "•": "*", "·": ".", "×": "x", "÷": "/",
    "→": ">", "←": "<", "↑": "^", "↓": "v", "€": "EUR", "°": "o", "½": "1/2", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L",
}  # fmt: skip

_MARKS: Final = {
    "\u0300": ((1, 0), (2, 1)),
    "\u0301": ((3, 0), (2, 1)),
    "\u0302": ((2, 0), (1, 1), (3, 1)),
    "\u0308": ((1, 0), (3, 0)),
    "\u0327": ((2, 7),),
}
"""Spleen's smallest size has no accents, but room for them above its letters: the pixels of each."""

AnyFont = ImageFont.FreeTypeFont | ImageFont.ImageFont


class Face:
    """One font size. `top` is how far down a letter starts within its line of `size` pixels; with `marked`, letters
    that it has without an accent are given one.

    Letters are drawn once and cached: a page is assembled from them in well under a millisecond.
    """

    def __init__(self, font: AnyFont, size: Size, top: int, *, marked: bool = False) -> None:
        self.font = font
        self.size = size
        self.top = top
        self._adds_marks = marked
        self._missing = self._look(_NOBODY)
        self._cleaned: dict[str, str] = {NBSP: NBSP, " ": " ", "\u202f": NBSP, "\t": " ", "\n": " ", "\r": " "}
        self._letters: dict[str, tuple[Image.Image, int]] = {}

    def clean(self, words: str) -> str:
        """The same text with only characters that this font can draw; non-breaking spaces are kept."""
        return "".join(self._clean(char) for char in words)

    def width(self, words: str) -> int:
        """The width of cleaned text in pixels."""
        return sum([self._letter(char)[1] for char in words])

    def has(self, char: str) -> bool:
        """Whether this font has this character itself."""
        return char == " " or self._look(char) != self._missing or bool(self._marked(char))

    def draw(self, pen: ImageDraw.ImageDraw, x: int, y: int, words: str, ink: int) -> None:
        """Draw cleaned text; (x, y) is the corner of its line."""
        for char in words:
            picture, wide = self._letter(char)
            pen.bitmap((x, y), picture, fill=ink)
            x += wide

    def _letter(self, char: str) -> tuple[Image.Image, int]:
        """The picture of one character in its line, and the distance to the next."""
        letter = self._letters.get(char)
        if letter is None:
            letter = self._letters[char] = self._drawn(" " if char == NBSP else char)
        return letter

    def _drawn(self, char: str) -> tuple[Image.Image, int]:
        mark = self._marked(char)
        plain = mark[0] if mark else char
        wide = round(self.font.getlength(plain))
        picture = Image.new("1", (max(wide, 1), self.size))
        pen = ImageDraw.Draw(picture)
        pen.fontmode = "1"
        pen.text((0, self.top), plain, font=self.font, fill=1)
        if mark:
            rows = (0, 7) if plain.isupper() else (0, 1, 7)
            pen.point([(dx, dy) for dx, dy in _MARKS[mark[1]] if dy in rows], fill=1)
        return picture, wide

    def _marked(self, char: str) -> str:
        """Letter and accent, where this face has the letter and we draw the accent; else nothing."""
        if not self._adds_marks or char.isascii() or self._look(char) != self._missing:
            return ""
        parts = unicodedata.normalize("NFD", char)
        return parts if len(parts) == 2 and parts[1] in _MARKS and self.has(parts[0]) else ""

    def _clean(self, char: str) -> str:
        found = self._cleaned.get(char)
        if found is None:
            found = self._cleaned[char] = self._nearest(char)
        return found

    def _nearest(self, char: str) -> str:
        category = unicodedata.category(char)
        if category in ("Cc", "Cf", "Mn", "Me"):
            return ""
        if category.startswith("Z"):
            return " "
        if category.startswith("C"):
            return "?"
        if self.has(char):
            return char
        instead = _INSTEAD.get(char) or _without_marks(char)
        return instead if instead and all(self.has(c) for c in instead) else "?"

    def _look(self, char: str) -> tuple[tuple[int, int], bytes]:
        mask = self.font.getmask(char, mode="1")
        return mask.size, bytes(mask)


class Faces:
    """All sizes of one font."""

    def __init__(self, family: str, faces: tuple[Face, ...]) -> None:
        self.family = family
        self._faces = {face.size: face for face in faces}

    def __getitem__(self, size: Size) -> Face:
        return self._faces[size]


@cache
def faces() -> Faces:
    """Spleen if the package fonts-spleen is installed, else the fallback."""
    return spleen() or fallback()


def spleen() -> Faces | None:
    """Spleen's bitmaps, or None if one of the sizes is missing."""
    found: list[Face] = []
    for size in SIZES:
        font = _spleen(size)
        if font is None:
            return None
        found.append(Face(font, size, 0, marked=size == SIZES[0]))
    return Faces("Spleen", tuple(found))


def fallback() -> Faces:
    """Letters of the system with every accent, else Pillow's built-in font, which has none."""
    return Faces("fallback", tuple(_shrunk(size) for size in SIZES))


def _spleen(size: Size) -> ImageFont.FreeTypeFont | None:
    for folder, ending in _SPLEEN:
        path = Path(folder, f"spleen-{_CELLS[size]}x{size}.{ending}")
        try:
            return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
        except OSError:
            continue
    return None


def _shrunk(size: Size) -> Face:
    """The largest fallback letters that fit a line of `size` pixels."""
    for points in range(size, 4, -1):
        font = _outline(points)
        if isinstance(font, ImageFont.FreeTypeFont):
            up, down = font.getmetrics()
            if up + down > size:
                continue
            return Face(font, size, (size - up - down) // 2)
        break
    return Face(_outline(5), size, 0)


def _outline(points: int) -> AnyFont:
    for path in _OUTLINES:
        try:
            return ImageFont.truetype(str(path), points, layout_engine=ImageFont.Layout.BASIC)
        except OSError:
            continue
    return ImageFont.load_default(points)


def _without_marks(char: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", char) if not unicodedata.combining(c))
