"""A finished game, as people log it."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from companion.library import Play, Player, places, play_id

from .seen import Seen

BREAK: Final = 1800.0
"""Seconds without an act after which people are no longer thinking but have gone home."""


def play_of(seen: Seen, title: str, table: str, left_out: frozenset[str] = frozenset()) -> Play | None:
    """The play that everybody may know of; None while the game is on.

    `title` is the name of the game, `table` that of the table; people who are `left_out` are not named.
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
    """Each seat's value of the number that ranks them; None for all if the game names only winners."""
    seats = len(seen.chairs)
    ranked = (line.values for line in seen.game.series(seen.view) if line.key == seen.game.ranks)
    return next((values for values in ranked if len(values) == seats), (None,) * seats)
