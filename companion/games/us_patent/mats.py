"""Where readers lie: under the slots of the machines, and under the Markets."""

from __future__ import annotations

from companion.core.mats import ONE_WAND, WAND, Mat, mat, zones

from .cards import BOARDS, SLOTS


def mats(seats: int) -> tuple[Mat, ...]:
    """A card laid into its slot is bought, invented or salvaged so. Labs have no reader: they are secret (P45)."""
    slots = zones(*(f"slot/{seat}/{slot}" for seat in range(seats) for slot in SLOTS))
    markets = zones(*(f"{board}/market" for board in range(1, BOARDS)))
    return ONE_WAND, mat("slots", WAND, *slots), mat("seat", WAND, *markets, *slots)
