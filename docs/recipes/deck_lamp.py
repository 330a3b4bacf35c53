"""Deck lamp: one LED beside deck and dice that lights up while a card is due to be drawn or a die to be rolled."""

from __future__ import annotations

from typing import Any

from gpiozero.output_devices import LED

from companion.core import TABLE
from companion.table import Latest, Seen
from hw.errors import naming_pins
from hw.follower import Follower


class DeckLamp(Follower):
    """Opening raises PinsUnusable; later faults are named once, and the game goes on."""

    def __init__(self, latest: Latest[Seen], factory: Any, pin: int) -> None:
        super().__init__("deck lamp", latest)
        self._factory, self._pin = factory, pin
        self._led: Any = None

    def open(self) -> None:
        if self._led is None:
            with naming_pins("deck lamp", self._pin):
                self._led = LED(self._pin, pin_factory=self._factory)
        super().open()

    def _turn(self, seen: Seen | None) -> None:
        if seen is not None:
            self._led.value = seen.awaited == (TABLE,)

    def _pause(self) -> float | None:
        return None

    def _end(self) -> None:
        if self._led is not None:
            self._led.close()
