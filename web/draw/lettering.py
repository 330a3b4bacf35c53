"""Text that fits, whatever font a phone has: its size, line breaks, position and width.

We don't know a phone's fonts. Text is measured in a font of medium width; a line that a wide font would carry past
its space is drawn at the measured width, and the phone tightens its letters.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final, Literal

from msgspec import Struct

LEADING: Final = 1.15
LARGEST: Final = 15.0
SMALLEST: Final = 8.0
_WIDEST: Final = 1.4
"""How much wider than measured a font may be."""
_CLOSEST: Final = 0.85
"""Letters set tighter than this are hard to read; a longer line is cut."""

Face = Literal["serif", "bold", "typewriter"]
_LETTERS: Final = {
    0.27: " .,:;'’|·/\u00a0\u202f",
    0.33: "ijl!()[]I-‐",
    0.38: "ftJ",
    0.47: "crsz?",
    0.50: "–",
    0.56: "aegovxy0123456789+−×=<>«»“”*#$€",
    0.63: "bdhknpquEFLPSTVXYZ→←",
    0.71: "ABCDGKOQRU&",
    0.78: "HN",
    0.88: "wæœ%@",
    0.97: "mMWÆŒ—…",
}
"""Widths at letter size 1, in a serif font like Noto's, which Android has."""
_WIDTHS: Final = {letter: width for width, letters in _LETTERS.items() for letter in letters}
_OTHER: Final = 0.63
_BOLD: Final = 1.08


class Words(Struct, frozen=True):
    """One line of text, placed; `look` has its classes, `length` its width when drawn: 0 for its natural width."""

    x: float
    y: float
    size: float
    text: str
    look: str = ""
    length: float = 0


def width_of(text: str, size: float, face: Face = "serif") -> float:
    """The width of a text in a font of medium width."""
    return size * _measured(text, face)


@lru_cache(maxsize=4096)
def _measured(text: str, face: Face) -> float:
    return sum(_letter(letter, face) for letter in text)


def _letter(letter: str, face: Face) -> float:
    if unicodedata.combining(letter):
        return 0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1
    if face == "typewriter":
        return 0.6
    plain = unicodedata.normalize("NFD", letter)[0]
    return _WIDTHS.get(plain, _OTHER) * (_BOLD if face == "bold" else 1)


def line(x: float, y: float, size: float, text: str, room: float, look: str = "", face: Face = "serif") -> Words:
    """A line that stays within its space in any font."""
    width = width_of(text, size, face)
    return Words(x, y, size, text, look, round(min(width, room), 1) if width * _WIDEST > room else 0)


def in_the_middle(
    lines: list[str], x: float, y: float, size: float, room: float, look: str = "mid", face: Face = "serif"
) -> tuple[Words, ...]:
    """Lines of that size around the point (x, y)."""
    top = y - (len(lines) - 1) * size * LEADING / 2 + size * 0.35
    return tuple(
        line(x, round(top + i * size * LEADING, 1), size, text, room, look, face) for i, text in enumerate(lines)
    )


def size_of(text: str, w: float, h: float) -> float:
    """The largest size at which a text fits a space, down to the smallest readable one."""
    size = LARGEST
    while size > SMALLEST:
        lines = wrap(text, size, w)
        if all(width_of(line, size) <= w for line in lines) and len(lines) * size * LEADING <= h:
            break
        size -= 1
    return size


def wrap(text: str, size: float, room: float) -> list[str]:
    """Wrap text to a width; a longer word gets its own line, and French punctuation stays with its word."""
    lines: list[str] = []
    for word in filter(None, text.split(" ")):
        if lines and width_of(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def cut(lines: list[str], most: int, size: float, room: float) -> list[str]:
    """At most this many lines, each short enough for its space; an ellipsis marks what is left out."""
    kept = lines[:most]
    if len(lines) > most:
        kept[-1] += "…"
    return [_shortened(line, size, room / _CLOSEST) for line in kept]


def _shortened(line: str, size: float, room: float) -> str:
    if width_of(line, size) <= room:
        return line
    while line and width_of(line + "…", size) > room:
        line = line[:-1]
    return line.rstrip("… ") + "…"
