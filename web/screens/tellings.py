"""What was done lately, as people tell it: a seat's acts together, with the dice and cards that belong to them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from msgspec import Struct

from companion.core import TABLE, Said, Seat, SeatId, Seq
from companion.table.outside import Seen, Told

MOST: Final = 6
"""How many acts are told: no turn has more."""


class Telling(Struct, frozen=True):
    """What one seat did in a row, oldest first; `who` is TABLE for the opening of a game, `seq` its last entry."""

    seq: Seq
    who: SeatId
    lines: tuple[Said, ...]
    acts: int


def lately(seen: Seen, most: int = MOST) -> tuple[Telling, ...]:
    """The last things that were done, oldest first."""
    done = (each for each in seen.past.recent() if each.kind in ("did", "correction") and not each.undone)
    return tellings(reversed(tuple(islice(done, most))))


def tellings(entries: Iterable[Told]) -> tuple[Telling, ...]:
    """Groups entries, oldest first."""
    return tuple(
        Telling(run[-1].seq, acts_for(run[0]), tuple(line for told in run for line in told.lines), len(run))
        for run in runs(entries)
    )


def runs(entries: Iterable[Told]) -> list[list[Told]]:
    """Consecutive entries of one seat, oldest first; dice that belong to nobody go with the act they followed."""
    found: list[list[Told]] = []
    for told in entries:
        if found and acts_for(told) in (TABLE, acts_for(found[-1][0])):
            found[-1].append(told)
        else:
            found.append([told])
    return found


def acts_for(told: Told) -> SeatId:
    """Who acted; for dice and drawn cards, for whom they fell, TABLE if for nobody."""
    if told.who != TABLE:
        return told.who
    named = (fact.id for line in told.lines for name, fact in line.facts if name == "seat" and isinstance(fact, Seat))
    return next(named, TABLE)
