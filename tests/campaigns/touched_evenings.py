"""Evenings of every game on phones in a browser, by touching the drawn table wherever that offers what is wanted.

    python tests/campaigns/touched_evenings.py [--acts N] [--short] [--seed N] [--game GAME …]

Bots say what is wanted; fingers do it, a little beside what they aim at. What the table does not offer is done with the
buttons of the page. At every act: what is lit is what the seat may do, no page is wider than its phone, nothing is said
on the browser's console, and the act that was touched is the one that counts. Now and then something is touched that is
not lit: it says why not, and nothing happens.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[2]))

from msgspec import to_builtins
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from companion.app.kit.kit import Kit
from companion.app.opening import load_texts
from companion.box import Box
from companion.core import TABLE, Intent, SeatId, Seq, legal
from companion.journal import Journal
from companion.library import Tagbook, shelf
from companion.phones import offers, touching
from companion.table import Chair, Desk, Referee, Seen, Table
from tests.chromium import give_cookies, launch, new_phone
from web import create_app
from web.door import key_of
from web.live.server import WebServer

GAMES: Final = ("us-patent", "timeline", "one-false-step", "actionworks")
NAMES: Final = ("Ada", "Ben", "Chloé")
BESIDE: Final = 3
"""How far from its target a finger comes down, at most, in pixels."""
TWICE: Final = 800
"""Milliseconds after which a browser no longer takes a tap for the second half of a double tap."""
UNLIT: Final = 6
"""Every this many acts, something unlit is touched."""


class Evening:
    """One game, three phones."""

    def __init__(self, kit: Kit, browser: Browser, folder: Path, seed: int) -> None:
        self.kit, self.chance, self.done = kit, random.Random(seed), Counter[str]()
        self.acts, self.taps, self.turns = 0, 0, list[int]()
        self.tapped: dict[Page, float] = {}
        journal = Journal.open(folder / f"{kit.game.id}.db")
        referee = Referee.begin(kit.game, kit.setup(len(NAMES), seed), NAMES, "strict", journal, lambda: 0.0)
        for seat, name in enumerate(NAMES):
            referee.seat(SeatId(seat), Chair(name, key_of(f"phone-{seat}")), None)
        self.table = Table(Desk(referee, Tagbook(), Box(), partial(_thrown, self.chance)))
        self.table.start()
        self.latest = self.table.latest()
        self.server = WebServer(
            create_app(self.table, load_texts(kit.game), None, ("127.0.0.1",)), "127.0.0.1"
        ).__enter__()
        self.pages = [self._phone(browser, seat) for seat in range(len(NAMES))]

    def _phone(self, browser: Browser, seat: int) -> Page:
        base = f"http://127.0.0.1:{self.server.port}"
        context = new_phone(browser, has_touch=True)
        give_cookies(context, base, seat=f"phone-{seat}")
        page = context.new_page()
        page.on(
            "console", lambda told: _fail(told.text) if told.type == "error" and _MAY_NOT not in told.text else None
        )
        page.on("pageerror", lambda error: _fail(str(error)))
        page.goto(f"{base}/seat")
        return page

    def play(self, acts: int) -> None:
        turn, before = self._turn, 0
        for number in range(acts):
            if self.table.snapshot.result is not None:
                break
            if self._turn != turn:
                self.turns.append(self.taps - before)
                turn, before = self._turn, self.taps
            self.acts = number + 1
            seat = next(seat for seat in self.table.snapshot.awaited if seat != TABLE)
            page, seen = self.pages[seat], self.table.snapshot.seen_by(seat)
            self._until_shown(page, seen.seq)
            self._check(page, seen)
            if number % UNLIT == UNLIT - 1:
                self._touch_in_vain(page)
            wanted = self._wanted(seen)
            self._do(page, wanted)
            self._until_done(seen.seq)
            newest = self.table.snapshot
            assert any(newest.deeds[seq].intent == wanted for seq in newest.at.line if seq > seen.seq), wanted

    @property
    def _turn(self) -> object:
        """What changes when a turn is over; One False Step has days instead."""
        now = self.table.snapshot
        return getattr(now.state, "turns", None) or (getattr(now.state, "day", ""), now.awaited[:1])

    def told(self) -> str:
        """How far it came, and what a turn took; the first has the set-up in it."""
        turns = self.turns[1:] or self.turns or [self.taps]
        ended = "over" if self.table.snapshot.result is not None else "not over"
        per_turn = f"{len(turns)} turns with {median(turns):g} taps in the median, {mean(turns):.1f} in the mean"
        return f"{self.acts} acts, the game {ended}; {per_turn}"

    def close(self) -> None:
        for page in self.pages:
            page.context.close()
        self.server.__exit__(None, None, None)
        self.latest.close()
        self.table.stop()

    def _wanted(self, seen: Seen) -> Intent:
        """The lowest of verbs with a number, as the page has it."""
        may = legal(seen.game, seen.view, seen.actor)
        wanted = seen.game.bot(seen.view, seen.actor, may, self.chance.getrandbits(20))
        return wanted if wanted in may else may[0]

    def _until_shown(self, page: Page, seq: Seq) -> None:
        told = "seq => document.querySelector('#head .code').textContent.endsWith('#' + seq)"
        page.wait_for_function(told, arg=seq)

    def _until_done(self, seq: Seq) -> None:
        while self.table.snapshot.seq == seq:
            self.latest.wait(180)

    def _check(self, page: Page, seen: Seen) -> None:
        """What is lit, compared with what is legal; and that nothing overflows the phone's width."""
        lights = touching.lit(seen, offers.may(seen), seen.game.picture(seen.view))
        at_once = sorted(each.offers[0].json for each in lights if each.at_once)
        shown = page.locator("a.lit[data-act]")
        assert sorted({json.dumps(json.loads(act)) for act in _all(shown, "data-act")}) == sorted(
            {json.dumps(json.loads(act)) for act in at_once}
        )
        acts = [json.loads(act) for act in _all(shown, "data-act")]
        assert all(act in [to_builtins(i) for i in legal(seen.game, seen.view, seen.actor)] for act in acts)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than the phone"

    def _touch_in_vain(self, page: Page) -> None:
        """An unlit thing with no lit one nearby: the reason appears below the table."""
        dark = page.locator("a.thing[data-strip]:has(circle, .card)")
        near = page.locator("a.lit").evaluate_all(_BOXES)
        for at, box in enumerate(dark.evaluate_all(_BOXES)):
            x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
            if all(_far(lit, x, y) > 30 for lit in near):
                before, spent = self.table.snapshot.seq, self.taps
                self._tap(page, dark.nth(at), 0)
                self.taps = spent  # to be curious is no part of a turn
                page.locator("#strip .reason").wait_for()
                assert self.table.snapshot.seq == before
                self.done["why not"] += 1
                return

    def _do(self, page: Page, wanted: Intent) -> None:
        act = json.dumps(to_builtins(wanted), separators=(",", ":"))
        direct = page.locator(f"a.lit[data-act={json.dumps(act)}]")
        if direct.count():
            self.done["touched"] += 1
            return self._tap(page, direct.last, BESIDE)
        for token in self._tokens(wanted):
            lit = page.locator(f"a.lit[data-sheet][href*={json.dumps(token)}]")
            if lit.count():
                self._tap(page, lit.last, BESIDE)
                self.done["touched, then chosen"] += 1
                return self._press(page.locator("#sheet"), act)
        self.done["pressed"] += 1
        return self._press(page.locator("#screen"), act)

    def _tokens(self, wanted: Intent) -> list[str]:
        """How the addresses end of the things that stand for what is wanted."""
        snapshot = self.table.snapshot
        seen = snapshot.seen_by(wanted.actor)
        lights = touching.lit(seen, offers.may(seen), seen.game.picture(seen.view))
        meant = [each.token for each in lights if any(offer.intent == wanted for offer in each.offers)]
        return [f"kind={token.kind}&id={str(token.value).replace(' ', '%20')}" for token in meant]

    def _press(self, where: Locator, act: str) -> None:
        form = where.locator("form.act").filter(has=where.page.locator(f"[id={json.dumps('b-' + act)}]")).first
        form.wait_for(state="attached")
        fold = form.locator("xpath=ancestor::details[not(@open)]")
        if fold.count():
            fold.locator("summary").first.click()
            self.taps += 1
        self._rest(where.page)
        self.taps += 1
        form.locator("button:not([type])").click()

    def _rest(self, page: Page) -> None:
        """Nobody taps this fast: a second tap at the same place would be taken for a slip."""
        page.wait_for_function("since => performance.now() > since", arg=self.tapped.get(page, 0) + TWICE)
        self.tapped[page] = page.evaluate("performance.now()")

    def _tap(self, page: Page, thing: Locator, beside: int) -> None:
        shape = thing.locator("circle, rect, path").first
        shape.scroll_into_view_if_needed()
        box = shape.bounding_box()
        assert box is not None
        self._rest(page)
        self.taps += 1
        dx, dy = (self.chance.uniform(-beside, beside) for _ in range(2))
        page.touchscreen.tap(box["x"] + box["width"] / 2 + dx, box["y"] + box["height"] / 2 + dy)


