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


@pytest.mark.parametrize("game_id", shelf.games())
@pytest.mark.parametrize("kind", ["ssd1306", "sh1106"])
def test_only_what_changed_is_sent(kind: Chip, game_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    ours, theirs = PretendChip(kind), PretendChip(kind)
    our_device = chip(kind, Wire(ours))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # luma reads pictures in a way that Pillow is about to drop
        their_device = getattr(luma.oled.device, kind)(Wire(theirs))
        our_device.persist = their_device.persist = True
        begun, frames, differing, last = (ours.taken, theirs.taken), 0, 0, bytes(1024)
        for image in pictures(game_id):
            our_device.display(image)
            their_device.display(image)
            assert ours.image().tobytes() == theirs.image().tobytes() == image.tobytes()
            frame = frame_of(image)
            differing += sum(a != b for a, b in zip(frame, last, strict=True))
            frames, last = frames + 1, frame
    sent, full = ours.taken - begun[0], theirs.taken - begun[1]
    with capsys.disabled():
        print(
            f"\n{game_id}, {kind}: bytes sent / luma's full frames: {sent / full:.2f} (limit {LIMIT}; {frames} "
            f"pictures, {sent / frames:.0f} of {full / frames:.0f} bytes each; they differ: {differing / full:.2f})"
        )
    assert sent / full <= LIMIT
