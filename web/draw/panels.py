"""Panels made ready for a page: consecutive lines in one frame, and bars on one scale."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, Final, TypeAlias

from msgspec import Struct

from companion.core import Bar, Noted, Panel, Said, Shown

LENGTH: Final = 260
"""Length of a bar, in the units of its drawing."""
LETTER: Final = 6.8
"""Width of a letter in a bar, in the monospaced font."""

Run: TypeAlias = tuple[Said, ...] | tuple[Noted, ...]


class Piece(Struct, frozen=True):
    """A part of a bar, placed; with its text if that fits, else its number, else nothing."""

    x: float
    w: float
    look: str
    text: str


def runs(shown: Iterable[Shown]) -> Iterator[Run | Panel]:
    """Consecutive lines of one kind as one run; every other panel on its own."""
    for kind_of, group in groupby(shown, type):
        if kind_of in (Said, Noted):
            yield tuple(group)  # type: ignore[misc]
        else:
            yield from group  # type: ignore[misc]


def kind(panel: Any) -> str:
    """The name by which a template knows what it draws."""
    return str(panel.__struct_config__.tag)


def scale(bars: Iterable[Bar]) -> int:
    """The length of the longest bar."""
    return max((sum(part.size for part in bar.parts) for bar in bars), default=0)


def pieces(bar: Bar, say: Callable[[Said], str], full: int) -> tuple[Piece, ...]:
    """The parts of a bar whose full length is `full`."""
    unit, x, placed = LENGTH / max(full, 1), 0.0, list[Piece]()
    for part in bar.parts:
        if part.size:
            w = part.size * unit
            fitting = (text for text in (say(part.said), str(part.size)) if (len(text) + 1) * LETTER <= w)
            placed.append(Piece(round(x, 1), round(w, 1), part.look, next(fitting, "")))
            x += w
    return tuple(placed)


FILTERS: Final[dict[str, Callable[..., Any]]] = {"runs": runs, "kind": kind, "scale": scale, "pieces": pieces}
"""Filters for templates."""
