"""Six phones and a spectator play while phones reload, freeze, lose the network and the server is killed.

    python tests/campaigns/phones_interruptions.py [--interruptions N] [--short] [--seed N]

Real Chromium pages on a real `companion run`. The phones play whole games of every game on the shelf: the game's own
bot says what to press, and now and then somebody presses anything, or twice. Again and again some of them are
interrupted, or the server is killed and started again, which interrupts all. A game that ends is followed by the next,
begun on a phone. No act may be lost (answered but not in the record) or doubled, and a phone that is visible again must
show what a page opened just now shows; the time that takes is measured, from the moment it is visible, or the server
there again. The controls: a phone without network must count as wrong, an answer that nobody recorded as lost.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from companion.app.bots import chosen
from companion.app.prove.record import Record
from companion.core import TABLE, Asked, Intent, Seq
from companion.journal import JOURNAL, Did, Journal
from companion.library import shelf
from tests.chromium import CHROMIUM, PATIENCE, launch, new_phone

SEATS = ("Ada", "Ben", "Chloé", "Dan", "Eve", "Flo")
NEWEST = "() => Number(document.querySelector('#head .code')?.textContent.match(/#(\\d+)/)?.[1] ?? 0)"
UNTIL = f"(seq) => ({NEWEST})() >= seq"
RIGHT = f"""async (seq) => {{
  if (({NEWEST})() < seq) return false;
  const words = (page) => page.getElementById("screen").textContent.replace(/\\s+/g, " ");
  const fresh = await (await fetch(location.href)).text();
  return words(document) === words(new DOMParser().parseFromString(fresh, "text/html"));
}}"""
"""Whether a page shows this entry, with the same words as a freshly opened page."""
OFFERED = """(wanted) => {
  const same = (a, b, but) => Object.keys({ ...a, ...b }).every((key) => key === but || a[key] === b[key]);
  for (const form of document.querySelectorAll("#screen form[data-wish]")) {
    const { type, intent } = JSON.parse(form.dataset.wish), number = form.querySelector("[data-number]");
    if (type !== "act" || !same(intent, wanted, number?.dataset.number)) continue;
    if (number) number.value = wanted[number.dataset.number];
    for (let fold = form.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    return form.querySelector("button:not([type])");
  }
  return null;
}"""
"""The button of an intent, out of its folds, its number typed."""

RESTARTS = 0.2
"""Share of the rounds in which the server is killed; that interrupts every phone."""
ANYTHING, TWICE = 0.1, 0.1
"""Shares of presses that hit anything on the screen, and of presses that come twice."""
BEYOND = 3
"""A game that doesn't end is given up after this many times its share of the interruptions."""


class Box:
    """A `companion run` that is killed and comes back at the same address."""

    def __init__(self, data: Path, game: str) -> None:
        self.data, self.game, self.port = data, game, 0
        self.start()

    def start(self) -> None:
        options = [
            "run",
            "--pretend",
            "--pico",
            "quick",
            "--port",
            str(self.port),
            "--data",
            str(self.data),
            "--game",
            self.game,
        ]
        seats = ["--seats", ",".join(SEATS[: shelf.open(self.game).seats[1]])]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion.app.cli", *options, *seats],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/pretend", line):
                self.port = int(found.group(1))
                return
        raise AssertionError("companion run ended before it told its address")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def games(self) -> list[list[Any]]:
        """The entries of each game, the newest last."""
        with Journal.look(self.data / JOURNAL) as journal:
            return [list(journal.entries(game.table)) for game in journal.games()]


class Phone:
    """One separate browser; what it sends and gets is noted."""

    def __init__(self, browser: Browser, url: str, path: str) -> None:
        self.context: BrowserContext = new_phone(browser)
        self.page: Page = self.context.new_page()
        self.sent: Counter[str] = Counter()
        self.answered: dict[str, int] = {}
        self.page.on("request", self._request)
        self.page.on("response", self._response)
        self.page.goto(url + path)

    def _request(self, request: Any) -> None:
        if request.method == "POST" and request.url.endswith("/command"):
            self.sent[json.loads(request.post_data)["command"]] += 1

    def _response(self, response: Any) -> None:
        if response.request.method == "POST" and response.request.url.endswith("/command") and response.status == 200:
            with contextlib.suppress(Error):
                self.answered[json.loads(response.request.post_data)["command"]] = response.json()["seq"]

    def sit(self, hands: Page, seat: int) -> None:
        self.page.check(f"#seat-{seat}")
        self.page.click("#ask")
        self.page.wait_for_selector(".letters")
        hands.click("#hold-ok")
        self.page.wait_for_url("**/seat")

    def press_anything(self, dice: random.Random) -> None:
        """Press something that the screen offers, if it offers anything."""
        offers = self.page.locator("#screen form[data-wish*='\"act\"'] button:not([type])")
        if count := offers.count():
            with contextlib.suppress(Error):
                offers.nth(dice.randrange(count)).click(timeout=2000)

    def press(self, intent: Intent, *, twice: bool) -> None:
        """Press the button of this intent, if the screen offers it."""
        if self.page.locator("dialog[open]").count():
            self.page.keyboard.press("Escape")
        button = self.page.evaluate_handle(OFFERED, msgspec.to_builtins(intent)).as_element()
        if button is not None:
            with contextlib.suppress(Error):
                (button.dblclick if twice else button.click)(timeout=2000)


