"""The wire to one display: sends what changed, and reports a loss once and a return once. Knows no game."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, Literal, Protocol

from PIL import Image

from hw.errors import DisplayLost

from .chips import Chip, chip

log = logging.getLogger(__name__)

RETRY_FIRST: Final = 0.5
RETRY_MOST: Final = 5.0
BRIGHT: Final = 200
DIM: Final = 10
RENEW_AFTER: Final = 60.0
"""Seconds after which a chip is set up again before its next picture: it may have lost power unnoticed."""

Light = Literal["full", "dim", "off"]
_NO_OPERATION: Final = 0xE3


class Display(Protocol):
    """A luma device that sends only what changed, see `chips`."""

    persist: bool

    def display(self, image: Image.Image) -> None: ...
    def renew(self) -> None: ...
    def contrast(self, level: int) -> None: ...
    def hide(self) -> None: ...
    def show(self) -> None: ...
    def cleanup(self) -> None: ...


def open_display(kind: Chip = "ssd1306", *, port: int = 1, address: int = 0x3C) -> Display:
    """A real display on the I2C bus; raises what luma raises."""
    import luma.core.interface.serial

    serial = luma.core.interface.serial.i2c(port=port, address=address)  # type: ignore[no-untyped-call]
    try:
        # Checked first because every luma device object, working or not, stays registered until the program ends.
        serial.command(_NO_OPERATION)  # type: ignore[no-untyped-call]
        return chip(kind, serial)
    except BaseException:
        serial.cleanup()  # type: ignore[no-untyped-call]
        raise


class Panel:
    """A display that may be missing: `opens` is called again, at growing intervals, whenever it was lost."""

    def __init__(self, opens: Callable[[], Display], clock: Callable[[], float]) -> None:
        self._opens = opens
        self._clock = clock
        self._display: Display | None = None
        self._is_lost = False
        self._delay = RETRY_FIRST
        self._retry_at = 0.0
        self._sent: bytes | None = None
        self._set_up_at = 0.0
        self._light: Light = "full"

    def due(self, now: float) -> float | None:
        return max(self._retry_at - now, 0.0) if self._is_lost else None

    def show(self, image: Image.Image, light: Light) -> None:
        now = self._clock()
        if self._is_lost and now < self._retry_at:
            return
        try:
            with _named():
                self._send(image, light)
        except DisplayLost as error:
            self._lose(error, now)
        else:
            if self._is_lost:
                log.warning("the display is back")
            self._is_lost, self._delay = False, RETRY_FIRST

    def close(self, last: Image.Image | None = None) -> None:
        """Leave the display dark, or with a last picture that stays as long as it has power."""
        if last is not None:
            self.show(last, "dim")
        if self._display is not None:
            with suppress(DisplayLost), _named():
                self._display.persist = last is not None
                self._display.cleanup()
            self._display = None

    def _send(self, image: Image.Image, light: Light) -> None:
        if self._display is None:
            self._display = self._opens()
            self._display.contrast(BRIGHT)
            self._sent, self._light, self._set_up_at = None, "full", self._clock()
        frame = image.tobytes()
        if light != "off" and frame != self._sent and self._clock() - self._set_up_at >= RENEW_AFTER:
            self._renew(self._display)
        if light != self._light:
            self._shine(self._display, light)
        if light != "off" and frame != self._sent:
            self._display.display(image)
            self._sent = frame

    def _renew(self, display: Display) -> None:
        display.renew()
        display.contrast(BRIGHT if self._light == "full" else DIM)
        self._set_up_at = self._clock()

    def _shine(self, display: Display, light: Light) -> None:
        if light == "off":
            display.hide()
        else:
            if self._light == "off":
                display.show()
            display.contrast(BRIGHT if light == "full" else DIM)
        self._light = light

    def _lose(self, error: DisplayLost, now: float) -> None:
        if not self._is_lost:
            log.warning("%s", error)
        self._is_lost = True
        self._retry_at = now + self._delay
        self._delay = min(2 * self._delay, RETRY_MOST)
        if self._display is not None:
            self._display.persist = True  # or luma would first talk to a display that doesn't answer
            with suppress(DisplayLost), _named():
                self._display.cleanup()
            self._display = None


@contextmanager
def _named() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        raise DisplayLost(
            f"the display does not answer ({str(error) or type(error).__name__}); look at its wires and its I2C "
            "address; the game goes on without it and it is tried again"
        ) from error
