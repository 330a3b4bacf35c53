"""Only what changed is sent, and the picture on the chip is always the picture that was drawn."""

from __future__ import annotations

import errno
import random
from collections.abc import Callable
from typing import get_args

import luma.core.error
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from companion.library import LANGS
from hw.display import chips, gallery
from hw.display.chips import STRIPS, Chip, Run, changes, chip, frame_of
from hw.display.panel import open_display
from hw.display.sheet import HEIGHT, WIDTH
from hw.pretend.chip import PretendChip

CHIPS: tuple[Chip, ...] = get_args(Chip)
FULL = 1080
"""Bytes that luma sends for a frame, including addresses and control bytes."""
PICTURES = [gallery.picture(lang, page) for _, page in gallery.PAGES for lang in LANGS]


class Bus:
    """smbus2's bus with one display on it, or none; it can fail in mid-message."""

    is_open = False

    def __init__(self, on: PretendChip | None = None) -> None:
        self.chip = on
        self.fails_at: int | None = None
        self.reaches = 0
        """How many bytes of a failing message still reach the chip."""
        self._count = 0

    def opened(self, _port: int) -> Bus:
        self.is_open = True
        return self

    def write_i2c_block_data(self, _address: int, register: int, data: list[int]) -> None:
        self._take(bytes((register, *data)))

    def i2c_rdwr(self, message: object) -> None:
        self._take(bytes(message))  # type: ignore[call-overload]

    def close(self) -> None:
        self.is_open = False

    def _take(self, message: bytes) -> None:
        self._count += 1
        if self.chip is None:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        if self._count == self.fails_at:
            if self.reaches:
                self.chip.take(message[: self.reaches])
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        self.chip.take(message)


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> Callable[[PretendChip | None], Bus]:
    """Puts a chip, or none, on the bus that luma opens."""
    import smbus2

    def plugged(on: PretendChip | None) -> Bus:
        bus = Bus(on)
        monkeypatch.setattr(smbus2, "SMBus", bus.opened)
        return bus

    return plugged


def random_picture(dice: random.Random) -> Image.Image:
    """Noise, a page, or a page with something scratched into it."""
    match dice.randrange(3):
        case 0:
            return Image.frombytes("1", (WIDTH, HEIGHT), dice.randbytes(WIDTH * HEIGHT // 8))
        case 1:
            return dice.choice(PICTURES)
        case _:
            image = dice.choice(PICTURES).copy()
            for _ in range(dice.randrange(40)):
                image.putpixel((dice.randrange(WIDTH), dice.randrange(HEIGHT)), dice.randrange(2))
            return image


@pytest.mark.parametrize("latches", [False, True])
@pytest.mark.parametrize("kind", CHIPS)
def test_the_picture_on_the_chip_is_always_the_picture_drawn(
    kind: Chip, latches: bool, plug: Callable[[PretendChip | None], Bus]
) -> None:
    glass, dice = PretendChip(kind, latches=latches), random.Random(6)
    bus = plug(glass)
    display = open_display(kind)
    assert glass.image().getbbox() is None
    for _ in range(250):
        image = random_picture(dice)
        before = glass.taken
        display.display(image)
        assert glass.image().tobytes() == image.tobytes()
        assert glass.taken - before <= FULL, "never dearer than strip by strip"
    display.cleanup()
    assert not bus.is_open
    assert glass.image().getbbox() is None


@pytest.mark.parametrize("kind", CHIPS)
def test_after_a_fault_anywhere_in_a_frame_the_next_one_is_whole(
    kind: Chip, plug: Callable[[PretendChip | None], Bus]
) -> None:
    dice = random.Random(7)
    for at in range(1, 40):
        glass = PretendChip(kind)
        bus = plug(glass)
        display = open_display(kind)
        bus.fails_at, bus.reaches = bus._count + at, dice.randrange(6)
        for _ in range(8):
            image = random_picture(dice)
            try:
                display.display(image)
            except (OSError, luma.core.error.Error):
                # A smaller change than the failed one, whose traces must disappear, too.
                display.display(image)
            assert glass.image().tobytes() == image.tobytes()
        display.persist = True
        display.cleanup()


@pytest.mark.parametrize("kind", CHIPS)
def test_a_sender_that_trusts_a_frame_that_failed_is_caught(
    kind: Chip, plug: Callable[[PretendChip | None], Bus], monkeypatch: pytest.MonkeyPatch
) -> None:
    glass, first, second = PretendChip(kind), PICTURES[4], PICTURES[8]
    bus = plug(glass)
    display = open_display(kind)
    display.display(first)

    def trusting(sent: bytes | None, wanted: bytes) -> tuple[Run, ...]:
        return changes(sent or frame_of(second), wanted)

    monkeypatch.setattr(chips, "changes", trusting)
    bus.fails_at = bus._count + 4
    with pytest.raises(OSError, match="Remote I/O"):
        display.display(second)
    display.display(second)
    assert glass.image().tobytes() != second.tobytes()
    display.cleanup()


@pytest.mark.parametrize("kind", CHIPS)
def test_a_chip_that_lost_its_power_is_set_up_again(kind: Chip) -> None:
    glass = PretendChip(kind)
    display = chip(kind, _Wire(glass))
    display.display(PICTURES[0])
    glass.lose_power()
    display.display(PICTURES[2])
    assert glass.image().tobytes() != PICTURES[2].tobytes()
    display.renew()
    display.display(PICTURES[2])
    assert glass.image().tobytes() == PICTURES[2].tobytes()
    display.persist = True


@pytest.mark.parametrize("kind", CHIPS)
def test_nothing_is_sent_for_the_same_picture_again(kind: Chip) -> None:
    glass = PretendChip(kind)
    display = chip(kind, _Wire(glass))
    display.display(PICTURES[0])
    before = glass.taken
    display.display(PICTURES[0].copy())
    assert glass.taken == before
    display.persist = True


def test_an_empty_bus_is_left_closed(plug: Callable[[PretendChip | None], Bus]) -> None:
    bus = plug(None)
    with pytest.raises(luma.core.error.DeviceNotFoundError, match="0x3C"):
        open_display("ssd1306")
    assert not bus.is_open


frames = st.binary(min_size=WIDTH * STRIPS, max_size=WIDTH * STRIPS)
spots = st.lists(st.tuples(st.integers(0, WIDTH * STRIPS - 1), st.integers(0, 255)), max_size=30)


@given(frames, spots)
def test_the_runs_make_the_one_frame_into_the_other(sent: bytes, spots: list[tuple[int, int]]) -> None:
    wanted, held = bytearray(sent), bytearray(sent)
    for at, byte in spots:
        wanted[at] = byte
    runs = changes(sent, bytes(wanted))
    for run in runs:
        start = WIDTH * run.strip + run.x
        held[start : start + run.wide] = wanted[start : start + run.wide]
    assert held == wanted
    assert sum(run.wide for run in runs) <= WIDTH * STRIPS


class _Wire:
    """A wire that can't fail."""

    def __init__(self, on: PretendChip) -> None:
        self._chip = on

    def command(self, *words: int) -> None:
        self._chip.take(bytes((0x00, *words)))

    def data(self, given: bytes) -> None:
        self._chip.take(bytes((0x40, *given)))

    def cleanup(self) -> None:
        """Nothing to close."""
