"""A second tracer, by another algorithm: paint every lane of every column, then compose the columns from the right."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeAlias

Painted: TypeAlias = Sequence[Sequence[tuple[int, str]]]
"""For each column, (top lane, lines) of its cards; "" are the lines of a blank."""


def goods_by_market(columns: Painted, start: str, low: int = -60, high: int = 60) -> dict[int, str]:
    """The colour that each market is connected to, found backwards for all markets at once."""
    origin = list(range(low, high + 1))
    for column in columns:
        came_from = list(origin)
        for top, lines in column:
            for slot, exit_slot in enumerate(lines[:4]):
                came_from[top + int(exit_slot) - 1 - low] = origin[top + slot - low]
        origin = came_from
    return {low + at: start[lane] for at, lane in enumerate(origin) if 0 <= lane < 4}


def random_column(rng: Random, faces: Sequence[str], gaps: bool) -> list[tuple[int, str]]:
    """One to four cards or blanks, one below the other, anywhere near Start."""
    top, column = rng.randint(-12, 4), []
    for _ in range(rng.randint(1, 4)):
        column.append((top, "" if rng.random() < 0.15 else rng.choice(faces)))
        top += 4 + (rng.randint(0, 2) if gaps else 0)
    return column
