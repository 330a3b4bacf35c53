"""The buzzer: a passive piezo that tells signals by pitch and rhythm."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from gpiozero.output_devices import PWMOutputDevice

from companion.library import BuzzerPin, NightHours
from companion.table.outside import Latest, Seen
from hw.errors import naming_pins
from hw.follower import Follower

from .night import WallClock, is_night, wall_clock
from .patterns import SILENT, Performance, sound_at_rest, tones

LOUDEST: Final = 0.5
"""The share of each wave in which a piezo is pushed when it is loudest."""


def share_for(volume: int) -> float:
    """The share for a volume from 0 to 10; squared, because ears hear steps of strength as equal, not of sums."""
    return LOUDEST * (volume / 10) ** 2


class Buzzer(Follower):
    """Sounds what the newest snapshot signals; without a pin, at volume 0 and at night it is silent.

    Opening raises PinsUnusable; later faults are named once.
    """

    def __init__(
        self,
        latest: Latest[Seen],
        factory: Any,
        wanted: BuzzerPin,
        night: NightHours = NightHours(),  # noqa: B008 - frozen
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: WallClock = wall_clock,
    ) -> None:
        super().__init__("buzzer", latest)
        self._factory = factory
        self._wanted = wanted
        self._clock = clock
        self._night, self._wall = night, wall
        self._piezo: Any = None
        self._performance = Performance(tones, sound_at_rest)
        self._tone = SILENT

    def open(self) -> None:
        pin = self._wanted.pin
        if self._piezo is None and pin is not None and self._wanted.volume > 0:
            with naming_pins("buzzer", pin):
                self._piezo = PWMOutputDevice(pin, frequency=440, pin_factory=self._factory)  # type: ignore[no-untyped-call]
        super().open()

    def _turn(self, seen: Seen | None) -> None:
        now = self._clock()
        if seen is not None:
            self._performance.news(seen, now)
        tone = self._performance.step(now)
        if self._piezo is not None and tone is not self._tone:
            if tone.hertz and not is_night(self._wall(), self._night):
                self._piezo.frequency = tone.hertz
                self._piezo.value = share_for(self._wanted.volume)
            else:
                self._piezo.value = 0
            self._tone = tone

    def _pause(self) -> float | None:
        return self._performance.due(self._clock())

    def _end(self) -> None:
        if self._piezo is not None:
            self._piezo.close()
