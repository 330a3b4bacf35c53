"""Eight real phones play U.S. Patent while strangers and a mad reader box do all they can: every act counts once.

    python tests/campaigns/phones_attacked.py [--acts N] [--short] [--seed N] [--minutes N]

Eight Chromium pages sit at one table of a real `companion run`; the game's own bot says what to press, and now and then
somebody presses twice. Meanwhile strangers on the same network send half of a body, take nothing of their answers, say
nothing, and open streams without end; and beside the honest reader box there is one that offers 10^5 lines a second.
No act may be lost (answered but not in the record) or doubled, each phone must go on being answered, people are told of
the mad box, and in the end every phone shows what a page opened just now shows.
The controls: a phone without network must count as wrong, an answer that nobody recorded as lost.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from msgspec import Struct
from playwright.sync_api import Browser, Error, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.app.bots import chosen
from companion.app.prove.record import Record
from companion.core import TABLE, Asked
from companion.journal import JOURNAL, Did, Journal
from companion.library import shelf
from tests.campaigns._flooder import Flooder, Told
from tests.campaigns._strangers import Crowd, Kind
from tests.campaigns.phones_interruptions import RIGHT, UNTIL, Phone, _not_in
from tests.campaigns.phones_slow import BIG, OPENERS, SEATS, SLOW, Box
from tests.campaigns.wire_flood import BESIDE
from tests.chromium import CHROMIUM, PATIENCE, launch, new_phone

GAME: Final = "us-patent"
FEW: Final[dict[Kind, int]] = {"half": 60, "reader": 60, "silent": 60, "stream": 2}
MANY: Final[dict[Kind, int]] = {**SLOW, "stream": OPENERS}
WITHOUT_END: Final = 10**9
TWICE: Final = 0.2
GIVEN_UP: Final = 10.0
"""Seconds after which a press counts as having led to nothing; another one follows."""


class Tally(Struct):
    acts: int
    waits: list[float]
    strangers: Counter[str]
    flooded: Told
    told: int
    """How often a phone's screen said that a reader box says too much."""
    problems: list[str]


class Evening:
    def __init__(self, browser: Browser, box: Box, seed: int) -> None:
        self.dice = random.Random(seed)
        url = f"http://127.0.0.1:{box.port}"
        hands = new_phone(browser, 1280, 800).new_page()
        hands.goto(f"{url}/pretend")
        self.phones = [Phone(browser, url, "/") for _ in SEATS]
        for seat, phone in enumerate(self.phones):
            phone.sit(hands, seat)
        hands.context.close()
        self.record = Record(box.folder, shelf.open(GAME))
        self.waits: list[float] = []
        self.told = 0
        self.problems: list[str] = []

    def act(self) -> None:
        """An awaited player presses a button, and waits until their own screen shows that it was done."""
        now = self.record.now()
        if now.result is not None:
            return
        seat = self.dice.choice([seat for seat in now.awaited if seat != TABLE])
        phone = self.phones[seat]
        intent = chosen(now.game, now.game.bot, now.view(seat), seat, self.dice.randrange(1 << 30))
        assert intent is not None
        self.shows(seat, now.seq)
        before, begun = phone.sent.total(), time.perf_counter()
        phone.press(intent, twice=self.dice.random() < TWICE)
        phone.page.wait_for_timeout(50)
        if phone.sent.total() == before:  # its button is folded away, or takes more than one press
            phone.press_anything(self.dice)
            phone.page.wait_for_timeout(50)
        while self.record.now().seq == now.seq and time.perf_counter() - begun < GIVEN_UP:
            phone.page.wait_for_timeout(20)
        if self.record.now().seq > now.seq:
            self.shows(seat, now.seq + 1)
            self.waits.append(time.perf_counter() - begun)
        self.told += "more than hands can do" in phone.page.locator("body").inner_text()

    def shows(self, seat: int, seq: int) -> None:
        try:
            self.phones[seat].page.wait_for_function(UNTIL, arg=seq, timeout=PATIENCE, polling=20)
        except Error:
            self.problems.append(f"{SEATS[seat]} was never shown #{seq}")

    def settle(self, data: Path) -> int:
        """What is wrong in the end; how many acts there were."""
        for phone, name in zip(self.phones, SEATS, strict=True):
            if not self.is_right(phone, PATIENCE / 1000):
                self.problems.append(f"{name}'s phone is wrong at the end")
        with Journal.look(data / JOURNAL) as journal:
            entries = [entry for entry in journal.entries(journal.games()[-1].table) if isinstance(entry.cause, Asked)]
        kept = {(entry.cause.command, entry.seq) for entry in entries if isinstance(entry.cause, Asked)}
        done = Counter(
            entry.cause.command for entry in entries if isinstance(entry.body, Did) and isinstance(entry.cause, Asked)
        )
        self.problems += [f"lost: {line}" for phone in self.phones for line in _not_in(kept, phone.answered)]
        self.problems += [f"{command} was done {n} times" for command, n in done.items() if n > 1]
        answered = {command for phone in self.phones for command in phone.answered}
        self.problems += [f"{command} was done, and nobody was told" for command in done if command not in answered]
        assert _not_in(kept, {"never-recorded": 1}), "an answer that nobody recorded does not count as lost"
        self.phones[0].context.set_offline(True)
        self.phones[0].page.evaluate("document.querySelector('#head .code').textContent = '#0'")
        assert not self.is_right(self.phones[0], 1.0), "a phone without network counts as right"
        return sum(done.values())

    def is_right(self, phone: Phone, patience: float) -> bool:
        until, seq = time.perf_counter() + patience, self.record.now().seq
        while time.perf_counter() < until:
            with contextlib.suppress(Error):
                if phone.page.evaluate(RIGHT, seq):
                    return True
            phone.page.wait_for_timeout(20)
        return False

    def close(self) -> None:
        self.record.close()
        for phone in self.phones:
            phone.context.close()