class Campaign:
    def __init__(self, browser: Browser, box: Box, seed: int) -> None:
        self.box, self.dice = box, random.Random(seed)
        self.url = url = f"http://127.0.0.1:{box.port}"
        hands = new_phone(browser, 1280, 800).new_page()
        hands.goto(url + "/pretend")
        seats = len(SEATS[: shelf.open(box.game).seats[1]])
        self.phones = [Phone(browser, url, "/") for _ in range(seats)]
        for seat, phone in enumerate(self.phones):
            phone.sit(hands, seat)
        hands.context.close()
        self.watcher = Phone(browser, url, "/watch")
        self.record = Record(box.data, shelf.open(box.game))
        self.kinds: Counter[str] = Counter()
        self.waits: list[float] = []
        self.late: list[str] = []
        self.lost: list[str] = []
        self.twice: list[str] = []
        self.acts = self.ended = 0

    def run(self, interruptions: int, until: float, *, whole: bool) -> None:
        """This many interruptions, and on to the end if the game is to be finished."""
        while time.monotonic() < until:
            done = self.kinds.total()
            if done >= interruptions and (self.ended or not whole or done >= BEYOND * interruptions):
                break
            for _ in range(self.dice.randrange(4, 16)):
                self._play(self.phones)
            if self.dice.random() < RESTARTS or (done and not self.kinds["restart"]):
                self._restart()
            else:
                self._interrupt_some()
            at = self.record.referee.at.seq
            print(f"\r{self.box.game}: {done} interruptions, entry {at}", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)

    def _play(self, phones: list[Phone]) -> None:
        """One of these phones does what the game waits for, or begins the next game."""
        now = self.record.now()
        if now.result is not None:
            self.ended += 1
            self._begin_next()
            return
        awaited = [seat for seat in now.awaited if seat != TABLE and self.phones[seat] in phones]
        if not awaited:
            return
        seat = self.dice.choice(awaited)
        phone = self.phones[seat]
        if self.dice.random() < ANYTHING:
            phone.press_anything(self.dice)
        else:
            intent = chosen(now.game, now.game.bot, now.view(seat), seat, self.dice.randrange(1 << 30))
            assert intent is not None
            phone.press(intent, twice=self.dice.random() < TWICE)
        with contextlib.suppress(Error):
            phone.page.wait_for_function(UNTIL, arg=now.seq + 1, timeout=1000, polling=20)

    def _begin_next(self) -> None:
        page = self.phones[0].page
        page.goto(f"{self.url}/setup?game={self.box.game}")
        page.click("#open-game")
        page.wait_for_url("**/seat")

    def _interrupt_some(self) -> None:
        """Some phones at once, each in its own way, while the others play on."""
        everyone = [*self.phones, self.watcher]
        chosen_ones = self.dice.sample(everyone, self.dice.randrange(1, len(everyone)))
        kinds = [self.dice.choice(("reload", "freeze", "offline")) for _ in chosen_ones]
        ways_back = [self._away(phone, kind) for phone, kind in zip(chosen_ones, kinds, strict=True)]
        self._play([phone for phone in self.phones if phone not in chosen_ones])
        for phone, kind, way_back in zip(chosen_ones, kinds, ways_back, strict=True):
            began = time.perf_counter()
            way_back()
            self._is_back(phone, kind, began)

    def _away(self, phone: Phone, kind: str) -> Callable[[], object]:
        """Interrupt one phone; returns the function that ends that."""
        match kind:
            case "freeze":
                session = phone.context.new_cdp_session(phone.page)
                session.send("Page.setWebLifecycleState", {"state": "frozen"})
                return lambda: session.send("Page.setWebLifecycleState", {"state": "active"})
            case "offline":
                phone.context.set_offline(True)
                return lambda: phone.context.set_offline(False)
            case _:
                return lambda: phone.page.reload(wait_until="commit")

    def _restart(self) -> None:
        """Everybody loses the server, and one of them presses something at that moment."""
        self.box.kill()
        self.dice.choice(self.phones).press_anything(self.dice)
        self.box.start()
        began = time.perf_counter()
        for phone in (*self.phones, self.watcher):
            self._is_back(phone, "restart", began)

    def _is_back(self, phone: Phone, kind: str, began: float) -> None:
        """Note how long after `began` the phone shows what it should."""
        self.kinds[kind] += 1
        if self._is_right(phone, PATIENCE / 1000):
            self.waits.append(time.perf_counter() - began)
        else:
            newest, shown = self.record.now().seq, phone.page.evaluate(NEWEST)
            self.late.append(f"after {kind} a phone shows #{shown} and not what #{newest} looks like")

    def _is_right(self, phone: Phone, patience: float) -> bool:
        until, seq = time.perf_counter() + patience, self.record.now().seq
        while time.perf_counter() < until:
            with contextlib.suppress(Error):  # the page is just loading, or has no network
                if phone.page.evaluate(RIGHT, seq):
                    return True
            phone.page.wait_for_timeout(20)
        return False

    def settle(self) -> None:
        """Find what was answered but isn't there, and what is there twice."""
        self.late += [
            f"phone {n} is wrong at the end"
            for n, p in enumerate(self.phones)
            if not self._is_right(p, PATIENCE / 1000)
        ]
        done = [entry for game in self.box.games() for entry in game if isinstance(entry.cause, Asked)]
        kept = {(entry.cause.command, entry.seq) for entry in done}
        commands = Counter(entry.cause.command for entry in done if isinstance(entry.body, Did))
        for phone in self.phones:
            self.lost += _not_in(kept, phone.answered)
        self.twice = [command for command, n in commands.items() if n > 1]
        self.acts = sum(commands.values())
        self._controls(kept)

    def _controls(self, kept: set[tuple[str, Seq]]) -> None:
        self.phones[0].context.set_offline(True)
        self.phones[0].page.evaluate("document.querySelector('#head .code').textContent = '#0'")
        assert not self._is_right(self.phones[0], 1.0), "a phone without network counts as right"
        assert _not_in(kept, {"never-recorded": 1}), "an answer that nobody recorded does not count as lost"


