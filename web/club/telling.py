"""Turns what everybody may see of a moment into payloads. Only a `Seen` for PUBLIC comes in here, so it has no
secrets.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from companion.core import PUBLIC, Game, Line, Result, Seq
from companion.library import places
from companion.table.outside import Seen, Ticking, Told

from .payloads import ChairSaid, GameOver, Placed, SetupSaid, Story, Telling, Ticks, View
from .topics import TableId

LATELY: Final = 9
"""Acts in a view: as many as the big screen shows."""
_DONE: Final = ("did", "correction")


class Guests:
    """Who at this table is not named to the club: everybody, or those who asked for it, by their name here."""

    def __init__(self, nobody: bool = False, left_out: tuple[str, ...] = ()) -> None:
        self._nobody = nobody
        self._left_out = frozenset(name.strip().casefold() for name in left_out)

    def called(self, name: str) -> str:
        return "" if self._nobody or name.strip().casefold() in self._left_out else name


def setup_of(seen: Seen) -> SetupSaid:
    setup = seen.view.setup
    return SetupSaid(seen.table, seen.game.id, seen.game.version, Raw(msgspec.json.encode(setup)))


def view_of(seen: Seen, guests: Guests, wall: Callable[[float], float] | None = None) -> View:
    """`wall` turns the table's steady clock into seconds since 1970."""
    assert seen.audience == PUBLIC
    return View(
        record=seen.table,
        seq=seen.seq,
        at=_at(seen),
        mode=seen.mode,
        view=Raw(msgspec.json.encode(_bare(seen.view))),
        line=runs(seen.line),
        chairs=tuple(ChairSaid(guests.called(c.name), bool(c.key), c.bot, c.elsewhere) for c in seen.chairs),
        decisions=seen.decisions,
        away=seen.away,
        lately=tuple(islice(_done(seen), LATELY)),
        showdown=seen.past.showdown(),
        clock=None if seen.clock is None else _ticks(seen.clock, wall or wall_time),
        result=seen.result,
        story=None if seen.result is None else Story(tuple(_told(seen.past.told())), seen.past.series()),
    )


def tellings(seen: Seen, after: Seq) -> tuple[Telling, ...]:
    """What was told after that entry, oldest first."""
    found = []
    for told in seen.past.recent():
        if told.seq <= after:
            break
        found.append(told)
    return tuple(Telling(seen.table, told) for told in _told(found[::-1]))


def game_over(table: TableId, seen: Seen, guests: Guests, before: GameOver | None = None) -> GameOver | None:
    """How it ended. If a game that had ended `before` goes on again: that its end no longer stands."""
    result = seen.result
    if result is None:
        stood = before is not None and before.stands and before.record == seen.table
        return replace(before, stands=False, seq=seen.seq) if before is not None and stood else None
    told = seen.past.told()
    numbers = seen.game.series(seen.view)
    return GameOver(
        id=f"{table}/{seen.table}",
        record=seen.table,
        seq=seen.line[-1],
        stands=True,
        game=seen.game.id,
        options=seen.view.setup.options,
        opened=told[0].at,
        ended=next((each.at for each in reversed(told) if each.seq == seen.line[-1]), told[-1].at),
        seats=_placed(seen, result, numbers, guests),
        winners=result.winners,
        said=result.said,
        numbers=numbers,
    )


def _placed(seen: Seen, result: Result, numbers: tuple[Line, ...], guests: Guests) -> tuple[Placed, ...]:
    scores = scores_of(seen.game, numbers, len(seen.chairs))
    placed = places(result.winners, scores)
    return tuple(
        Placed(place, guests.called(chair.name), chair.bot, score)
        for chair, place, score in zip(seen.chairs, placed, scores, strict=True)
    )


def scores_of(game: Game[Any, Any], numbers: tuple[Line, ...], seats: int) -> tuple[int | None, ...]:
    """Each seat's value of the number by which the game ranks them; None for all if it only names winners."""
    for line in numbers:
        if line.key == game.ranks and len(line.values) == seats:
            return line.values
    return (None,) * seats


def runs(line: tuple[Seq, ...]) -> tuple[tuple[Seq, Seq], ...]:
    """Consecutive numbers as (first, last)."""
    found: list[tuple[Seq, Seq]] = []
    for seq in line:
        if found and found[-1][1] == seq - 1:
            found[-1] = (found[-1][0], seq)
        else:
            found.append((seq, seq))
    return tuple(found)


def _at(seen: Seen) -> float:
    return next((told.at for told in seen.past.recent()), 0.0)


def _done(seen: Seen) -> Iterator[Told]:
    return (told for told in seen.past.recent() if told.kind in _DONE and not told.undone)


def _told(all_of_it: tuple[Told, ...] | list[Told]) -> Iterator[Told]:
    """Without who sat down: that would name people who asked to be left out."""
    return (told for told in all_of_it if told.kind != "seated")


def _ticks(clock: Ticking, wall: Callable[[float], float]) -> Ticks:
    return Ticks(clock.wanted, tuple(round(used) for used in clock.spent), clock.runs, round(wall(clock.at)))


def wall_time(steady: float) -> float:
    return time.time() - time.monotonic() + steady


def _bare(view: Any) -> Any:
    """Without the set-up, which is sent once per game."""
    return replace(view, setup=_no_setup(view.__class__))


@cache
def _no_setup(cls: type[msgspec.Struct]) -> Any:
    return next(field.default for field in msgspec.structs.fields(cls) if field.name == "setup")
