"""Bytes on the display's wire over a scripted game: ours against luma's own driver, on the same chip model.

Both draw the same pictures in the same run, those that a person sees: the response to each input, and the page
after it. A picture equal to the one before counts for neither. Addresses and control bytes count for both.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import luma.oled.device
import pytest
from PIL import Image

from companion.library import shelf
from hw.display.chips import Chip, chip, frame_of
from hw.display.draw import draw
from hw.display.scene import Look, at_first
from hw.pretend.chip import PretendChip
from tests.hw.evening import Evening

ACTS = 120
LIMIT = 0.5
"""A page that shows everything accepted changes more than one that shows a line: up to 0.46 is sent."""


class Wire:
    def __init__(self, on: PretendChip) -> None:
        self._chip = on

    def command(self, *words: int) -> None:
        self._chip.take(bytes((0x00, *words)))

    def data(self, given: Any) -> None:
        self._chip.take(bytes((0x40, *given)))

    def cleanup(self) -> None:
        """Nothing to close."""


def pictures(game_id: str) -> Iterator[Image.Image]:
    last = b""
    with Evening(game_id) as evening:
        for _, now in evening.play(ACTS):
            for look in (at_first(now.page, now.flash), Look(now.page)):
                image = draw(look.page, evening.speaker(), over=look.over)
                if image.tobytes() != last:
                    last = image.tobytes()
                    yield image


class Both:
    """Our driver and luma's, each on a chip of its own of the same kind."""

    def __init__(self, kind: Chip) -> None:
        self.kind = kind
        self._ours, self._theirs = PretendChip(kind), PretendChip(kind)
        self._devices = chip(kind, Wire(self._ours)), getattr(luma.oled.device, kind)(Wire(self._theirs))
        for device in self._devices:
            device.persist = True
        self._begun = self._ours.taken, self._theirs.taken

    def display(self, image: Image.Image) -> None:
        for device in self._devices:
            device.display(image)
        assert self._ours.image().tobytes() == self._theirs.image().tobytes() == image.tobytes()

    def sent(self) -> tuple[int, int]:
        """Bytes of pictures, ours and theirs."""
        return self._ours.taken - self._begun[0], self._theirs.taken - self._begun[1]


@pytest.mark.parametrize("game_id", shelf.games())
def test_only_what_changed_is_sent(game_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # luma reads pictures in a way that Pillow is about to drop
        chips = Both("ssd1306"), Both("sh1106")
        frames, differing, last = 0, 0, bytes(1024)
        for image in pictures(game_id):
            for each in chips:
                each.display(image)
            frame = frame_of(image)
            differing += sum(a != b for a, b in zip(frame, last, strict=True))
            frames, last = frames + 1, frame
    for each in chips:
        sent, full = each.sent()
        with capsys.disabled():
            print(
                f"\n{game_id}, {each.kind}: bytes sent / luma's full frames: {sent / full:.2f} (limit {LIMIT}; "
                f"{frames} pictures, {sent / frames:.0f} of {full / frames:.0f} bytes each; "
                f"they differ: {differing / full:.2f})"
            )
        assert sent / full <= LIMIT
