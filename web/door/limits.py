"""How often one phone or one address may ask: enough for any person, too little to keep others from playing."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Final, Literal

from msgspec import Struct

Kind = Literal["join", "post", "get", "seated", "photo", "stream", "streams"]
REMEMBERED: Final = 2048
"""Askers remembered; the least recent one is forgotten first, and starts afresh."""


class Pace(Struct, frozen=True):
    """This many at once, and then this many per second."""

    burst: int
    each_second: float


PACES: Final[Mapping[Kind, Pace]] = {
    "join": Pace(12, 0.5),  # each one appears on the box's display
    "post": Pace(60, 10),
    "get": Pace(300, 100),
    "seated": Pace(300, 100),
    "photo": Pace(8, 1),  # nobody takes photos faster
    "stream": Pace(60, 20),
    "streams": Pace(500, 100),  # for all strangers together: streams are drawn on the loop that serves everybody
}


class Limits:
    """Counts by kind and asker; thread-safe. Kinds that `paces` doesn't name have the usual one."""

    def __init__(self, paces: Mapping[Kind, Pace] = PACES, clock: Callable[[], float] = time.monotonic) -> None:
        self._paces = {**PACES, **paces}
        self._clock = clock
        self._left: OrderedDict[tuple[Kind, str], tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def allows(self, kind: Kind, who: str) -> bool:
        """Whether `who` may ask once more now; the question itself counts."""
        pace = self._paces[kind]
        with self._lock:
            now = self._clock()
            left, since = self._left.pop((kind, who), (float(pace.burst), now))
            left = min(float(pace.burst), left + (now - since) * pace.each_second)
            allowed = left >= 1
            self._left[kind, who] = (left - 1 if allowed else left, now)
            if len(self._left) > REMEMBERED:
                self._left.popitem(last=False)
            return allowed