_MAY_NOT: Final = "navigator.vibrate"
"""A phone that nobody has touched yet may not buzz, and its browser says so."""
_BOXES: Final = """them => them.map((el) => {
  const { x, y, width, height } = el.querySelector("circle, rect, path").getBoundingClientRect();
  return [x, y, width, height];
})"""


def _far(box: list[float], x: float, y: float) -> float:
    dx, dy = max(box[0] - x, 0, x - box[0] - box[2]), max(box[1] - y, 0, y - box[1] - box[3])
    return float((dx * dx + dy * dy) ** 0.5)


def _all(found: Locator, name: str) -> list[str]:
    told: list[str] = found.evaluate_all("(them, name) => them.map((el) => el.getAttribute(name))", name)
    return told


def _fail(text: str) -> None:
    raise AssertionError(f"the browser says: {text}")


def _thrown(chance: random.Random, candidates: tuple[Intent, ...], weights: tuple[int, ...]) -> Any:
    return chance.choices(candidates, weights)[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--acts", type=int, default=2000, help="of each game at most")
    parser.add_argument("--short", action="store_true", help="the first acts of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", action="append", choices=GAMES)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright, Path(folder))
        for game in options.game or GAMES:
            evening = Evening(Kit(shelf.open(game)), browser, Path(folder), options.seed)
            try:
                evening.play(7 if options.short else options.acts)
            finally:
                evening.close()
            ways = ", ".join(f"{n} {kind}" for kind, n in evening.done.most_common())
            print(f"{game}: {evening.told()} ({ways})", flush=True)
            assert evening.done["touched"] + evening.done["touched, then chosen"], "nothing could be touched"
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
