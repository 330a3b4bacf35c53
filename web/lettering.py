"""Words that fit: how large, in how many lines, where they stand."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

LETTER: Final = 0.56
"""Width of an average letter for its size, in the widest face of our list."""
LEADING: Final = 1.15
LARGEST: Final = 15.0
SMALLEST: Final = 8.0


class Words(Struct, frozen=True):
    """One line of text, placed; `look` are its classes."""

    x: float
    y: float
    size: float
    text: str
    look: str = ""


def size_of(text: str, w: int, h: int) -> float:
    """The largest size at which a text fits into a box, down to one that is still readable."""
    size = LARGEST
    while size > SMALLEST:
        lines = wrap(text, int((w - 4) / (size * LETTER)))
        widest = max((len(line) for line in lines), default=0)
        if widest * size * LETTER <= w - 4 and len(lines) * size * LEADING <= h - 4:
            break
        size -= 1
    return size


def in_the_middle(lines: list[str], x: float, y: float, size: float, look: str = "mid") -> tuple[Words, ...]:
    """Lines of that size around the point (x, y)."""
    top = y - (len(lines) - 1) * size * LEADING / 2 + size * 0.35
    return tuple(Words(x, round(top + i * size * LEADING, 1), size, line, look) for i, line in enumerate(lines))


def wrap(text: str, width: int) -> list[str]:
    """Words in lines of about `width` letters; a longer word keeps a line of its own, and French signs their word."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


def cut(lines: list[str], most: int, width: int) -> list[str]:
    """At most so many lines of at most so many letters; what is left out shows as an ellipsis."""
    kept = lines[:most]
    if len(lines) > most:
        kept[-1] += "…"
    return [line if len(line) <= width + 1 else line[:width].rstrip("…") + "…" for line in kept]
