"""Where readers lie: under the slots of the machines, under the Markets, and where a turn passes."""

from __future__ import annotations

from typing import Final

from companion.core import ONE_WAND, Mat, PlaceId, mat

from .state import BOARDS, SLOTS, TO_LAB, TO_MARKET

_MARKETS: Final = tuple(PlaceId(f"{board}/market") for board in range(1, BOARDS))
_PASSED: Final = (TO_LAB, TO_MARKET, PlaceId("0/office"), PlaceId("0/mechanic"))


def mats(seats: int) -> tuple[Mat, ...]:
    """Laying a card into its slot buys, invents or salvages it. Labs have no reader, because they are secret (P45).

    On the mat for turns, a researched card says on its way whether it goes to the Lab or the Market, and the middle
    board lies on the mat, so that a pawn that gets there says so itself.
    """
    slots = tuple(PlaceId(f"slot/{seat}/{slot}") for seat in range(seats) for slot in SLOTS)
    return ONE_WAND, mat("slots", *slots), mat("seat", *_MARKETS, *slots), mat("turn", *_PASSED, *slots)
