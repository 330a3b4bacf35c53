"""Which pieces are interchangeable as long as nobody has seen them: County Seats, and all other cities."""

from __future__ import annotations

from companion.core import PieceId
from companion.games.one_false_step.state import Pack, city_cards


def alike(pack: Pack, one: PieceId, other: PieceId) -> bool:
    cards = city_cards(pack)
    return one in cards and other in cards and cards[one].seat == cards[other].seat
