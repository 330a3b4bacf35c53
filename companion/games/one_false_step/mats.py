"""Where readers lie: under what is for sale, and under the City cards before each seat."""

from __future__ import annotations

from typing import Final

from companion.core import ONE_WAND, Mat, PlaceId, mat

_AUCTION: Final = (PlaceId("auction"),) * 4
"""At the start as many County Seats are for sale as there are players (F3), later one City at a time."""
_CITIES: Final = 4


def mats(seats: int) -> tuple[Mat, ...]:
    """Rocket cards and boards stay where they are, so they need no reader."""
    cities = (PlaceId(f"before/{seat}") for seat in range(seats) for _ in range(_CITIES))
    return ONE_WAND, mat("slots", *_AUCTION), mat("seat", *_AUCTION, *cities)
