"""Where readers lie: under the slots of the machines, and under the Markets."""

from __future__ import annotations

from typing import Final

from companion.core import ONE_WAND, Mat, PlaceId, mat

from .state import BOARDS, SLOTS

_MARKETS: Final = tuple(PlaceId(f"{board}/market") for board in range(1, BOARDS))


def mats(seats: int) -> tuple[Mat, ...]:
    """A card laid into its slot is bought, invented or salvaged so. Labs have no reader: they are secret (P45)."""
    slots = tuple(PlaceId(f"slot/{seat}/{slot}") for seat in range(seats) for slot in SLOTS)
    return ONE_WAND, mat("slots", *slots), mat("seat", *_MARKETS, *slots)
