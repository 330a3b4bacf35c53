"""Where readers lie: under what is sold, and under the City cards before each seat."""

from __future__ import annotations

from typing import Final

from companion.core.mats import ONE_WAND, WAND, Mat, mat, zones

_CITIES: Final = 4


def mats(seats: int) -> tuple[Mat, ...]:
    """At the start as many County Seats are sold as there are players (F3); later one City at a time.

    Rocket cards and boards stay where they are, so they need no reader.
    """
    auction = zones(*["auction"] * seats)
    cities = zones(*(f"before/{seat}" for seat in range(seats) for _ in range(_CITIES)))
    return ONE_WAND, mat("slots", WAND, *auction), mat("seat", WAND, *auction, *cities)
