"""The turn clock as a page shows it: whose time is running, and how much is left when the page is drawn."""

from __future__ import annotations

import math
import time

from msgspec import Struct

from companion.core import SeatId
from companion.table.outside import Seen


class Timing(Struct, frozen=True):
    """The least time left to any awaited seat, namely `seat`; the page itself counts down from there."""

    seat: SeatId
    left: int
    """Whole seconds; at 0 and below the time is up."""

    @property
    def text(self) -> str:
        return as_time(self.left) if self.left >= 0 else "+" + as_time(-self.left)


def timing(seen: Seen, seat: SeatId | None) -> Timing | None:
    """The clock of this phone's own seat if it is running, else the one with the least left; None if none is
    running.
    """
    clock = seen.clock
    if clock is None or not clock.runs:
        return None
    now = time.monotonic()
    whose = seat if seat is not None and seat in clock.runs else min(clock.runs, key=lambda each: clock.left(each, now))
    return Timing(whose, math.ceil(clock.left(whose, now)))


def as_time(seconds: int) -> str:
    """90 → 1:30"""
    return f"{seconds // 60}:{seconds % 60:02}"
