"""The buzzer: a passive piezo that plays signals by pitch and rhythm."""

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
"""The duty cycle at which a piezo is loudest."""


def share_for(volume: int) -> float:
    """The duty cycle for a volume from 0 to 10; squared, because that sounds like even steps."""
    return LOUDEST * (volume / 10) ** 2


class Buzzer(Follower):
    """Plays what the newest snapshot signals; silent without a pin, at volume 0 and at night.

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