def _not_in(kept: set[tuple[str, Seq]], answered: dict[str, int]) -> list[str]:
    return [f"{c} was answered with #{seq}, which is not there" for c, seq in answered.items() if (c, seq) not in kept]


def evening(browser: Browser, game: str, seed: int, interruptions: int, until: float, *, whole: bool) -> Campaign:
    with tempfile.TemporaryDirectory() as data:
        box = Box(Path(data), game)
        try:
            campaign = Campaign(browser, box, seed)
            campaign.run(interruptions, until, whole=whole)
            campaign.settle()
            campaign.record.close()
            for phone in (*campaign.phones, campaign.watcher):
                phone.context.close()
        finally:
            box.kill()
    return campaign


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--interruptions", type=int, default=1000)
    parser.add_argument("--short", action="store_true", help="6 interruptions of one game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60.0, help="end after so long, whatever was reached")
    options = parser.parse_args()
    if not CHROMIUM.exists():
        print("skipped: needs Chromium (apt-get install chromium)")
        return 0
    games = shelf.games()[:1] if options.short else shelf.games()
    each = 6 if options.short else -(-options.interruptions // len(games))
    is_bad, waits, total = False, list[float](), 0
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = launch(playwright, Path(folder))
        for game in games:
            until = time.monotonic() + 60 * options.minutes / len(games)
            done = evening(browser, game, options.seed, each, until, whole=not options.short)
            resent = sum(n - 1 for phone in done.phones for n in phone.sent.values())
            problems = [*done.lost, *done.twice, *done.late]
            if not options.short and (not done.ended or done.kinds.total() < each):
                problems.append(f"{game}: no whole game, or too few interruptions")
            print(
                f"{game}: {done.kinds.total()} interruptions {dict(done.kinds)}, {done.acts} acts of "
                f"{len(done.phones)} phones, {done.ended} whole games, {resent} resent: {len(done.lost)} lost, "
                f"{len(done.twice)} doubled, {len(done.late)} never right. Right screen after {_told(done.waits)}."
            )
            print(*problems, sep="\n", end="\n" if problems else "", flush=True)
            is_bad, waits, total = is_bad or bool(problems), waits + done.waits, total + done.kinds.total()
        browser.close()
    print(f"{total} interruptions in all. Right screen after {_told(waits)}.")
    return 1 if is_bad else 0


def _told(waits: list[float]) -> str:
    ordered = sorted(waits)
    return f"median {ordered[len(ordered) // 2]:.2f} s, p95 {ordered[int(len(ordered) * 0.95)]:.2f} s"


if __name__ == "__main__":
    sys.exit(main())
