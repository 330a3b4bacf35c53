"""What evenings came to, added up over runs: one line for each in a file of their own, by seed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from companion.core import CompanionError

from .checks import Failure, Kind
from .proving import Outcome

RESULTS: Final = "results.jsonl"
KINDS: Final[tuple[Kind, ...]] = ("wrong", "lost", "doubled", "leaked", "stuck")


class Unreadable(CompanionError, ValueError):
    """A line of the results that nobody can read."""


class Results:
    """The evenings of a folder. A seed is played once: whoever asks for it again is told what it came to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / RESULTS
        self.outcomes = {each.seed: each for each in self._read()}

    def _read(self) -> Iterable[Outcome]:
        lines = self._path.read_bytes().splitlines(keepends=True) if self._path.exists() else []
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                self._path.write_bytes(
                    b"".join(lines[:-1])
                )  # it was stopped while it wrote: that evening is played again
                return
            try:
                yield msgspec.json.decode(line, type=Outcome)
            except msgspec.MsgspecError as error:
                raise Unreadable(
                    f"{self._path}, line {number}: {error}. Take the line out, or choose another folder with --folder."
                ) from error

    def add(self, outcome: Outcome) -> None:
        self.outcomes[outcome.seed] = outcome
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(outcome) + b"\n")


Spread: TypeAlias = tuple[float, float, float]
"""Median, 95 of 100, longest."""


def spread(seconds: list[float]) -> Spread:
    ordered = sorted(seconds) or [0.0]
    return median(ordered), ordered[len(ordered) * 95 // 100], ordered[-1]


class Sum(Struct, frozen=True):
    """Evenings added up."""

    evenings: int
    whole: int
    """Games that were played to their end."""
    acts: int
    sent: int
    games: dict[str, int]
    faults: dict[str, int]
    recovery: Spread
    """Seconds until all was well."""
    recoveries: dict[str, Spread]
    """The same for each kind of fault."""
    failures: tuple[tuple[int, Failure], ...]
    """Each with its seed."""
    in_club: int = 0
    """Evenings that were shown at a club, and the messages that it was sent."""
    published: int = 0
    photos: int = 0
    """Photos that were read, and those of them with the act on the sheet that came of it."""
    offered: int = 0
    again: int = 0
    """How often hands had to do something on the box again."""

    def count(self, kind: Kind) -> int:
        return sum(failure.kind == kind for _, failure in self.failures)


def added_up(outcomes: Iterable[Outcome]) -> Sum:
    every = sorted(outcomes, key=lambda each: each.seed)
    faults: Counter[str] = Counter()
    for each in every:
        faults.update(each.survived)
    waits: dict[str, list[float]] = defaultdict(list)
    for name, seconds in (found for each in every for found in each.recovered.items()):
        waits[name] += seconds
    return Sum(
        evenings=len(every),
        whole=sum(each.is_over for each in every),
        acts=sum(each.acts for each in every),
        sent=sum(each.sent for each in every),
        games=dict(sorted(Counter(each.game for each in every).items())),
        faults=dict(sorted(faults.items())),
        recovery=spread([wait for each in waits.values() for wait in each]),
        recoveries={name: spread(each) for name, each in waits.items()},
        failures=tuple((each.seed, failure) for each in every for failure in each.failures),
        in_club=sum(each.published > 0 for each in every),
        published=sum(each.published for each in every),
        photos=sum(each.photos for each in every),
        offered=sum(each.offered for each in every),
        again=sum(each.again for each in every),
    )
