"""The end of a game: who won and how, and the acts that decided it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from companion.core import Said, SeatId, Seq
from companion.table.outside import Seen, Told

MOST_ACTS: Final = 4
"""How many acts are shown; the last one is always among them."""


class Winner(Struct, frozen=True):
    seat: SeatId
    name: str


class Ending(Struct, frozen=True):
    """The part people photograph: how it ended, for whom, and what decided it, oldest first."""

    said: Said
    winners: tuple[Winner, ...]
    acts: tuple[Told, ...]


def ending(seen: Seen) -> Ending | None:
    """None while the game is on."""
    result = seen.result
    if result is None:
        return None
    winners = tuple(Winner(seat, seen.chairs[seat].name) for seat in result.winners)
    return Ending(result.said, winners, decisive(seen, result.winners))


def decisive(seen: Seen, winners: tuple[SeatId, ...]) -> tuple[Told, ...]:
    """The last act, and for each of the game's numbers the act of a winner that changed it most, oldest first."""
    done = {told.seq: told for told in seen.past.told() if told.kind == "did" and not told.undone}
    found = {seen.line[-1]}
    for changes in _changes(seen, winners):
        acts = [(size, seq) for size, seq in changes if size and seq in done and done[seq].who in winners]
        found |= {seq for _, seq in sorted(acts)[-1:]}
    return tuple(done[seq] for seq in sorted(found) if seq in done)[-MOST_ACTS:]


def _changes(seen: Seen, winners: tuple[SeatId, ...]) -> Iterator[list[tuple[int, Seq]]]:
    """For each number that every seat has: by how much each entry changed it for the winners."""
    rows = seen.past.series()
    for n, line in enumerate(rows[-1]):
        if len(line.values) == len(seen.chairs) and all(len(row) > n for row in rows):
            values = [[row[n].values[seat] or 0 for seat in winners] for row in rows]
            steps = zip(values, values[1:], seen.line[1:], strict=False)
            yield [(sum(abs(a - b) for a, b in zip(after, before, strict=True)), seq) for before, after, seq in steps]
