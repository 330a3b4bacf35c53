"""Names of things. Each is its own type, so that a piece is never handed over as a place."""

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
"""The actor of chance: it rolls and draws."""

PUBLIC: Final = SeatId(-1)
"""The audience of everyone in the room: OLED, spectators, logs, referee."""

REFEREE: Final = SeatId(-2)
"""Who referees with a phone: no seat, sees what everyone sees, and may set right what the table agrees on."""

UNKNOWN: Final = PieceId("?")
"""What an audience sees where a piece lies that it may not know."""
