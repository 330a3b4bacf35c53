"""The pretend display: the product's own device in front of a pretend chip."""

from __future__ import annotations

import io
import threading

import luma.core.error
from PIL import Image

from hw.display import Chip, Display, chip
from hw.watchers import Watchers

from .chip import COMMANDS, DATA, PretendChip


class PretendPanel:
    """The pretend display: a chip that receives real bytes, and its glass, which can be torn off."""

    def __init__(self, kind: Chip = "ssd1306") -> None:
        self._lock = threading.Lock()
        self._is_torn = False
        self.chip = PretendChip(kind)
        self.frames = 0
        """How many pictures were sent."""
        self.watchers = Watchers()

    def open(self) -> Display:
        """The product's own device in front of this chip; raises what luma raises when the display is missing."""
        return _Noticed(chip(self.chip.kind, self), self)

    def image(self) -> Image.Image:
        """What an eye sees."""
        with self._lock:
            return self.chip.image()

    def png(self) -> bytes:
        out = io.BytesIO()
        self.image().save(out, "PNG", optimize=True)
        return out.getvalue()

    def set_fault(self, on: bool) -> None:
        """Tear the display off its wires, or put it back (dark, as after any power loss)."""
        with self._lock:
            self._is_torn = on
            self.chip.lose_power()
        self.watchers.tell()

    @property
    def has_fault(self) -> bool:
        return self._is_torn

    @property
    def level(self) -> int:
        return self.chip.contrast

    # What luma asks of a wire

    def command(self, *words: int) -> None:
        self._take(bytes((COMMANDS, *words)))

    def data(self, given: bytes) -> None:
        self._take(bytes((DATA, *given)))

    def cleanup(self) -> None:
        """Nothing to close."""

    def _take(self, message: bytes) -> None:
        with self._lock:
            if self._is_torn:
                raise luma.core.error.DeviceNotFoundError("I2C device not found on address: 0x3C")
            self.chip.take(message)


class _Noticed:
    """A device whose watchers are called once for each thing it does, not for each message on the wire."""

    def __init__(self, device: Display, panel: PretendPanel) -> None:
        self._device, self._panel = device, panel
        panel.watchers.tell()

    @property
    def persist(self) -> bool:
        return self._device.persist

    @persist.setter
    def persist(self, stays: bool) -> None:
        self._device.persist = stays

    def display(self, image: Image.Image) -> None:
        self._device.display(image)
        self._panel.frames += 1
        self._panel.watchers.tell()

    def renew(self) -> None:
        self._device.renew()

    def contrast(self, level: int) -> None:
        self._device.contrast(level)
        self._panel.watchers.tell()

    def hide(self) -> None:
        self._device.hide()
        self._panel.watchers.tell()

    def show(self) -> None:
        self._device.show()
        self._panel.watchers.tell()

    def cleanup(self) -> None:
        self._device.cleanup()
        self._panel.watchers.tell()
