"""Two kinds of display chip, SSD1306 and SH1106: luma sets them up, we send only what changed.

A frame is eight strips (the chips call them pages) of 128 bytes; a byte is eight pixels, one above the other.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import luma.core.device
import luma.oled.device
from msgspec import Struct
from PIL import Image

from .sheet import HEIGHT, WIDTH

Chip = Literal["ssd1306", "sh1106"]
STRIPS: Final = HEIGHT // 8
_UPSIDE_DOWN: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
_STRIP, _HIGH_COLUMN = 0xB0, 0x10
_BY_STRIP: Final = (0x20, 0x02)
_AIM: Final = 5
"""The least cost of starting again in the same strip: an address, a column, and the head of its data."""


class Run(Struct, frozen=True):
    """Adjacent bytes of one strip that are sent together: from column `x`, this many columns wide."""

    strip: int
    x: int
    wide: int


def frame_of(image: Image.Image) -> bytes:
    """The bytes of a picture as both chips want them: strip by strip, the lowest bit on top."""
    columns = image.transpose(Image.Transpose.TRANSPOSE).tobytes().translate(_UPSIDE_DOWN)
    return b"".join(columns[strip::STRIPS] for strip in range(STRIPS))


def changes(sent: bytes | None, wanted: bytes) -> tuple[Run, ...]:
    """The cheapest runs that turn `sent` into `wanted`; everything if nobody knows what was sent."""
    if sent is None:
        return tuple(Run(strip, 0, WIDTH) for strip in range(STRIPS))
    starts = (WIDTH * strip for strip in range(STRIPS))
    found = (_runs(sent[at : at + WIDTH], wanted[at : at + WIDTH], at // WIDTH) for at in starts)
    return tuple(run for runs in found for run in runs)


def _runs(sent: bytes, wanted: bytes, strip: int) -> list[Run]:
    """The changed stretches of one strip; two that are closer than the cost of starting again become one."""
    if sent == wanted:
        return []
    runs: list[Run] = []
    for x, (before, after) in enumerate(zip(sent, wanted, strict=True)):
        if before != after:
            if runs and x - (runs[-1].x + runs[-1].wide) <= _AIM:
                runs[-1] = Run(strip, runs[-1].x, x + 1 - runs[-1].x)
            else:
                runs.append(Run(strip, x, 1))
    return runs


class _Chip(luma.core.device.device):
    """What both kinds share. It tracks what the chip holds; after a fault in mid-frame that is unknown."""

    _unseen = 0
    """Columns of the chip's memory left of the glass."""
    _sent: bytes | None = None
    _is_set_up = False

    def __init__(self, wire: Any) -> None:
        self._setup: list[tuple[int, ...]] = []
        super().__init__(wire, width=WIDTH, height=HEIGHT)  # type: ignore[no-untyped-call, call-arg]
        self._is_set_up = True

    def command(self, *cmd: int) -> None:
        if not self._is_set_up:
            self._setup.append(cmd)
        super().command(*cmd)  # type: ignore[no-untyped-call]

    def display(self, image: Image.Image) -> None:
        wanted = frame_of(image)
        sent, self._sent = self._sent, None
        before: Run | None = None
        for run in changes(sent, wanted):
            self._point(run, before)
            start = WIDTH * run.strip + run.x
            self.data(wanted[start : start + run.wide])  # type: ignore[no-untyped-call]
            before = run
        self._sent = wanted

    def renew(self) -> None:
        """Set the chip up again, in case its power failed for a moment; the next frame is sent whole."""
        self._sent = None
        for words in self._setup:
            self.command(*words)

    def _point(self, run: Run, before: Run | None) -> None:
        """Set where the next data go.

        The upper half of the column is left out only if it hasn't changed since it was last set: chips may keep
        what was set, or continue from where the last run ended.
        """
        x = run.x + self._unseen
        words = [x & 0x0F]
        is_same = before is not None and before.strip == run.strip
        if before is None or not is_same or (before.x + self._unseen) >> 4 != x >> 4:
            words.append(_HIGH_COLUMN + (x >> 4))
        if not is_same:
            words.append(_STRIP + run.strip)
        self._serial_interface.command(*words)


class Ssd1306(_Chip, luma.oled.device.ssd1306):
    """luma configures it to be filled as a whole; we fill it strip by strip, the only way the other chip knows."""

    def __init__(self, wire: Any) -> None:
        super().__init__(wire)
        self._setup.append(_BY_STRIP)
        self.command(*_BY_STRIP)


class Sh1106(_Chip, luma.oled.device.sh1106):
    """It has 132 columns, two of which are hidden on either side."""

    _unseen = 2


def chip(kind: Chip, wire: Any) -> Ssd1306 | Sh1106:
    """The chip behind a luma serial interface, set up and dark; raises what luma raises."""
    return Ssd1306(wire) if kind == "ssd1306" else Sh1106(wire)
