"""The moving picture of the README: a card laid, a price refused, a card bought, on the practice of a newcomer.

    python docs/film.py

Every frame is the real page with the real box behind it; a ring shows where the pointer is.
"""

from __future__ import annotations

import io
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw
from playwright.sync_api import Locator, Page, ViewportSize, sync_playwright

from companion.app.main import Options, companion
from tests.chromium import CHROMIUM, FLAGS

OUT: Final = Path(__file__).parent / "pictures/first-minute.gif"
DESK: Final = ViewportSize(width=1280, height=800)
SIZE: Final = (960, 600)
COLOURS: Final = 104
STEPS: Final = 4
"""Frames of a card on its way."""
Point = tuple[float, float]


class Film:
    """Frames and how long each is shown, in milliseconds."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._frames: list[Image.Image] = []
        self._shown: list[int] = []

    def take(self, milliseconds: int, at: Point | None = None) -> None:
        frame = Image.open(io.BytesIO(self._page.screenshot())).convert("RGB")
        if at is not None:
            x, y = at
            ImageDraw.Draw(frame).ellipse((x - 16, y - 16, x + 16, y + 16), outline="#8A1C1C", width=5)
        self._frames.append(frame.resize(SIZE, Image.Resampling.LANCZOS))
        self._shown.append(milliseconds)

    def carry(self, thing: Locator, place: Locator) -> None:
        """Drag it there, photographed on its way."""
        (left, top), (right, bottom) = middle(thing), middle(place)
        mouse = self._page.mouse
        mouse.move(left, top)
        mouse.down()
        for step in range(1, STEPS + 1):
            at = left + (right - left) * step / STEPS, top + (bottom - top) * step / STEPS
            mouse.move(*at)
            self._page.wait_for_timeout(250)  # what takes it lights up
            self.take(350, at)
        mouse.up()

    def save(self, path: Path) -> None:
        """One palette for all, so that the unchanging parts are stored once."""
        strip = Image.new("RGB", (SIZE[0], SIZE[1] * len(self._frames)))
        for n, frame in enumerate(self._frames):
            strip.paste(frame, (0, n * SIZE[1]))
        palette = strip.quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in self._frames]
        frames[0].save(path, save_all=True, append_images=frames[1:], duration=self._shown, loop=0, optimize=True)


def middle(thing: Locator) -> Point:
    box = thing.bounding_box()
    assert box is not None, "it is on the page"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def told_anew(page: Page, before: str) -> None:
    page.wait_for_function("was => document.querySelector('#guide p.now > span').innerText !== was", arg=before)
    page.wait_for_timeout(600)  # the display is drawn a moment after the strip


def play(page: Page, film: Film) -> None:
    glowing, place = page.locator(".thing.glow[data-uid], .pc.glow"), page.locator(".thing.glow:not([data-uid]), .thing.goal")

    def said() -> str:
        return page.locator("#guide p.now > span").inner_text()

    film.take(2200)
    now = said()
    film.carry(glowing.first, place.first)
    told_anew(page, now)
    film.take(1800)
    now = said()
    place.first.click(position={"x": 6, "y": 6})
    told_anew(page, now)
    film.take(1400)
    now = said()
    film.carry(glowing.first, place.first)
    told_anew(page, now)
    film.take(3200)
    now = said()
    film.carry(glowing.first, place.first)
    told_anew(page, now)
    film.take(3200)


def main() -> None:
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        running = stack.enter_context(companion(Options(data, port=0, pretend=True), tell=lambda _: None))
        browser = stack.enter_context(sync_playwright()).chromium.launch(
            executable_path=CHROMIUM, args=FLAGS
        )
        context = browser.new_context(viewport=DESK, reduced_motion="reduce", locale="en")
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{running.port}/pretend")
        page.wait_for_timeout(1000)
        film = Film(page)
        play(page, film)
        film.save(OUT)
        browser.close()
    print(f"{OUT.name}: {OUT.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
