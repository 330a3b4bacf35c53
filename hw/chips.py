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
_COLUMNS, _STRIPS, _STRIP, _HIGH_COLUMN = 0x21, 0x22, 0xB0, 0x10


class Patch(Struct, frozen=True):
    """A rectangle of a frame: from column `x`, so many columns wide; from `strip`, so many strips high."""

    x: int
    strip: int
    wide: int
    high: int = 1

    @property
    def size(self) -> int:
        return self.wide * self.high

    def over(self, other: Patch) -> Patch:
        """The smallest patch that covers both."""
        x, strip = min(self.x, other.x), min(self.strip, other.strip)
        end = max(self.x + self.wide, other.x + other.wide)
        below = max(self.strip + self.high, other.strip + other.high)
        return Patch(x, strip, end - x, below - strip)


WHOLE: Final = Patch(0, 0, WIDTH, STRIPS)


def frame_of(image: Image.Image) -> bytes:
    """The bytes of a picture as both chips want them: strip by strip, the lowest bit on top."""
    columns = image.transpose(Image.Transpose.TRANSPOSE).tobytes().translate(_UPSIDE_DOWN)
    return b"".join(columns[strip::STRIPS] for strip in range(STRIPS))


def cut(frame: bytes, patch: Patch) -> bytes:
    """The bytes of one patch, strip by strip."""
    starts = (WIDTH * (patch.strip + n) + patch.x for n in range(patch.high))
    return b"".join(frame[start : start + patch.wide] for start in starts)


def changes(sent: bytes | None, wanted: bytes, aim: int, *, tall: bool) -> tuple[Patch, ...]:
    """The patches that make `sent` into `wanted` with few bytes; everything where nobody knows what was sent.

    `aim` is what it costs to begin a patch; `tall` patches may have more than one strip.
    """
    whole = (WHOLE,) if tall else tuple(Patch(0, strip, WIDTH) for strip in range(STRIPS))
    if sent is None:
        return whole
    done: list[Patch] = []
    growing: list[Patch] = []
    for strip in range(STRIPS):
        start = WIDTH * strip
        runs = _runs(sent[start : start + WIDTH], wanted[start : start + WIDTH], strip, aim)
        fresh, rest = _joined(growing, runs, aim) if tall else (runs, growing)
        done += rest
        growing = fresh
    patches = (*done, *growing)
    cost = sum(patch.size + aim for patch in patches)
    return patches if cost < len(wanted) + aim * len(whole) else whole


def _runs(sent: bytes, wanted: bytes, strip: int, aim: int) -> list[Patch]:
    """The changed stretches of one strip; those nearer than a new beginning costs are one."""
    if sent == wanted:
        return []
    runs: list[Patch] = []
    for x, (before, after) in enumerate(zip(sent, wanted, strict=True)):
        if before != after:
            if runs and x - (runs[-1].x + runs[-1].wide) <= aim:
                runs[-1] = Patch(runs[-1].x, strip, x + 1 - runs[-1].x)
            else:
                runs.append(Patch(x, strip, 1))
    return runs


def _joined(above: list[Patch], runs: list[Patch], aim: int) -> tuple[list[Patch], list[Patch]]:
    """Each run together with a patch that ends above it, where that costs less; and the patches that found none."""
    waiting, grown = list(above), []
    for run in runs:
        best = min(waiting, key=lambda patch: patch.over(run).size - patch.size, default=None)
        if best is not None and best.over(run).size <= best.size + run.size + aim:
            waiting.remove(best)
            grown.append(best.over(run))
        else:
            grown.append(run)
    return grown, waiting


class _Chip(luma.core.device.device):
    """What both kinds share. It knows what the chip holds; after a fault in the middle of a frame, nobody does."""

    _aim: int
    _tall: bool
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
        for patch in changes(sent, wanted, self._aim, tall=self._tall):
            self._point(patch)
            self.data(cut(wanted, patch))  # type: ignore[no-untyped-call]
        self._sent = wanted

    def renew(self) -> None:
        """Set the chip up again, in case its power failed for a moment; the next frame is sent whole."""
        self._sent = None
        for words in self._setup:
            self.command(*words)

    def _point(self, patch: Patch) -> None:
        raise NotImplementedError


class Ssd1306(_Chip, luma.oled.device.ssd1306):
    """A window of columns and strips, filled line by line: 8 bytes to set it, 2 to begin its data."""

    _aim, _tall = 10, True

    def _point(self, patch: Patch) -> None:
        columns = (_COLUMNS, patch.x, patch.x + patch.wide - 1)
        self._serial_interface.command(*columns, _STRIPS, patch.strip, patch.strip + patch.high - 1)


class Sh1106(_Chip, luma.oled.device.sh1106):
    """One strip at a time, from a column on: 5 bytes to set it, 2 to begin its data. It has 132 columns, 2 unseen."""

    _aim, _tall = 7, False

    def _point(self, patch: Patch) -> None:
        x = patch.x + 2
        self._serial_interface.command(_STRIP + patch.strip, x & 0x0F, _HIGH_COLUMN + (x >> 4))


def chip(kind: Chip, wire: Any) -> Ssd1306 | Sh1106:
    """The chip behind a luma serial interface, set up and dark; raises what luma raises."""
    return Ssd1306(wire) if kind == "ssd1306" else Sh1106(wire)
