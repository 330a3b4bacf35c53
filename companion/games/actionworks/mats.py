"""Where readers lie: under the workbench, where most cards come and go, and under the Demands."""

from __future__ import annotations

from typing import Final

from companion.core import ONE_WAND, Mat, PlaceId, mat

from .state import TYPES

_BENCH: Final = (PlaceId("bench"),) * 8
"""Nine times out of ten there are no more cards."""


def mats(seats: int) -> tuple[Mat, ...]:
    """With or without the Demands, which lie face up before their seats (A3)."""
    each = len(TYPES) // seats
    demands = (PlaceId(f"demand/{seat}") for seat in range(seats) for _ in range(each))
    return ONE_WAND, mat("slots", *_BENCH), mat("seat", *_BENCH, *demands)
