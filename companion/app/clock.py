"""The time that entries carry, and who watches the turn clock.

A Raspberry Pi has no clock of its own: after a power cut it shows a time long past.
"""

from __future__ import annotations

import os
import threading
import time
import zoneinfo
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.core import Said, SeatId, say
from companion.table import Snapshot, Table

LEAP: Final = 120.0
"""How many seconds the wall clock may differ from elapsed time: less is a clock being adjusted."""

JUMPED: Final = say("trouble.clock")


PLAUSIBLE: Final = (1_735_689_600.0, 4_102_444_800.0)
"""From 2025 to 2100: outside that, what a phone says is not a time."""
SYNCHRONIZED: Final = Path("/run/systemd/timesync/synchronized")
"""Exists as soon as the machine has the time from the network."""


class Clock:
    """Calling it gives the time; if the clock jumps, that is reported once, and the game goes on.

    `newest` is the time of the newest entry of all. A clock that is behind it stood still while the box was off, or a
    phone has told the program the time that ran here before: it counts on from `newest`, and says that it is not sure.
    """

    def __init__(
        self,
        newest: float = 0.0,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
        is_set: Callable[[], bool] = SYNCHRONIZED.exists,
    ) -> None:
        self._wall, self._steady, self._is_set = wall, steady, is_set
        self._newest = newest
        self._expected = max(newest, wall()) - steady()
        self._raw = wall() - steady()
        self._ahead = 0.0 if is_set() else max(0.0, newest - wall())
        """How far a phone's time, or the record, was ahead of the machine's clock."""
        self._hinted = False
        self._unsure = self._ahead > LEAP
        self._tell: Callable[[Said | None], None] = lambda _said: None
        self._told = False

    def tells(self, fn: Callable[[Said | None], None]) -> None:
        """From now on `fn` is told when the clock jumps and, with None, at the next entry that it is over."""
        self._tell = fn
        if self._told:
            fn(JUMPED)

    def hint(self, told: float) -> bool:
        """A phone that sits down reports the time; returns whether that was needed.

        Only the first report counts, only while the machine has no time from the network, and never if it would date an
        entry before an earlier one. What is recorded already stays as it is.
        """
        early, late = PLAUSIBLE
        is_needed = abs(told - self._wall()) > LEAP and not self._hinted and not self._is_set()
        if not is_needed or not max(early, self._newest) <= told <= late:
            return False
        self._ahead = told - self._wall()
        self._expected = told - self._steady()
        self._hinted, self._unsure = True, False
        return True

    def __call__(self) -> float:
        raw = self._wall() - self._steady()
        if abs(raw - self._raw) > LEAP:
            self._ahead = 0.0  # the machine's clock was set meanwhile
        self._raw = raw
        now = self._wall() + self._ahead
        offset = now - self._steady()
        jumped = self._unsure or abs(offset - self._expected) > LEAP
        self._unsure = False
        if jumped or self._told:
            self._tell(JUMPED if jumped else None)
        self._told, self._expected = jumped, offset
        self._newest = max(self._newest, now)
        return now


AT_LEAST: Final = 0.02
"""Seconds between two looks, however little time is left."""


class Timekeeper:
    """Watches the turn clock in a thread of its own and tells the table when somebody's time is up.

    Once per question and seat, from `start` to `close`.
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
        """Whose time is up, with the number of their question; never twice for the same one."""
        if now.clock is None:
            return []
        over = [(seat, now.asked[seat]) for seat in now.clock.over(self._clock()) if not now.chairs[seat].bot]
        return [each for each in over if (now.table, *each) not in self._told]

    def _patience(self) -> float | None:
        clock = self._now.clock
        due = None if clock is None else clock.due(self._clock())
        return None if due is None else max(due, AT_LEAST)


def has_no_zone() -> bool:
    """Whether this machine was never told where it is, and so uses universal time."""
    return "TZ" not in os.environ and time.tzname[0] in ("UTC", "GMT") and not time.daylight


def use_zone(zone: str) -> bool:
    """Use this time zone from now on; False if there is none with that name, or none was given."""
    try:
        zoneinfo.ZoneInfo(zone)
    except (LookupError, ValueError, OSError):
        return False
    os.environ["TZ"] = zone
    time.tzset()
    return True
