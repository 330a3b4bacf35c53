"""The lamp: one RGB LED that shows signals by colour and rhythm."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from gpiozero.output_devices import RGBLED

from companion.library import LampPins, NightHours
from companion.table.outside import Lamp as LampNow
from companion.table.outside import Latest, Seen
from hw.errors import naming_pins
from hw.follower import Follower
from hw.watchers import Watchers

from .night import WallClock, is_night, wall_clock
from .patterns import Performance, Shine, light_at_rest, lights

NIGHT_SHARE: Final = 1 / 8
"""How much of its light is left at night: enough to see a rhythm, too little to wake anybody."""


class Lamp(Follower):
    """Shows what the newest snapshot signals, dimly at night; without pins it stays dark.

    Opening raises PinsUnusable; later faults are named once.
    """

    def __init__(
        self,
        latest: Latest[Seen],
        factory: Any,
        pins: LampPins,
        night: NightHours = NightHours(),  # noqa: B008 - frozen
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: WallClock = wall_clock,
    ) -> None:
        super().__init__("lamp", latest)
        self._factory = factory
        self._pins = pins
        self._clock = clock
        self._night, self._wall = night, wall
        self._led: Any = None
        self._performance = Performance(lights, light_at_rest)
        self.now = LampNow("quiet", 0, 0, 0)
        """What it shows now."""
        self.watchers = Watchers()

    def open(self) -> None:
        red, green, blue = self._pins.red, self._pins.green, self._pins.blue
        if self._led is None and None not in (red, green, blue):
            with naming_pins("lamp", red, green, blue):
                self._led = RGBLED(red, green, blue, pin_factory=self._factory)  # type: ignore[no-untyped-call]
        super().open()

    def _turn(self, seen: Seen | None) -> None:
        now = self._clock()
        if seen is not None:
            self._performance.news(seen, now)
        self._show(self._performance.step(now))

    def _show(self, shine: Shine) -> None:
        share = NIGHT_SHARE if is_night(self._wall(), self._night) else 1
        parts = tuple(round(part * share) for part in (shine.red, shine.green, shine.blue))
        told = LampNow(self._performance.signal, *parts)
        if told != self.now:
            if self._led is not None:
                self._led.value = tuple(part / 255 for part in parts)
            self.now = told
            self.watchers.tell()

    def _pause(self) -> float | None:
        return self._performance.due(self._clock())

    def _end(self) -> None:
        if self._led is not None:
            self._led.close()