@contextlib.contextmanager
def attacked(crowd: Crowd, flooder: Flooder, strangers: Counter[str], floods: list[Told]) -> Iterator[None]:
    flooder.go_on()
    crowd.start()
    yield
    strangers.update(crowd.stop())
    floods.append(flooder.stop())


def evening(browser: Browser, flooder: Flooder, options: argparse.Namespace) -> Tally:
    strangers, floods, until = Counter[str](), list[Told](), time.monotonic() + 60 * options.minutes
    with ExitStack() as stack:
        log = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "taps"
        box = Box(stack, BESIDE.format(log=str(log), port=flooder.port))
        people = Evening(browser, box, options.seed)
        crowd = Crowd(box.port, BIG, FEW if options.short else MANY, WITHOUT_END)
        with attacked(crowd, flooder, strangers, floods):
            while len(people.waits) < options.acts and time.monotonic() < until:
                people.act()
        acts = people.settle(box.folder)
        people.close()
    return Tally(acts, people.waits, strangers, floods[0], people.told, people.problems)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--acts", type=int, default=300)
    parser.add_argument("--short", action="store_true", help="8 acts among fewer strangers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=30.0, help="end after so long, whatever was reached")
    options = parser.parse_args()
    if not CHROMIUM.exists():
        print("skipped: needs Chromium (apt-get install chromium)")
        return 0
    options.acts = 8 if options.short else options.acts
    flooder = Flooder(options.seed)
    flooder.rest()
    flooder.start()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = launch(playwright, Path(folder))
        tally = evening(browser, flooder, options)
        browser.close()
    flooder.close()
    flood, waits = tally.flooded, sorted(tally.waits)
    print(
        f"{tally.acts} acts of {len(SEATS)} real phones, shown after {waits[len(waits) // 2]:.2f} s (median), "
        f"{waits[-1]:.2f} s at most; strangers {dict(tally.strangers)}; the mad box offered "
        f"{flood.offered / flood.seconds:.0f} lines/s for {flood.seconds:.0f} s, of which {flood.taken} were taken; "
        f"{tally.told} screens told of it. {len(tally.problems)} wrong."
    )
    if not tally.told:
        tally.problems.append("no phone told of the mad box")
    print(*tally.problems[:20], sep="\n", end="\n" if tally.problems else "")
    return 1 if tally.problems else 0


if __name__ == "__main__":
    sys.exit(main())
