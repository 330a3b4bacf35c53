"""Mats: where antennas lie under the table of one game, in millimetres.

A reader is bound only to a place whose pieces everybody knows and that lie side by side: never to a pile, a hand or
face-down cards, since it would tell a secret. A place may have several readers and may hold more pieces than readers;
those out of range are taken on trust.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from .facts import numbered
from .ids import PlaceId, ReaderId

CARD: Final = (63, 88)
ANTENNA: Final = (40, 60)
"""Of an MFRC522; a PN532's is smaller."""
PITCH: Final = (100, 120)
"""From the centre of an antenna to the next ones across and down. Any closer and they would have to take turns."""
WIDE: Final = 4
"""Antennas in one row: as far as one Pico's wires reach."""
MOST: Final = 24
"""Readers of one mat: two Picos with twelve MFRC522 each, or three with eight PN532."""


class MatSpot(Struct, frozen=True):
    """One antenna: its centre, measured from the left and top edge of the mat. Without a place it is a wand."""

    place: PlaceId | None
    x: int
    y: int


class Mat(Struct, frozen=True):
    """The readers of one table in the order of their numbers. `left_out` are places that got none."""

    name: str
    spots: tuple[MatSpot, ...]
    left_out: tuple[PlaceId, ...] = ()

    def size(self) -> tuple[int, int]:
        """Width and height."""
        return max(spot.x for spot in self.spots) + PITCH[0] // 2, max(spot.y for spot in self.spots) + PITCH[1] // 2

    def zones(self) -> dict[ReaderId, PlaceId]:
        """The places of its readers; a wand has none."""
        return {reader: spot.place for reader, spot in self.readers() if spot.place is not None}

    def readers(self) -> tuple[tuple[ReaderId, MatSpot], ...]:
        """Each antenna with the name of its reader: r01, r02 …"""
        return tuple((numbered(n), spot) for n, spot in enumerate(self.spots, 1))


def mat(name: str, *places: PlaceId | None) -> Mat:
    """A wand, with everything else that has a reader below it in rows of four; None is one more wand.

    A reader number means the same spot on every mat, so that one board serves all games. If there are too few readers,
    only whole rows get them.
    """
    others = MOST - 1
    taken = places if len(places) <= others else places[: others - others % WIDE]
    rows = (MatSpot(place, *_middle(at % WIDE, 1 + at // WIDE)) for at, place in enumerate(taken))
    left_out = tuple(place for place in places[len(taken) :] if place is not None)
    return Mat(name, (MatSpot(None, *_middle(0, 0)), *rows), left_out)


def _middle(column: int, row: int) -> tuple[int, int]:
    return PITCH[0] * (2 * column + 1) // 2, PITCH[1] * (2 * row + 1) // 2


ONE_WAND: Final = mat("wand")
"""Every game can be played with this."""


def find(name: str | None, mats: Iterable[Mat]) -> Mat | None:
    """The game's mat of that name, if it has one."""
    return next((each for each in mats if each.name == name), None)
