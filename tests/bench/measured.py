"""One measurement: printed, held to its limit, and kept for the report (`./test bench --report`)."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias

import pytest
from msgspec import Struct
from msgspec.structs import replace

from tests.bench.quiet import QUIET, TRIES

REPORT: Final = Path(__file__).parents[2] / "docs" / "speed.md"
More: TypeAlias = Callable[[], Sequence[float]]
"""Measures some more slices."""
BAR: Final = 24
"""Characters in a bar that is twice as long as its target."""


class Row(Struct, frozen=True):
    """A ratio to its anchor. Exceeding the limit fails; the target is where we want to be."""

    what: str
    anchor: str
    ratio: float
    low: float
    high: float
    sign: Literal["≥", "≤"]
    limit: float
    target: float

    @property
    def is_met(self) -> bool:
        return self.ratio >= self.target if self.sign == "≥" else self.ratio <= self.target

    @property
    def holds(self) -> bool:
        return self.ratio >= self.limit if self.sign == "≥" else self.ratio <= self.limit

    def __str__(self) -> str:
        return (
            f"{self.what} / {self.anchor}: {self.ratio:.2f} (slices {self.low:.2f}–{self.high:.2f}; "
            f"fails unless {self.sign} {self.limit:g}; target {self.sign} {self.target:g})"
        )


class Measured:
    """What the tests of one run have measured."""

    def __init__(self, rows: list[Row], capsys: pytest.CaptureFixture[str]) -> None:
        self._rows, self._capsys = rows, capsys

    def at_least(
        self, what: str, anchor: str, ratios: Sequence[float], limit: float, target: float, more: More | None = None
    ) -> None:
        self._keep(what, anchor, ratios, "≥", limit, target, more)

    def at_most(
        self,
        what: str,
        anchor: str,
        ratios: Sequence[float],
        limit: float,
        target: float,
        more: More | None = None,
        busy: Callable[[], float] = lambda: 0,
    ) -> None:
        """A measurement that misses its limit is repeated with `more`, and all slices count.

        Measurements by the wall clock give `held_up` as `busy`: then a busy machine skips the test.
        """
        self._keep(what, anchor, ratios, "≤", limit, target, more, busy)

    def _keep(
        self,
        what: str,
        anchor: str,
        ratios: Sequence[float],
        sign: Literal["≥", "≤"],
        limit: float,
        target: float,
        more: More | None,
        busy: Callable[[], float] = lambda: 0,
    ) -> None:
        slices = list(ratios)
        row = Row(what, anchor, statistics.median(slices), min(slices), max(slices), sign, limit, target)
        for _ in range(0 if more is None else TRIES - 1):
            if not row.holds and more is not None:
                slices += more()
                row = replace(row, ratio=statistics.median(slices), low=min(slices), high=max(slices))
        self._rows.append(row)
        with self._capsys.disabled():
            print(f"\n{row}")
        if not row.holds and (times := busy()) > QUIET:
            pytest.skip(f"{row}, but this machine is held up ×{times:.1f}; measure when it is quiet: ./test bench")
        assert row.holds, str(row)


def table(rows: Sequence[Row], machine: str) -> str:
    """The rows as a page: what, against what, how far, with a bar whose mark is the target."""
    lines = [
        "| what | anchor in the same run | measured | slices | target | |",
        "|---|---|---|---|---|---|",
        *(
            f"| {row.what} | {row.anchor} | {row.ratio:.2f} | {row.low:.2f}–{row.high:.2f} "
            f"| {row.sign} {row.target:g} | {'met' if row.is_met else 'not met'} |"
            for row in rows
        ),
    ]
    return "\n".join([f"Measured on {machine}.", "", *lines, "", "```text", *map(bar, rows), "```", ""])


def bar(row: Row) -> str:
    """`timeline, fair playouts   ▕███████████|████     ▏ 1.91`: the mark is the target."""
    filled = round(min(row.ratio / row.target, 2) * BAR / 2)
    drawn = "".join("█" if at < filled else " " for at in range(BAR))
    middle = BAR // 2
    return f"{row.what:34.34} ▕{drawn[:middle]}|{drawn[middle:]}▏ {row.ratio:.2f} ({row.sign} {row.target:g})"


def keep(rows: Sequence[Row], machine: str, page: Path = REPORT) -> None:
    """Put the table between the two marks on the page; what people wrote around it stays."""
    begin, end = "<!-- measured -->", "<!-- /measured -->"
    text = page.read_text("utf-8")
    before, rest = text.split(begin)
    after = rest.split(end)[1]
    page.write_text(f"{before}{begin}\n{table(rows, machine)}{end}{after}", "utf-8")
