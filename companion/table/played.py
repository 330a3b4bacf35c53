"""A game that is over, as people log it."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from companion.library import Play, Player, places, play_id

from .seen import Seen

BREAK: Final = 1800.0
"""Seconds in which nothing is done after which people have not thought for long but gone home."""


def play_of(seen: Seen, title: str, table: str, left_out: frozenset[str] = frozenset()) -> Play | None:
    """The play that everybody may know of; None while the game is on.

    `title` is what the game is called, `table` what the table calls itself; who is `left_out` has no name in it.
    """
    result = seen.result
    if result is None:
        return None
    told = seen.past.told()
    ended = next(entry.at for entry in reversed(told) if entry.seq == seen.line[-1])
    acts = [entry.at for entry in told if entry.kind == "did" and entry.at <= ended] or [ended]
    scores = _scores(seen)
    placed = places(result.winners, scores)
    return Play(
        id=play_id(seen.table, told[0].at),
        game=seen.game.id,
        title=title,
        table=table,
        began=acts[0],
        ended=ended,
        minutes=round(sum(b - a for a, b in pairwise(acts) if b - a <= BREAK) / 60),
        players=tuple(
            Player("" if chair.name in left_out else chair.name, placed[n], scores[n], chair.bot)
            for n, chair in enumerate(seen.chairs)
        ),
        bgg=seen.game.bgg,
    )


def _scores(seen: Seen) -> tuple[int | None, ...]:
    """What each seat has of the number by which the game ranks them; None for all where it names winners only."""
    seats = len(seen.chairs)
    ranked = (line.values for line in seen.game.series(seen.view) if line.key == seen.game.ranks)
    return next((values for values in ranked if len(values) == seats), (None,) * seats)
