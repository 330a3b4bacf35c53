"""The time that entries carry. A Raspberry Pi has no clock of its own: after a power cut it shows a time long past."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from companion.core import Said, say

LEAP: Final = 120.0
"""Seconds by which the wall clock may differ from what passed: less is a clock being set right."""

JUMPED: Final = say("trouble.clock")


class Clock:
    """Called, it gives the time; a clock that jumped is named once, and the game goes on.

    `newest` is the time of the newest entry of all: a clock that is behind it stood still while the box was off.
    """

    def __init__(
        self,
        newest: float = 0.0,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wall, self._steady = wall, steady
        self._expected = max(newest, wall()) - steady()
        self._tell: Callable[[Said | None], None] = lambda _said: None
        self._told = False

    def tells(self, fn: Callable[[Said | None], None]) -> None:
        """From now on `fn` is told that the clock jumped, and (None) with the next entry that this is over."""
        self._tell = fn
        if self._told:
            fn(JUMPED)

    def __call__(self) -> float:
        now = self._wall()
        offset = now - self._steady()
        jumped = abs(offset - self._expected) > LEAP
        if jumped or self._told:
            self._tell(JUMPED if jumped else None)
        self._told, self._expected = jumped, offset
        return now
