"""Mats: where antennas lie under the table of one game, in millimetres.

A reader is bound only to a place whose pieces everybody knows and that lie beside each other: never to a pile, a hand,
or cards that lie face down, for such a reader would tell a secret. A place may have several readers, and may hold more
pieces than readers; what lies beside them is believed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from msgspec import Struct

from .ids import PlaceId, ReaderId
from .readers import numbered

CARD: Final = (63, 88)
ANTENNA: Final = (40, 60)
"""Of an MFRC522; that of a PN532 is smaller."""
PITCH: Final = (100, 120)
"""From the middle of an antenna to those beside and below it. Closer ones would have to take turns."""
WIDE: Final = 4
MOST: Final = 24
"""Readers of one mat: two Picos with twelve each."""


class Spot(Struct, frozen=True):
    """One antenna: its middle, from the left and upper edge of the mat. Without a place it is a wand."""

    place: PlaceId | None
    x: int
    y: int


class Mat(Struct, frozen=True):
    """The readers of one table, in the order of their numbers. `left_out` are places for which none was left."""

    name: str
    spots: tuple[Spot, ...]
    left_out: tuple[PlaceId, ...] = ()

    def size(self) -> tuple[int, int]:
        """Width and height."""
        return max(spot.x for spot in self.spots) + PITCH[0] // 2, max(spot.y for spot in self.spots) + PITCH[1] // 2

    def zones(self) -> dict[ReaderId, PlaceId]:
        """The places of its readers; a wand has none."""
        return {reader: spot.place for reader, spot in self.readers() if spot.place is not None}

    def readers(self) -> tuple[tuple[ReaderId, Spot], ...]:
        """Each antenna with the name of its reader: r01, r02 …"""
        return tuple((numbered(n), spot) for n, spot in enumerate(self.spots, 1))


Row: TypeAlias = tuple[PlaceId | None, ...]

WAND: Final[Row] = (None,)
"""A row of its own for the one reader that every mat has."""


def mat(name: str, *rows: Row) -> Mat:
    """Rows of antennas, one below the other.

    Only whole rows are taken: the first for which too few readers are left is left out, and so are those after it.
    """
    taken = [row for n, row in enumerate(rows) if sum(map(len, rows[: n + 1])) <= MOST]
    without = tuple(place for row in rows[len(taken) :] for place in row if place is not None)
    spots = (
        Spot(place, PITCH[0] * (2 * at + 1) // 2, PITCH[1] * (2 * n + 1) // 2)
        for n, row in enumerate(taken)
        for at, place in enumerate(row)
    )
    return Mat(name, tuple(spots), without)


def zones(*named: str) -> tuple[Row, ...]:
    """Zones in rows of four, which a sheet of cork and the wires of one Pico can reach."""
    places = tuple(map(PlaceId, named))
    return tuple(places[at : at + WIDE] for at in range(0, len(places), WIDE))


ONE_WAND: Final = mat("wand", WAND)
"""What every game can be played with."""


def find(name: str | None, mats: Iterable[Mat]) -> Mat | None:
    """The mat of that name, where a game has one."""
    return next((each for each in mats if each.name == name), None)
