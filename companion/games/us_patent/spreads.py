"""The sheet of each seat: its Time Machine in the middle, the four slots around it."""

from __future__ import annotations

from typing import Final

from companion.core import PlaceId, SlotCode, Spread

from .state import SLOTS

_LIES: Final = {"weapon": (0, 0), "shield": (2, 0), "chassis": (0, 1), "plant": (2, 1)}


def spreads(seats: int) -> tuple[Spread, ...]:
    return tuple(_of(seat) for seat in range(seats))


def _of(seat: int) -> Spread:
    machine = PlaceId(f"machine/{seat}")
    slots = (SlotCode(PlaceId(f"slot/{seat}/{slot}"), *_LIES[slot]) for slot in SLOTS)
    return Spread(machine, (SlotCode(machine, 1, 0), *slots))
