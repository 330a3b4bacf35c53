"""Names of things. Each has its own type, so that a piece cannot be passed as a place."""

from __future__ import annotations

from typing import Final, NewType

GameId = NewType("GameId", str)
SeatId = NewType("SeatId", int)
PieceId = NewType("PieceId", str)
PlaceId = NewType("PlaceId", str)
RuleId = NewType("RuleId", str)
ReaderId = NewType("ReaderId", str)
Uid = NewType("Uid", str)
Seq = NewType("Seq", int)

TABLE: Final = SeatId(-1)
"""The actor that is no seat: chance, which rolls and draws. What the table knows, everybody may know."""

REFEREE: Final = SeatId(-2)
"""Whoever referees with a phone: no seat; sees what everyone sees, and may set right what the table agrees on."""

PUBLIC: Final = SeatId(-3)
"""The audience of display, spectators, logs and referee. Never acts and never appears in a record."""

UNKNOWN: Final = PieceId("?")
"""What an audience sees in place of a piece it may not know."""
