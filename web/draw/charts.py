"""Numbers over time and bars, made ready for SVG: every line has its own dash and letter, never just a colour."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

WIDTH: Final = 360
HEIGHT: Final = 170
LEFT: Final = 34
RIGHT: Final = 22
TOP: Final = 10
BOTTOM: Final = 22
LETTER: Final = 12
"""Vertical room for one letter."""
STEPS: Final = (1, 2, 5)

Scale: TypeAlias = Callable[[int], float]
"""Maps a number to a position in the picture."""


class Tick(Struct, frozen=True):
    at: float
    text: str


class Curve(Struct, frozen=True):
    """One line: `seat` picks its dash and colour (-1 for the table's own), `letter` is at its end.

    It is drawn in `runs`, with a gap wherever there was no number.
    """

    seat: int
    name: str
    letter: str
    runs: tuple[str, ...]
    x: float
    y: float
    last: int | None


class Chart(Struct, frozen=True):
    """Lines over the entries of a game."""

    curves: tuple[Curve, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT


class Bar(Struct, frozen=True):
    """One row: its name, its number in words and its share of the longest, from 0 to 100."""

    name: str
    text: str
    share: float
    seat: int = -1


def chart(seqs: tuple[int, ...], values: tuple[tuple[int | None, ...], ...], names: tuple[str, ...]) -> Chart:
    """A chart of one number: `values[i]` has the values after entry `seqs[i]`, one for each name."""
    flat = [v for row in values for v in row if v is not None]
    low, high = min([0, *flat]), max([1, *flat])
    first, last = seqs[0], max(seqs[-1], seqs[0] + 1)

    def x(seq: int) -> float:
        return round(LEFT + (seq - first) / (last - first) * (WIDTH - LEFT - RIGHT), 1)

    def y(value: int) -> float:
        return round(TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)

    rows = [[row[n] for row in values] for n in range(len(names))]
    curves = tuple(_curve(n if len(names) > 1 else -1, name, seqs, rows[n], (x, y)) for n, name in enumerate(names))
    across = tuple(Tick(x(seq), f"#{seq}") for seq in _ticks(first, last, 5) if seq >= first)
    return Chart(_apart(curves), across, tuple(Tick(y(v), str(v)) for v in _ticks(low, high, 4)))


def _curve(seat: int, name: str, seqs: tuple[int, ...], row: list[int | None], scales: tuple[Scale, Scale]) -> Curve:
    """Steps, not slopes: between two entries nothing changes."""
    x, y = scales
    runs: list[list[str]] = []
    before: int | None = None
    for seq, value in zip(seqs, row, strict=True):
        if value is not None and before is None:
            runs.append([])
        if before is not None and value != before:
            runs[-1].append(f"{x(seq)},{y(before)}")
        if value is not None and (value != before or seq == seqs[-1]):
            runs[-1].append(f"{x(seq)},{y(value)}")
        before = value
    last = row[-1]
    drawn = tuple(" ".join(run) for run in runs)
    return Curve(seat, name, "" if last is None else name[:1], drawn, x(seqs[-1]), y(last or 0), last)


def _apart(curves: tuple[Curve, ...]) -> tuple[Curve, ...]:
    """Letters at the ends of lines, moved so that none covers another and all stay inside the chart."""
    order = sorted((n for n, curve in enumerate(curves) if curve.letter), key=lambda n: curves[n].y)
    moved: dict[int, float] = {}
    lowest = float(TOP)
    for n in order:
        moved[n] = max(curves[n].y, lowest)
        lowest = moved[n] + LETTER
    highest = float(HEIGHT - BOTTOM)
    for n in reversed(order):
        moved[n] = min(moved[n], highest)
        highest = moved[n] - LETTER
    return tuple(replace(curve, y=round(moved.get(n, curve.y), 1)) for n, curve in enumerate(curves))


def _ticks(low: int, high: int, about: int) -> list[int]:
    """Round numbers between two."""
    step, power = 1, 1
    while (high - low) / step > about:
        for unit in STEPS:
            step = unit * power
            if (high - low) / step <= about:
                break
        power *= 10
    return [n for n in range(low - low % step, high + 1, step) if n >= low]


def bars(rows: tuple[tuple[str, float, str, int], ...]) -> tuple[Bar, ...]:
    """Rows of (name, number, the number in words, seat or -1) as bars."""
    longest = max([number for _, number, _, _ in rows], default=0) or 1
    return tuple(Bar(name, text, round(number / longest * 100, 1), seat) for name, number, text, seat in rows)
