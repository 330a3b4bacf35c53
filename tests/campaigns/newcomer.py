"""The path of somebody who has never seen the table, in a real browser on a new data folder, counted in inputs.

    python tests/campaigns/newcomer.py [--short] [--lang en|fr] [--look FOLDER]

From the moment the page is there: to the first legal move, to the first refusal that is understood (the display tells
the price, and the strip goes on to something cheaper), to a phone with a seat; then the whole first minute, up to the
real game. Each click, drag, key or typed word is one input; looking and waiting are none. The newcomer does what the
strip says with what glows and knows nothing else. The control is a table on which nothing glows. With
--look every step is photographed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from companion.app.main import Options, Running, companion
from companion.core import RefusedPage
from companion.journal import Did
from companion.table import Snapshot
from tests.chromium import launch, new_phone
from tests.patience import hear_out_slow_devices, until
from web.pretend import guiding

MOST: Final = {"first legal move": 2, "first refusal understood": 4, "phone seated": 7}
"""Inputs from the page to each of these. Before the first minute existed they were 4, 8 and 11."""
WHOLE: Final = 11
"""Inputs for the whole first minute, including a lack of power and CHECK."""
DESK: Final = (1280, 800)
THINGS: Final = ".thing.glow[data-uid], .pc.glow"
PLACES: Final = ".thing.glow:not([data-uid])"
"""What glows: what can be carried, on the drawn table or beside it, and what can be touched."""
TOLD_ANEW: Final = """async before => {
  const told = page => page.querySelector("#guide p.now > span").textContent;
  const glows = page => [...page.querySelectorAll(".glow")].map(each => each.dataset.token || each.id).sort().join();
  const now = new DOMParser().parseFromString(await (await fetch(location.pathname)).text(), "text/html");
  return told(document) !== before && told(document) === told(now) && glows(document) === glows(now);
}"""


class AtALoss(Exception):
    """A newcomer doesn't know what to do."""


class Newcomer:
    """Somebody at the pretend table's page, and how much they had to do so far."""

    def __init__(self, running: Running, context: BrowserContext, look: Path | None) -> None:
        self.running, self._context, self._look = running, context, look
        self.inputs = 0
        self.reached: dict[str, int] = {}
        self.page = context.new_page()
        self.page.goto(f"http://127.0.0.1:{running.port}/pretend")
        self._photograph("0")

    @property
    def now(self) -> Snapshot:
        return self.running.table.snapshot

    def until(self, is_so: Callable[[Snapshot], bool]) -> None:
        until(self.running.table, is_so)

    def told(self) -> str:
        """What the strip says to do."""
        return self.page.locator("#guide p.now > span").text_content() or ""

    def told_anew(self, before: str) -> None:
        """Wait until the strip says something else, and what it says and what glows is as of now.

        On a slow machine the page may still go through what was so in between.
        """
        self.page.wait_for_function(TOLD_ANEW, arg=before, polling=200)

    def has(self, what: str) -> None:
        """Whether this was reached."""
        self.reached[what] = self.inputs
        self._photograph(f"{self.inputs}-{what.replace(' ', '-')}")

    def carry(self) -> None:
        """Do what glows: carry the first thing to a reader; if only a place glows, touch it."""
        things, places = self.page.locator(THINGS), self.page.locator(PLACES)
        if not things.count() and not places.count():
            raise AtALoss("nothing glows")
        before = self.now.beat
        if not things.count():
            places.first.click(position={"x": 6, "y": 6})
        else:
            things.first.drag_to(self.page.locator("#reader-left"))
        self.inputs += 1
        self.until(lambda now: now.beat > before)

    def press(self, key: str) -> None:
        before = self.now.beat
        self.page.click(f"#{key}")
        self.inputs += 1
        self.until(lambda now: now.beat > before)

    def reads_to_the_end(self) -> None:
        """Wait until the display stops saying why not: holding OK before that would let the refused act stand."""
        while self.running.table._desk.in_sight.flash is not None:
            self.page.wait_for_timeout(200)

    def takes_a_phone(self) -> None:
        """Open the first seat's phone, ask for the seat, hold OK."""
        with self._context.expect_page() as opened:
            self.page.click("#open-0")
        phone = opened.value
        phone.wait_for_load_state()
        phone.click("form button.first")
        self.inputs += 2
        self.until(lambda now: bool(now.joining))
        self.page.bring_to_front()
        self.reads_to_the_end()
        self.press("hold-ok")
        self.until(lambda now: bool(now.chairs[0].key))
        self.has("phone seated")

    def _photograph(self, name: str) -> None:
        if self._look is not None:
            self.page.screenshot(path=self._look / f"{name}.png", full_page=False)


