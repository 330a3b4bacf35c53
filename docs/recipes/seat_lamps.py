"""Seat lamps: one LED beside each seat, which shines while the game waits for that seat."""

from __future__ import annotations

from typing import Any

from gpiozero.output_devices import LED

from companion.table.publishing import Latest
from companion.table.snapshot import Snapshot
from hw.errors import naming_pins
from hw.follower import Follower


class SeatLamps(Follower):
    """Opening raises PinsUnusable; later faults are named once, and the game goes on."""

    def __init__(self, latest: Latest, factory: Any, pins: tuple[int, ...]) -> None:
        super().__init__("seat lamps", latest)
        self._factory, self._pins = factory, pins
        self._leds: list[Any] = []

    def open(self) -> None:
        for pin in self._pins[len(self._leds) :]:
            with naming_pins("seat lamps", pin):
                self._leds.append(LED(pin, pin_factory=self._factory))
        super().open()

    def _turn(self, snapshot: Snapshot | None) -> None:
        if snapshot is not None:
            for seat, led in enumerate(self._leds):
                led.value = seat in snapshot.awaited

    def _pause(self) -> float | None:
        return None

    def _end(self) -> None:
        for led in self._leds:
            led.close()
