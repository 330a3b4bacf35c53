"""Make the pictures of the README: python docs/pictures.py (needs Chromium and the dev group).

Opens the pretend table, plays a few acts as people would, and photographs what they see. The display's own pages are
drawn by `python -m hw.display.gallery docs/pictures`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec
from playwright.sync_api import Browser, Page, sync_playwright

import companion.app.main
from companion.app.main import Options, Running
from companion.core import Act, Asked, Claim, Intent, Join, LetBot, SeatId
from companion.games.actionworks.rules.intents import ClearTake, EndTurn, NameFirst, Play
from tests.chromium import CHROMIUM, FLAGS
from web.door import key_of

OUT = Path(__file__).parent / "pictures"
ADA, BEN, CHLOE = SeatId(0), SeatId(1), SeatId(2)


class Evening:
    """Three friends at the pretend table, Ada named first, with the same deck every time."""

    def __init__(self, running: Running) -> None:
        self.running, self.table = running, running.table
        self._commands = iter(range(10**9))

    def ask(self, seat: SeatId, wish: Join | Claim | Act | LetBot) -> None:
        asked = self.table.snapshot.asked[seat]
        self.table.ask(Asked(f"p{next(self._commands)}", seat, asked, wish))

    def sit_down(self, seat: SeatId, name: str) -> None:
        assert self.running.pretend is not None
        self.ask(seat, Join(seat, name, "KQX"))
        latest = self.table.latest()
        self.running.pretend.press("ok", True)
        while not any(each.admitted for each in self.table.snapshot.joining):
            latest.wait(1)
        latest.close()
        self.ask(seat, Claim("KQX", key_of(f"phone-{seat}")))

    def act(self, intent: Intent) -> None:
        self.ask(intent.actor, Act(msgspec.Raw(msgspec.json.encode(intent))))

    def let_bots_finish(self) -> None:
        """Bots play the game to its end."""
        for seat in (ADA, BEN, CHLOE):
            self.ask(seat, LetBot(True))
        latest = self.table.latest()
        while self.table.snapshot.result is None:
            latest.wait(1)
        latest.close()

    def play_a_while(self) -> None:
        """Ada plays a Make and ends her turn; the workbench is cleared; it is Ben's turn."""
        state = self.table.snapshot.state
        self.act(Play(ADA, next(card for card in state.hands[ADA].value if card.startswith("make"))))
        self.act(EndTurn(ADA))
        while self.table.snapshot.decisions[-1].kind == "clear":
            seat = self.table.snapshot.awaited[0]
            self.act(ClearTake(seat, self.table.snapshot.state.bench[0]))


def pick(candidates: tuple[Intent, ...], _weights: tuple[int, ...]) -> Intent:
    """Ada goes first; then a deck that is well mixed and the same every time."""
    if isinstance(candidates[0], NameFirst):
        return candidates[0]
    return candidates[len(candidates) * 5 // 8 % len(candidates)]


def phone(browser: Browser, running: Running, seat: SeatId, path: str, name: str, lang: str, theme: str) -> Page:
    page = browser.new_page(viewport={"width": 390, "height": 844}, device_scale_factor=2)
    url = f"http://127.0.0.1:{running.port}"
    cookies = {"seat": f"phone-{seat}", "lang": lang, "theme": theme}
    page.context.add_cookies([{"name": f"companion-{k}", "value": v, "url": url} for k, v in cookies.items()])
    page.goto(url + path)
    page.wait_for_load_state("load")
    page.screenshot(path=OUT / f"{name}.png")
    return page


def main() -> None:
    OUT.mkdir(exist_ok=True)
    companion.app.main.pick_by_weight = pick
    with (
        tempfile.TemporaryDirectory() as data,
        companion.app.main.companion(Options(Path(data), "actionworks", pretend=True, port=0)) as running,
        sync_playwright() as playwright,
    ):
        evening = Evening(running)
        for seat, name in ((ADA, "Ada"), (BEN, "Ben")):
            evening.sit_down(seat, name)
        evening.play_a_while()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        phone(browser, running, BEN, "/seat", "phone-seat", "en", "light")
        phone(browser, running, BEN, "/table", "phone-table", "en", "light")
        phone(browser, running, ADA, "/history", "phone-history", "en", "dark")
        adas = phone(browser, running, ADA, "/seat", "phone-waiting-fr", "fr", "light")
        adas.locator("details.same summary").first.click()
        adas.locator("a.why").first.click()
        adas.locator("#sheet[open], #sheet:not([hidden])").first.wait_for()
        adas.screenshot(path=OUT / "phone-why-fr.png")
        browser.close()


if __name__ == "__main__":
    main()
