"""The mats of all games on the shelf: a box plays several games on the same readers."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core import CompanionError, Mat

from . import shelf


def mat_names() -> tuple[str, ...]:
    """Every mat name that a game has."""
    return tuple(dict.fromkeys(mat.name for mat in _all()))


def most_readers(name: str) -> int:
    """How many readers the largest mat of that name has in any game; 0 if no game has one."""
    return max((len(mat.spots) for mat in _all() if mat.name == name), default=0)


def _all() -> Iterator[Mat]:
    """For every game and number of seats; games that cannot be opened are reported elsewhere."""
    for game_id in shelf.games():
        try:
            game = shelf.open(game_id)
        except CompanionError:
            continue
        low, high = game.seats
        for seats in range(low, high + 1):
            yield from game.mats(seats)
