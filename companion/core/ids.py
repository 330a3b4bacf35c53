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
"""An actor that is no seat: chance, which rolls and draws. What the table knows, everybody may know."""

REFEREE: Final = SeatId(-2)
"""Who referees with a phone: no seat, sees what everyone sees, and may set right what the table agrees on."""

PUBLIC: Final = SeatId(-3)
"""An onlooker that is no seat: the audience of OLED, spectators, logs, referee. It never acts; no record has it."""

UNKNOWN: Final = PieceId("?")
"""What an audience sees where a piece lies that it may not know."""