def acts(now: Snapshot) -> int:
    """How often a seat did something that counts."""
    return sum(now.deeds[seq].intent.actor >= 0 for seq in now.at.line if seq in now.deeds)


def first_steps(someone: Newcomer) -> None:
    """To a legal move, and to a refusal that is understood."""
    before, said = acts(someone.now), someone.told()
    someone.carry()
    someone.press("press-ok")
    someone.until(lambda now: acts(now) > before)
    someone.has("first legal move")
    someone.told_anew(said)
    said = someone.told()
    someone.carry()
    someone.told_anew(said)
    said = someone.told()
    someone.carry()
    someone.until(lambda now: isinstance(now.flash, RefusedPage))
    assert isinstance(someone.now.flash, RefusedPage)
    assert dict(someone.now.flash.refusal.facts) == {"price": 10, "gold": 8}, "the reason is the price, in numbers"
    someone.told_anew(said)
    someone.has("first refusal understood")


def whole_minute(someone: Newcomer) -> None:
    """Onward: a lack of power, CHECK, a phone; then the real game."""
    practice, said = someone.now.table, someone.told()
    someone.carry()
    someone.press("press-ok")
    someone.until(lambda now: now.decisions[-1].kind == "short")
    someone.told_anew(said)
    said = someone.told()
    someone.carry()
    someone.told_anew(said)
    someone.has("power that suffices")
    someone.press("press-check")
    someone.has("check")
    someone.takes_a_phone()
    someone.until(lambda now: now.table != practice)
    someone.has("real game")
    assert someone.now.chairs[0].key, "whoever sat down in the practice sits in the real game"
    assert not any(isinstance(entry.body, Did) and entry.cause for entry in someone.now.history)


class Way(Struct, frozen=True):
    name: str
    goes: tuple[Callable[[Newcomer], None], ...]


WAYS: Final = (
    Way("move, refusal, phone", (first_steps, Newcomer.takes_a_phone)),
    Way("the whole first minute", (first_steps, whole_minute)),
)


def go(way: Way, opens: Callable[[], Browser], lang: str, look: Path | None) -> dict[str, int]:
    """What was reached after how many inputs on a new data folder."""
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        hear_out_slow_devices(stack.enter_context(pytest.MonkeyPatch.context()))
        options = Options(data, port=0, pretend=True)
        running = stack.enter_context(companion(options, tell=lambda _: None))
        browser = opens()
        stack.callback(browser.close)  # not just the context, which a busy Chromium may take forever to close
        someone = Newcomer(running, new_phone(browser, *DESK, lang), look)
        for each in way.goes:
            each(someone)
        return someone.reached


def without_glow(opens: Callable[[], Browser], lang: str) -> bool:
    """The control: whether a newcomer for whom nothing glows is found to be at a loss."""
    usual, guiding._named = guiding._named, lambda token: "piece:nothing"
    try:
        go(WAYS[0], opens, lang, None)
    except AtALoss:
        return True
    finally:
        guiding._named = usual
    return False


def wrongs(reached: dict[str, int], most: dict[str, int]) -> list[str]:
    return [f"{what}: {reached[what]} inputs, at most {n}" for what, n in most.items() if reached[what] > n]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="the same: it is short")
    parser.add_argument("--lang", default="en", choices=("en", "fr"))
    parser.add_argument("--look", type=Path, help="a folder for photographs of each step")
    asked = parser.parse_args()
    found = list[str]()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        opens = partial(launch, playwright, Path(folder))
        for way in WAYS:
            reached = go(way, opens, asked.lang, asked.look)
            print(f"{way.name}: " + (", ".join(f"{what} {n}" for what, n in reached.items()) or "nothing reached"))
            found += wrongs(reached, MOST if way is WAYS[0] else {"real game": WHOLE})
        found += [] if without_glow(opens, asked.lang) else ["control: nothing glows, and nobody was at a loss"]
    print("\n".join(found) or f"within {MOST}, and {WHOLE} for all of it")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
