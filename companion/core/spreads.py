"""Spreads: cards that lie side by side on a printed sheet, each over the code of its slot.

A slot's code is printed where the code of a card comes to lie. So a photo tells three things apart: the slot's own code
is seen, it is empty; a card's code is seen there, that card lies face up; neither, a card lies face down.
"""

from __future__ import annotations

from msgspec import Struct

from .ids import PlaceId


class SlotCode(Struct, frozen=True):
    """Where one card is laid: so many cards from the left and from the top of the sheet."""

    place: PlaceId
    column: int
    row: int


class Spread(Struct, frozen=True):
    """One sheet. `anchor` is the place of a card that stays uncovered, and so shows where the sheet lies."""

    anchor: PlaceId
    cells: tuple[SlotCode, ...]
