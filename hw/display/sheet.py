"""The surface a page is drawn on: 128×64 pixels of one bit, and text that always fits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal

from msgspec import Struct
from PIL import Image, ImageDraw

from .faces import Face, Faces, Size

WIDTH: Final = 128
HEIGHT: Final = 64
FOOT: Final = 48
"""Where the bar at the bottom of most pages begins.

Everything is aligned to the chips' strips of eight pixels: what stays in place isn't sent again.
"""

TOP: Final = 24
"""The height of the name at the top."""

NOTHING: Final[Mapping[str, str]] = {}
_BUTTONS: Final = re.compile(r"\b(CHECK|OK|BACK|NEXT)\b")

Align = Literal["left", "middle", "right"]
_THIN: Final = 4
"""A bar no wider than this doesn't count as a line: it is the thumb beside a list."""
ONE_LINE: Final[tuple[Size, ...]] = (16, 12, 8)


class Box(Struct, frozen=True):
    """Where something may be drawn."""

    x: int
    y: int
    w: int
    h: int


class Fitted(Struct, frozen=True):
    """Text broken into lines of one size; `cut` if something had to be left out."""

    size: Size
    lines: tuple[str, ...]
    cut: bool = False


def fit(faces: Faces, words: str, box: Box, sizes: tuple[Size, ...]) -> Fitted:
    """The largest of `sizes` at which all the text fits into the box; at the smallest, as much as fits and an
    ellipsis.
    """
    for size in sizes:
        face = faces[size]
        lines = wrap(face, words, box.w)
        if lines is not None and len(lines) * size <= box.h:
            return Fitted(size, lines)
    face = faces[sizes[-1]]
    rows = max(box.h // face.size, 1)
    lines = broken(face, words, box.w)
    if len(lines) <= rows:
        return Fitted(face.size, lines)
    return Fitted(face.size, (*lines[: rows - 1], _shortened(face, " ".join(lines[rows - 1 :]), box.w)), cut=True)


@lru_cache(maxsize=512)
def wrap(face: Face, words: str, width: int) -> tuple[str, ...] | None:
    """Lines broken at spaces, or None if a single word is too wide.

    From page to page most text stays the same, and each is tried in several sizes, so results are cached.
    """
    lines: list[str] = []
    gap, right = face.width(" "), 0
    for word in filter(None, face.clean(words).split(" ")):
        wide = face.width(word)
        if wide > width:
            return None
        if lines and right + gap + wide <= width:
            lines[-1] += f" {word}"
            right += gap + wide
        else:
            lines.append(word)
            right = wide
    return tuple(lines)


def broken(face: Face, words: str, width: int) -> tuple[str, ...]:
    """Lines broken at spaces, and inside a word if it is too wide."""
    pieces = (piece for word in face.clean(words).split(" ") for piece in _chopped(face, word, width))
    return wrap(face, " ".join(pieces), width) or ()


def _chopped(face: Face, word: str, width: int) -> list[str]:
    pieces = [""]
    for char in word:
        if face.width(pieces[-1] + char) <= width:
            pieces[-1] += char
        elif face.width(char) <= width:
            pieces.append(char)
    return pieces


def _shortened(face: Face, words: str, width: int) -> str:
    dots = face.clean("…")
    while words and face.width(words.rstrip(" ,;:.") + dots) > width:
        words = words[:-1]
    whole = words.rstrip(" ,;:.") + dots
    return whole if face.width(whole) <= width else ""


class Sheet:
    """One picture. `ink` is 1 on a dark page and 0 on an inverted one."""

    def __init__(self, faces: Faces, *, inverted: bool = False, renamed: Mapping[str, str] = NOTHING) -> None:
        self.faces = faces
        self._renamed = renamed
        self.ink = 0 if inverted else 1
        self.paper = 1 - self.ink
        self.image = Image.new("1", (WIDTH, HEIGHT), self.paper)
        self.pen = ImageDraw.Draw(self.image)
        self.pen.fontmode = "1"
        self._rows = list[tuple[int, int]]()
        """The top and bottom of each line and each bar."""

    def text(
        self,
        box: Box,
        words: str,
        sizes: tuple[Size, ...] = ONE_LINE,
        *,
        align: Align = "left",
        ink: int | None = None,
        high: bool = False,
    ) -> None:
        """Draw text into the box, at its middle height or (`high`) at its top.

        A button that this box doesn't have is called by what one presses instead.
        """
        fitted = fit(self.faces, self._named(words), box, sizes)
        y = box.y + (0 if high else max(box.h - fitted.size * len(fitted.lines), 0) // 2)
        for line in fitted.lines:
            self._line(box, y, line, fitted.size, align, self.ink if ink is None else ink)
            y += fitted.size

    def _line(self, box: Box, y: int, line: str, size: Size, align: Align, ink: int) -> None:
        face = self.faces[size]
        spare = box.w - face.width(line)
        x = box.x + {"left": 0, "middle": spare // 2, "right": spare}[align]
        face.draw(self.pen, x, y, line, ink)
        self._rows.append((y, y + size))

    def _named(self, words: str) -> str:
        return _BUTTONS.sub(lambda found: self.called(found[0]), words) if self._renamed else words

    def called(self, button: str) -> str:
        """The name of this button, or of what one presses instead."""
        return self._renamed.get(button, button)

    def fill(self, box: Box, ink: int | None = None) -> None:
        corner = (box.x, box.y, box.x + box.w - 1, box.y + box.h - 1)
        self.pen.rectangle(corner, fill=self.ink if ink is None else ink)
        if box.w > _THIN:
            self._rows.append((box.y, box.y + box.h))

    def frame(self, box: Box) -> None:
        self.pen.rectangle((box.x, box.y, box.x + box.w - 1, box.y + box.h - 1), outline=self.ink)

    def width(self, words: str, size: Size) -> int:
        """How wide `text` would draw it."""
        face = self.faces[size]
        return face.width(face.clean(self._named(words)))

    def foot(self, left: str, right: str = "", *, done: bool = False, deep: int = 16) -> None:
        """The inverted bar at the bottom, `deep` pixels high; its right end keeps its space. `done` is a tick."""
        y = HEIGHT - deep
        whole = min((top for top, end in self._rows if top < y < end), default=y)
        if whole < y:  # no half lines: one that the bar would cut is removed
            self.fill(Box(0, whole, WIDTH, y - whole), self.paper)
        self.fill(Box(0, y, WIDTH, deep))
        x = 2
        if done:
            self.pen.line((3, y + 8, 6, y + 11, 12, y + 4), fill=self.paper, width=2)
            x = 17
        room = WIDTH - 2 - x
        if right:
            wide = min(self.width(right, 12), 66)
            self.text(Box(WIDTH - 2 - wide, y, wide, deep), right, (12, 8), align="right", ink=self.paper)
            room -= wide + 6
        self.text(Box(x, y, room, deep), left, (12, 8), ink=self.paper)

    def keys(self, *keys: tuple[str, str]) -> None:
        """The bar at the bottom with buttons drawn as caps, each labelled with what it does."""
        self.fill(Box(0, FOOT, WIDTH, HEIGHT - FOOT))
        for n, (name, words) in enumerate(keys):
            self._key(n * WIDTH // len(keys), FOOT + 2, name, words, (n + 1) * WIDTH // len(keys))

    def _key(self, x: int, y: int, name: str, words: str, end: int) -> None:
        name = self.called(name)
        size: Size = 12 if name in ("OK", "BACK") else 8
        wide = self.width(name, size) + 4
        self.fill(Box(x + 2, y, wide, 12), self.paper)
        self.text(Box(x + 4, y, wide - 4, 12), name, (size,))
        self.text(Box(x + wide + 5, y, end - x - wide - 6, 12), words, (12, 8), ink=self.paper)
