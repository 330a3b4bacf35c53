"""Who may speak for which seat, and what a phone without a seat is asked."""

from __future__ import annotations

from .core.facts import Refusal
from .core.ids import REFEREE, SeatId
from .position import Chair, Position
from .record import own_rule


def bars(at: Position, asker: SeatId, seat: SeatId, away: tuple[SeatId, ...] = ()) -> Refusal | None:
    """Why `asker` may not speak for `seat`; None if it may: for itself, as the referee, or for one of `away`."""
    is_there = 0 <= seat < len(at.chairs) or (seat == REFEREE and at.referee is not None)
    if is_there and (asker in (seat, REFEREE) or (asker >= 0 and seat in away)):
        return None
    return own_rule(3, "not-your-seat")


def chair(at: Position, seat: SeatId) -> Chair:
    """Who sits there; the referee's chair is beside the table."""
    if seat == REFEREE:
        return at.referee or Chair("")
    return at.chairs[seat]


def question(at: Position, seat: SeatId) -> int:
    """The number of what a seat is asked now; for the referee, who is asked nothing, of the newest question."""
    return at.asked[seat] if seat >= 0 else max(at.asked)
