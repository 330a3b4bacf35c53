"""The time that entries carry, and who watches the turn clock.

A Raspberry Pi has no clock of its own: after a power cut it shows a time long past.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from companion.core import Said, SeatId, say
from companion.table import Snapshot, Table

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


AT_LEAST: Final = 0.02
"""Seconds between two looks, however little is left."""


class Timekeeper:
    """Watches the turn clock in a thread of its own and tells the table when somebody's time is up.

    Once for each question of each seat, from `start` to `close`.
    """

    def __init__(self, table: Table, clock: Callable[[], float] = time.monotonic) -> None:
        self._table, self._clock = table, clock
        self._latest = table.latest()
        self._now = table.snapshot
        self._closing = threading.Event()
        self._told: set[tuple[str, SeatId, int]] = set()
        self._thread = threading.Thread(target=self._run, name="timekeeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._latest.close()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._closing.is_set():
            fresh = self._latest.wait(self._patience())
            if self._closing.is_set():
                return
            self._now = fresh or self._now
            for seat, asked in self.late(self._now):
                self._told.add((self._now.table, seat, asked))
                self._table.out_of_time(seat, asked)

    def late(self, now: Snapshot) -> list[tuple[SeatId, int]]:
        """Whose time is up, with the number of their question; nobody twice for the same one."""
        if now.clock is None:
            return []
        over = [(seat, now.asked[seat]) for seat in now.clock.over(self._clock()) if not now.chairs[seat].bot]
        return [each for each in over if (now.table, *each) not in self._told]

    def _patience(self) -> float | None:
        clock = self._now.clock
        due = None if clock is None else clock.due(self._clock())
        return None if due is None else max(due, AT_LEAST)
