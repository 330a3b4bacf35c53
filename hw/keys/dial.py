"""The dial: a rotary encoder on two pins becomes steps. Its push is one of the buttons."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Self

from gpiozero.input_devices import RotaryEncoder

from companion.core import Input, Turned
from companion.library import DialPins
from hw.errors import naming_failures, naming_pins


class Dial:
    """Puts Turned(1) or Turned(-1) into the inbox for every click; without pins there is no dial.

    gpiozero's own state table rejects bounce.
    """

    def __init__(self, put: Callable[[Input], None], factory: Any, pins: DialPins) -> None:
        self._put = put
        self._factory = factory
        self._pins = pins
        self._encoder: Any = None

    def open(self) -> None:
        """Raises PinsUnusable."""
        if self._encoder is not None:
            return
        a, b = self._pins.a, self._pins.b
        if a is None or b is None:
            return
        with naming_pins("dial", a, b):
            encoder: Any = RotaryEncoder(a, b, max_steps=0, pin_factory=self._factory)  # type: ignore[no-untyped-call]
            encoder.when_rotated_clockwise = self._right
            encoder.when_rotated_counter_clockwise = self._left
        self._encoder = encoder

    def close(self) -> None:
        if self._encoder is not None:
            encoder, self._encoder = self._encoder, None
            with naming_failures("dial"):
                encoder.close()

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _right(self) -> None:
        self._put(Turned(1))

    def _left(self) -> None:
        self._put(Turned(-1))


class PretendKnob:
    """Turns the dial of a pretend factory, contact by contact."""

    def __init__(self, factory: Any, pins: DialPins) -> None:
        self._factory = factory
        self._pins = pins
        self._lock = threading.Lock()

    def turn(self, steps: int) -> None:
        a, b = self._factory.pin(self._pins.a), self._factory.pin(self._pins.b)
        first, second = (a, b) if steps > 0 else (b, a)
        with self._lock:
            for _ in range(abs(steps)):
                first.touch(True)
                second.touch(True)
                first.touch(False)
                second.touch(False)
