"""Stand-ins for the pins of the box, chosen explicitly, with their own clock."""

from __future__ import annotations

import time

from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin


class PretendFactory(MockFactory):
    """Pins without a chip, and a clock that can be advanced."""

    def __init__(self, pin_class: type[PretendPin] | None = None) -> None:
        super().__init__(pin_class=pin_class or PretendPin)  # type: ignore[no-untyped-call]
        self._skipped = 0.0

    def ticks(self) -> float:  # type: ignore[override]
        return time.monotonic() + self._skipped

    def skip(self, seconds: float) -> None:
        self._skipped += seconds


class PretendPin(MockPWMPin):
    """A pin whose edges carry the time of its factory's clock, with a contact to ground that beats any resistor."""

    _is_touched = False

    def touch(self, down: bool) -> None:
        """Close the contact, or open it."""
        self._is_touched = down
        if down:
            self.drive_low()  # type: ignore[no-untyped-call]
        else:
            self.drive_high()

    def drive_high(self) -> None:
        if not self._is_touched:
            super().drive_high()  # type: ignore[no-untyped-call]

    def _call_when_changed(self) -> None:  # type: ignore[override]
        super(MockPin, self)._call_when_changed(self.factory.ticks(), self._state)  # type: ignore[no-untyped-call]
