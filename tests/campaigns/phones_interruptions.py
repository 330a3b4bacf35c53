"""Six phones and a spectator play while phones reload, freeze, lose the network and the server is killed.

    python tests/campaigns/phones_interruptions.py [--interruptions N] [--short] [--seed N]

Real Chromium pages on a real `companion run`. Phones press what their own screen offers. Again and again some of them
are interrupted, or the server is killed and started again, which interrupts all. A game that ends is followed by the
next, begun on a phone. No act may be lost (answered but not in the record) or doubled, and a phone that is visible
again must show the newest entry: the time that takes is measured.
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

from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from companion import shelf
from companion.core.ids import Seq
from companion.core.inputs import Asked
from companion.journal import JOURNAL, Did, Journal

SEATS = ("Ada", "Ben", "Chloé", "Dan", "Eve", "Flo")
CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NEWEST = "() => Number(document.querySelector('#head .code')?.textContent.match(/#(\\d+)/)?.[1] ?? 0)"
UNTIL = "(seq) => Number(document.querySelector('#head .code')?.textContent.match(/#(\\d+)/)?.[1] ?? 0) >= seq"


RESTARTS = 0.2
"""Share of the rounds in which the server is killed; that interrupts every phone."""
PATIENCE = 30_000


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
            [sys.executable, "-m", "companion.cli", *options, *seats],
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

    def newest(self) -> int:
        """The number of the newest entry of the game that is played now."""
        with Journal.look(self.data / JOURNAL) as journal:
            return sum(1 for _ in journal.entries(journal.games()[-1].table))


class Phone:
    """One browser of its own; what it sends and is answered is noted."""

    def __init__(self, browser: Browser, url: str, path: str) -> None:
        self.context: BrowserContext = browser.new_context(viewport={"width": 390, "height": 844})
        self.context.set_default_timeout(15_000)
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

    def press(self, dice: random.Random) -> bool:
        """Press something that the screen offers; False where it offers nothing."""
        if self.page.locator("dialog[open]").count():
            self.page.keyboard.press("Escape")
        offers = self.page.locator("#screen form[data-wish*='\"act\"'] button:not([type])")
        count = offers.count()
        if not count:
            return False
        with contextlib.suppress(Error):
            offers.nth(dice.randrange(count)).click(timeout=2000)
        return True


class Campaign:
    def __init__(self, browser: Browser, box: Box, seed: int) -> None:
        self.box, self.dice = box, random.Random(seed)
        self.url = url = f"http://127.0.0.1:{box.port}"
        self.ended = 0
        hands = browser.new_page()
        hands.goto(url + "/pretend")
        seats = len(SEATS[: shelf.open(box.game).seats[1]])
        self.phones = [Phone(browser, url, "/") for _ in range(seats)]
        for seat, phone in enumerate(self.phones):
            phone.sit(hands, seat)
        hands.close()
        self.watcher = Phone(browser, url, "/watch")
        self.kinds: Counter[str] = Counter()
        self.waits: list[float] = []
        self.late: list[str] = []
        self.lost: list[str] = []
        self.twice: list[str] = []
        self.acts = 0

    def run(self, interruptions: int, until: float) -> None:
        while self.kinds.total() < interruptions and time.monotonic() < until:
            for _ in range(self.dice.randrange(1, 4)):
                self._press(self.phones)
            if self.dice.random() < RESTARTS:
                self._restart()
            else:
                self._interrupt_some()
            print(f"\r{self.kinds.total()} interruptions", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)

    def _press(self, phones: list[Phone]) -> None:
        if any(phone.press(self.dice) for phone in self.dice.sample(phones, len(phones))) or not phones:
            return
        phone = phones[0]
        if phone.page.locator("#to-report").count():
            phone.page.goto(f"{self.url}/setup?game={self.box.game}")
            phone.page.click("#open-game")
            phone.page.wait_for_url("**/seat")
            self.ended += 1

    def _interrupt_some(self) -> None:
        """Some phones at once, each in its own way, while the others play on."""
        everyone = [*self.phones, self.watcher]
        chosen = self.dice.sample(everyone, self.dice.randrange(1, len(everyone)))
        kinds = [self.dice.choice(("reload", "freeze", "offline")) for _ in chosen]
        ways_back = [self._away(phone, kind) for phone, kind in zip(chosen, kinds, strict=True)]
        self._press([phone for phone in self.phones if phone not in chosen])
        for way_back in ways_back:
            way_back()
        for phone, kind in zip(chosen, kinds, strict=True):
            self.kinds[kind] += 1
            self._is_back(phone, kind)

    def _away(self, phone: Phone, kind: str) -> Callable[[], object]:
        """Interrupt one phone; the answer ends that."""
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
        """Everybody loses the server, and one of them presses something just then."""
        self.box.kill()
        self._press(self.phones)
        self.box.start()
        for phone in (*self.phones, self.watcher):
            self.kinds["restart"] += 1
            self._is_back(phone, "restart")

    def _is_back(self, phone: Phone, kind: str) -> None:
        """Seconds until the phone shows the newest entry of the record."""
        began = time.perf_counter()
        newest = self.box.newest()
        try:
            phone.page.wait_for_function(UNTIL, arg=newest, timeout=PATIENCE, polling=20)
            self.waits.append(time.perf_counter() - began)
        except Error:
            self.late.append(f"after {kind} a phone shows #{phone.page.evaluate(NEWEST)}, the record is at #{newest}")

    def settle(self) -> None:
        """Find what was answered but is not there, and what is there twice."""
        for phone in (*self.phones, self.watcher):
            self._is_back(phone, "everything")
        done = [entry for game in self.box.games() for entry in game if isinstance(entry.cause, Asked)]
        kept = {(entry.cause.command, entry.seq) for entry in done}
        commands = Counter(entry.cause.command for entry in done if isinstance(entry.body, Did))
        for phone in self.phones:
            for command, seq in phone.answered.items():
                if (command, Seq(seq)) not in kept:
                    self.lost.append(f"{command} was answered with #{seq}, which is not there")
        self.twice = [command for command, n in commands.items() if n > 1]
        self.acts = sum(commands.values())


def evening(browser: Browser, game: str, seed: int, interruptions: int, minutes: float) -> Campaign:
    with tempfile.TemporaryDirectory() as data:
        box = Box(Path(data), game)
        try:
            campaign = Campaign(browser, box, seed)
            campaign.run(interruptions, time.monotonic() + 60 * minutes)
            campaign.settle()
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
    if not Path(CHROMIUM).exists():
        print("skipped: needs Chromium (apt-get install chromium)")
        return 0
    games = shelf.games()[:1] if options.short else shelf.games()
    each = 6 if options.short else -(-options.interruptions // len(games))
    bad = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for game in games:
            done = evening(browser, game, options.seed, each, options.minutes / len(games))
            waits = sorted(done.waits)
            resent = sum(n - 1 for phone in done.phones for n in phone.sent.values())
            print(
                f"{game}: {done.kinds.total()} interruptions {dict(done.kinds)}, {done.acts} acts "
                f"in {done.ended + 1} games, {resent} resent: "
                f"{len(done.lost)} lost, {len(done.twice)} doubled, {len(done.late)} never right. Right screen after: "
                f"median {waits[len(waits) // 2]:.2f} s, p95 {waits[int(len(waits) * 0.95)]:.2f} s."
            )
            for line in (*done.lost, *done.twice, *done.late):
                print(line)
            sys.stdout.flush()
            bad += len(done.lost) + len(done.twice) + len(done.late)
        browser.close()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
