"""One small lamp at each seat: who is awaited, and for whom somebody at the table has to move something."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from gpiozero.boards import LEDBoard

from companion.core import TABLE, Said, SeatId, say
from companion.table.outside import Latest, Seen, who_rolls
from hw.display.scene import SLEEP_AFTER
from hw.errors import PinsUnusable, naming_pins
from hw.follower import Follower
from hw.watchers import Watchers

BLINK: Final = 0.5
"""How long a blinking lamp is on, and off, in seconds."""
Names = Callable[[Said | None], None]
"""Reports what is wrong, or (None) that it is right again."""


def awaited_seats(seen: Seen) -> frozenset[SeatId]:
    """The seats whose lamps are lit: all that are awaited, or whoever rolls; none once the game is over."""
    if seen.awaited != (TABLE,):
        return frozenset(seen.awaited)
    rolls = who_rolls(seen)
    return frozenset() if rolls is None else frozenset((rolls,))


class SeatLamps(Follower):
    """On while the game waits for their seats, off when the display sleeps; without pins there are none. A lamp
    blinks while hands have to do something for its seat, which a bot or somebody elsewhere plays.

    Opening raises PinsUnusable. Any later fault is also a trouble that everybody reads; the game goes on.
    """

    def __init__(
        self,
        latest: Latest[Seen],
        factory: Any,
        pins: tuple[int, ...],
        names: Names,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__("seat lamps", latest)
        self._factory, self._pins, self._names, self._clock = factory, pins, names, clock
        self._board: Any = None
        self._awaited, self._served = frozenset[SeatId](), frozenset[SeatId]()
        self._news_at = clock()
        self._in_trouble = False
        self.now: tuple[bool, ...] = (False,) * len(pins)
        """Which of them are lit."""
        self.watchers = Watchers()

    def open(self) -> None:
        if self._board is None and self._pins:
            try:
                with naming_pins("seat lamps", *self._pins):
                    self._board = LEDBoard(*self._pins, pin_factory=self._factory)  # type: ignore[no-untyped-call]
            except PinsUnusable:
                self._tell_trouble(True)
                raise
            self._tell_trouble(False)
        super().open()

    def _turn(self, seen: Seen | None) -> None:
        if seen is not None:
            self._awaited, self._news_at = awaited_seats(seen), self._clock()
            self._served = frozenset() if seen.served is None else frozenset((seen.served,))
        self._show(self._lit(self._clock() - self._news_at))
        self._tell_trouble(False)

    def _lit(self, since: float) -> frozenset[SeatId]:
        """Which are lit this many seconds after the last news; blinking starts with light."""
        if since >= SLEEP_AFTER:
            return frozenset()
        is_bright = int(since / BLINK) % 2 == 0
        return self._awaited | self._served if is_bright else self._awaited - self._served

    def _show(self, lit: frozenset[SeatId]) -> None:
        shine = tuple(seat in lit for seat in range(len(self._pins)))
        if shine != self.now:
            if self._board is not None:
                self._board.value = shine
            self.now = shine
            self.watchers.tell()

    def _pause(self) -> float | None:
        """Until one blinks, or they go to sleep."""
        since = self._clock() - self._news_at
        left = SLEEP_AFTER - since
        if left > 0 and self._served:
            return min(left, BLINK - since % BLINK)
        return left if left > 0 and any(self.now) else None

    def _end(self) -> None:
        if self._board is not None:
            self._board.close()

    def _name_failure(self, error: Exception) -> None:
        super()._name_failure(error)
        self._tell_trouble(True)

    def _tell_trouble(self, is_so: bool) -> None:
        """Once when it begins and once when it ends: reporting it is news, which this thread follows, too."""
        if is_so != self._in_trouble:
            self._in_trouble = is_so
            self._names(say("trouble.seat-lamps") if is_so else None)
