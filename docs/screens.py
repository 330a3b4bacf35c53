"""Photograph every screen, English and French, light and dark: python docs/screens.py (needs Chromium, the dev group).

One picture for each screen in docs/screens/: English light, French light, English dark, French dark, side by side.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from pictures import ADA, BEN, CHLOE, FLAGS, Evening, pick
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

import companion.main
from companion import offers, shelf
from companion.core.ids import REFEREE, SeatId, Uid
from companion.core.inputs import LetBot, OpenGame
from companion.main import Options, Running
from companion.own_packs import SHIPPED, OwnPacks
from companion.packs import InBoth
from web.screens import can_be_taken_back

OUT = Path(__file__).parent / "screens"
WIDTH, HIGHEST = 390, 1500
LOOKS = (("en", "light"), ("fr", "light"), ("en", "dark"), ("fr", "dark"))
Prepare = Callable[[Page], None]


def still(_page: Page) -> None:
    """A screen that is photographed as it opens."""


def click(selector: str) -> Prepare:
    def clicked(page: Page) -> None:
        for fold in page.locator("details.same summary").all():
            fold.click()
        page.locator(selector).first.click()
        page.locator("#sheet[open]").wait_for()

    return clicked


class Studio:
    """A browser that opens each screen in every look, as one seat's phone, and keeps the four pictures as one."""

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
                # As tall as the page, so that what keeps to the lower edge is at the end.
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
    # Wide pages stand two by two.
    columns = 4 if shots[0].width < 1000 else 2
    rows = -(-len(shots) // columns)
    sheet = Image.new("RGB", (columns * (shots[0].width + gap) - gap, rows * (height + gap) - gap), "#8a8a8a")
    for n, shot in enumerate(shots):
        at = (n % columns * (shot.width + gap), n // columns * (height + gap))
        sheet.paste(shot.crop((0, 0, shot.width, min(height, shot.height))), at)
    return sheet.quantize(96)


def during(studio: Studio, running: Running, evening: Evening) -> None:
    """The screens of a game that is being played."""
    table = running.table
    not_mine = quote(offers.not_now(table.snapshot, ADA)[0].json)
    entry = next(e.seq for e in offers.recent(table.snapshot, BEN) if can_be_taken_back(e))
    card = table.snapshot.state.hands[BEN].value[0]
    studio.take("join", "/", None)
    studio.take("waiting", "/waiting", None)
    studio.take("seat", "/seat")
    studio.take("seat-not-my-turn", "/seat", ADA)
    studio.take("watch", "/watch", None)
    studio.take("referee", "/watch", REFEREE)
    studio.take("not-now", "/seat", ADA, lambda page: page.locator("details.same summary").first.click())
    studio.take("why-not", f"/why?intent={not_mine}", ADA)
    studio.take("why-not-sheet", "/seat", ADA, click("a.why"))
    studio.take("table", "/table")
    studio.take("table-list", "/table?form=list")
    studio.take("thing", f"/thing?kind=piece&id={quote(card)}")
    studio.take("history", "/history")
    studio.take("take-back", f"/take-back?entry={entry}", REFEREE)
    studio.take("corrections", "/corrections")
    studio.take("check", "/check")
    studio.take("rules", "/rules?q=A1")
    studio.take("more", "/more")
    studio.take("more-referee", "/more", REFEREE)
    studio.take("move", "/more", BEN, click("#move"))
    studio.take("moved-gone", "/move?token=x", None)
    studio.take("shelf", "/shelf")
    studio.take("set-up", "/setup?game=actionworks", REFEREE)
    packs(studio)
    studio.take("no-such-page", "/nothing", None)


def wrong_card(page: Page) -> None:
    page.locator("[id='f-value']").fill("500")
    page.locator("#save-card").click()
    page.locator("em.wrong").wait_for()


def examined(page: Page) -> None:
    with page.expect_navigation():
        page.locator("#look").click()
    page.locator("li.found").first.wait_for()


def packs(studio: Studio) -> None:
    """The pack editor: what comes with the game, an own copy, a card, a card filled in wrongly."""
    own = OwnPacks(studio.data)
    game = shelf.open("actionworks")
    note = InBoth("Entered at the table by the owners of this box.", "Saisi à la table par les propriétaires.")
    name = own.copy(game, SHIPPED, "Ada’s box", "Ada", note)
    studio.take("packs", "/packs")
    studio.take("pack", "/pack")
    studio.take("pack-own", f"/pack?pack={name}", prepare=lambda page: page.locator("#count-part summary").click())
    studio.take("card", f"/card?pack={name}&kind=part&at=3")
    studio.take("card-wrong", f"/card?pack={name}&kind=part&at=3", prepare=wrong_card)


def with_trouble(studio: Studio, running: Running) -> None:
    """A pulled cable, a phone that is away, a strange tag."""
    assert running.pretend is not None
    latest = running.table.latest()
    running.pretend.lay(Uid("04A5A5A5A5A5A5"), running.pretend.readers()[0].id)
    while running.table.snapshot.stranger is None:
        latest.wait(1)
    studio.take("enrol", "/enrol")
    mistake = studio.data / "settings.toml"
    mistake.write_text("prot = 80\n")
    studio.take("doctor", "/doctor", prepare=examined)
    mistake.unlink()
    running.pretend.set_fault("cable", True)
    while not running.table.snapshot.troubles:
        latest.wait(1)
    studio.take("trouble", "/seat", ADA)
    running.pretend.set_fault("cable", False)
    while running.table.snapshot.troubles:
        latest.wait(1)
    latest.close()


def real_dice(browser: Browser, only: str) -> None:
    """A table with real dice and cards: who rolls has keys for what fell."""
    with tempfile.TemporaryDirectory() as data:
        (Path(data) / "settings.toml").write_text('chance = "typed"\n')
        with companion.main.companion(Options(Path(data), pretend=True, port=0)) as running:
            evening = Evening(running)
            evening.sit_down(BEN, "Ben")
            Studio(browser, running, Path(data), only).take("real-dice", "/seat")


def after(studio: Studio, running: Running, evening: Evening) -> None:
    """Bots play the game to its end; then the report."""
    for seat in (ADA, BEN, CHLOE):
        evening.ask(seat, LetBot(True))
    latest = running.table.latest()
    while running.table.snapshot.result is None:
        latest.wait(1)
    latest.close()
    studio.take("over", "/seat")
    studio.take("report", "/report")
    for seat in (ADA, BEN, CHLOE):
        evening.ask(seat, LetBot(False))
    evening.ask(BEN, OpenGame("actionworks", ("Ada", "Ben", "Chloé")))
    studio.take("next-game", "/seat")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only screens whose name holds this")
    only = parser.parse_args().only
    OUT.mkdir(exist_ok=True)
    companion.main.pick = pick
    with (
        tempfile.TemporaryDirectory() as data,
        companion.main.companion(Options(Path(data), pretend=True, port=0, thinking=0.0)) as running,
        sync_playwright() as playwright,
    ):
        evening = Evening(running)
        for seat, name in ((ADA, "Ada"), (BEN, "Ben"), (REFEREE, "Rosa")):
            evening.sit_down(seat, name)
        evening.play_a_while()
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        studio = Studio(browser, running, Path(data), only)
        during(studio, running, evening)
        studio.take("pretend", "/pretend", None, width=1280)
        with_trouble(studio, running)
        after(studio, running, evening)
        real_dice(browser, only)
        browser.close()


if __name__ == "__main__":
    main()
