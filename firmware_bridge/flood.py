"""How much a device may send: more than hands can do, and less than keeps a table from its people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.core import CompanionError

BURST: Final = 128 * 1024
PER_SECOND: Final = 64 * 1024
"""Bytes. A device with every reader full of tags sends a fifth of that."""
HEMMED_IN: Final = 1.0
WAITS: Final = 200
"""For how long, and for how many messages, a link may wait for the table while its device makes no pause. Hands pause,
and a disk that hangs for seconds under a table being swept clean is not the device's fault."""
QUARANTINE: Final = 10.0
"""Seconds for which a device that sent too much is not listened to."""


class Flooding(CompanionError, OSError):
    """A device sends more than anybody can listen to."""


class Measure:
    """Counts the bytes that came and the time spent waiting for the table; Flooding if either is too much."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._left = float(BURST)
        self._at = clock()
        self._waited, self._waits = 0.0, 0

    def took(self, chunk: bytes) -> None:
        """This was read; nothing means a pause."""
        now = self._clock()
        self._left = min(BURST, self._left + (now - self._at) * PER_SECOND) - len(chunk)
        self._at = now
        if not chunk:
            self._waited, self._waits = 0.0, 0
        if self._left < 0:
            raise Flooding(f"more than {PER_SECOND // 1024} kB a second; not listened to for {QUARANTINE:g} s")

    def waited(self, seconds: float) -> None:
        """The table took this long to deal with what it had been told."""
        self._waited += seconds
        self._waits += 1
        if self._waited > HEMMED_IN and self._waits > WAITS:
            raise Flooding(f"more than the table can take; not listened to for {QUARANTINE:g} s")
