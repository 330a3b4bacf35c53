"""What a card would score."""

from __future__ import annotations

from companion.core import PieceId, SeatId
from companion.games.actionworks.state import State, part_of, wanted_by


def worth(view: State, seat: SeatId, card: PieceId) -> int:
    """A20: its value if this seat's Demands want its type, else −1; 0 if the view does not know the card."""
    part = part_of(card)
    if part is None:
        return 0
    return part.value if part.type in wanted_by(view, seat) else -1
