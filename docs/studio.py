"""The studio of `screens.py`: opens a screen in every look and keeps the pictures side by side as one."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

from pictures import BEN
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page

from companion.app.main import Running
from companion.core import SeatId

OUT = Path(__file__).parent / "screens"
WIDTH, HIGHEST = 390, 1500
LOOKS = (("en", "light"), ("fr", "light"), ("en", "dark"), ("fr", "dark"))
Prepare = Callable[[Page], None]


def still(_page: Page) -> None:
    """A screen photographed as it opens."""


def click(selector: str) -> Prepare:
    def clicked(page: Page) -> None:
        for fold in page.locator("details.same summary").all():
            fold.click()
        page.locator(selector).first.click()
        page.locator("#sheet[open]").wait_for()

    return clicked


class Studio:
    """A browser that opens each screen in every look, as one seat's phone, and saves the four pictures as one."""

    def __init__(self, browser: Browser, running: Running, data: Path, only: str) -> None:
        self._browser, self._running, self._only = browser, running, only
        self.data = data
        self.url = f"http://127.0.0.1:{running.port}"

    def take(
        self, name: str, path: str, seat: SeatId | None = BEN, prepare: Prepare = still, width: int = WIDTH
    ) -> None:
        if self._only not in name:
            return
        shots = []
        for lang, theme in LOOKS:
            context = self._phone(seat, lang, theme, width)
            page = context.new_page()
            page.goto(self.url + path)
            prepare(page)
            if not page.locator("#sheet[open]").count():
                # As tall as the page, so that whatever sticks to the lower edge is at the end.
                tall = int(page.evaluate("document.documentElement.scrollHeight"))
                page.set_viewport_size({"width": width, "height": min(tall, HIGHEST)})
            shots.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
            context.close()
        _beside(shots).save(OUT / f"{name}.png", optimize=True)
        print(name)

    def _phone(self, seat: SeatId | None, lang: str, theme: str, width: int) -> BrowserContext:
        size = {"width": width, "height": 844 if width < 1000 else 900}
        context = self._browser.new_context(viewport=size, reduced_motion="reduce", locale=lang)
        cookies = {"lang": lang, "theme": theme} | ({} if seat is None else {"seat": f"phone-{seat}"})
        context.add_cookies([{"name": f"companion-{k}", "value": v, "url": self.url} for k, v in cookies.items()])
        return context


def _beside(shots: list[Image.Image]) -> Image.Image:
    gap = 16
    height = min(HIGHEST, max(shot.height for shot in shots))
    # Wide pages go in two rows of two.
    columns = 4 if shots[0].width < 1000 else 2
    rows = -(-len(shots) // columns)
    sheet = Image.new("RGB", (columns * (shots[0].width + gap) - gap, rows * (height + gap) - gap), "#8a8a8a")
    for n, shot in enumerate(shots):
        at = (n % columns * (shot.width + gap), n // columns * (height + gap))
        sheet.paste(shot.crop((0, 0, shot.width, min(height, shot.height))), at)
    return sheet.quantize(96)
