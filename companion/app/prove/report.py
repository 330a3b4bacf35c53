"""The report: the same for a terminal, for docs/proof.md and as a page."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from jinja2 import Environment

from companion.app.kit.kit import kit_of

from .faults import FAULTS
from .results import KINDS, Sum

PAGE: Final = Path(__file__).with_name("report.html")
MEANS: Final = {
    "wrong": "wrong rulings",
    "lost": "lost acts",
    "doubled": "doubled acts",
    "leaked": "leaked bytes",
    "stuck": "evenings that did not go on",
}


def machine() -> str:
    """On what it was proven."""
    return (
        f"{platform.system()} on {platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"
    )


def today() -> str:
    return datetime.now(UTC).date().isoformat()


def headline(total: Sum) -> str:
    found = ", ".join(f"{total.count(kind)} {MEANS[kind]}" for kind in KINDS)
    survived = f"{sum(total.faults.values()):,} faults of {len(total.faults)} kinds"
    return f"{total.evenings:,} evenings, {total.acts:,} acts, {survived}: {found}."


def refereed(total: Sum) -> list[str]:
    """The games whose second referee, which is in their tests, is at hand here."""
    return [game for game in total.games if kit_of(game).naive is not None]


def clubs(total: Sum) -> str:
    """How much of it was shown at a club; none is where there is no Mosquitto."""
    if not total.in_club:
        return "No evening was shown at a club: that needs Mosquitto, which is not installed here."
    sent = f"{total.published:,} messages, all held against the record"
    return f"{total.in_club:,} evenings were shown at a club, which was sent {sent}."


def as_text(total: Sum) -> str:
    """In Markdown, to be read as it is."""
    return "\n".join((*_head(total), *_table(total), *_failures(total), ""))


def _head(total: Sum) -> Iterator[str]:
    usual, most, longest = total.recovery
    games = ", ".join(f"{game} {count:,}" for game, count in total.games.items())
    yield from ("# The proof", "", headline(total), "")
    yield from (
        "Made by `companion prove`; runs are added up by seed. What it holds: `companion/app/prove/README.md`.",
        "",
    )
    yield f"- Evenings: {games}; {total.whole:,} games were played to their end."
    yield f"- Bytes that phones were sent, all looked through: {total.sent:,}."
    second = ", ".join(refereed(total)) or "none"
    yield f"- Every entry was judged again by the rules, and by a second referee in: {second}."
    yield f"- Photos of printed codes: {total.photos:,} were read, {total.offered:,} led straight to the act."
    yield f"- Acts on the box that hands had to do again, because a card was heard late: {total.again:,}."
    yield f"- {clubs(total)}"
    yield f"- All was well again after {usual:.2f} s (median), {most:.2f} s (95 of 100), {longest:.2f} s (longest)."
    yield f"- Machine: {machine()}. Date: {today()}."


def _table(total: Sum) -> Iterator[str]:
    yield from ("", "| fault | times | well again after | at the longest | what happens | how it is known to be over |")
    yield "|---|---|---|---|---|---|"
    for name, each in sorted(FAULTS.items()):
        usual, _, longest = total.recoveries.get(name, (0.0, 0.0, 0.0))
        times = f"{total.faults.get(name, 0):,} | {usual:.2f} s | {longest:.2f} s"
        yield f"| {name} | {times} | {each.does} | {each.is_over} |"


def _failures(total: Sum) -> Iterator[str]:
    if total.failures:
        yield from ("", "## Failures", "")
    for seed, failure in total.failures:
        yield f"- seed {seed}, entry {failure.seq}, {failure.kind}: {failure.what.strip()}"


def as_page(total: Sum) -> str:
    template = Environment(autoescape=True).from_string(PAGE.read_text(encoding="utf-8"))
    counts = [(MEANS[kind], total.count(kind)) for kind in KINDS]
    return template.render(
        total=total,
        counts=counts,
        faults=FAULTS,
        clubs=clubs(total),
        refereed=refereed(total),
        machine=machine(),
        day=today(),
    )
