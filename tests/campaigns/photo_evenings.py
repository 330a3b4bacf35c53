"""Whole evenings by photos alone: three phones in Chromium, a real deck, and every card shown to a camera.

    python tests/campaigns/photo_evenings.py [--short] [--seed N] [--game ID] [--acts N]

Bots think, phones act: the piece, place, seat or number that an act is about is photographed, and what is wanted is
chosen from the sheet that comes of it; a card that the table draws is drawn by its photo. What is about nothing that
could be photographed, such as the end of a turn, is pressed. The same acts are done on a second table by taps and
buttons of the box: both journals must say the same, but for the inputs.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, Page, sync_playwright

from companion.app.bots import bot_of, chosen
from companion.app.opening import load_texts, make_setup
from companion.box import hands
from companion.box.stack import Box
from companion.core import TABLE, Game, Intent, ReaderId, SeatId, Tapped, argument_kinds, legal, mask, mentions, verb_of
from companion.journal import Did, Journal
from companion.library import Tagbook, codes_of, pretend_uid, shelf
from companion.phones.photo.darkroom import Darkroom
from companion.table import Chair, Desk, Referee, Snapshot, Table, things_of
from companion.table.sitting import who_rolls
from tests.chromium import give_cookies, launch, new_phone
from tests.patience import PATIENCE
from tests.printed import Card, Eye, photograph
from web import create_app
from web.door import Limits, key_of
from web.door.limits import Pace
from web.live.server import WebServer

WAND = ReaderId("wand")
NAMES = ("Ada", "Ben", "Chloé")
EVENINGS = (("actionworks", 100_000), ("us-patent", 300))
"""Each game, and after how many acts it is late: ten rounds of U.S. Patent for three take about this many."""
SHORT = (("actionworks", 8), ("us-patent", 6))
SOON = 15.0
"""Seconds after which a photo that led to nothing is retaken; a busy machine is slow, not wrong."""
MOST_RETAKEN = 20
QUICK = Limits({"photo": Pace(10**6, 10**6), "seated": Pace(10**6, 10**6)})


class Follower:
    """Waits until a table has recorded something more."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._news = threading.Condition()
        table.subscribe(self._told)

    def _told(self, _snapshot: Snapshot) -> None:
        with self._news:
            self._news.notify_all()

    def wait(self, since: int, seconds: float = PATIENCE) -> bool:
        with self._news:
            return self._news.wait_for(lambda: self.table.snapshot.seq > since, seconds)


@contextmanager
def table_of(game: Game[Any, Any], folder: Path, name: str) -> Iterator[Table]:
    with Journal.open(folder / name) as journal:
        referee = Referee.begin(game, make_setup(game, len(NAMES)), NAMES, "strict", journal, lambda: 0.0)
        for seat, who in enumerate(NAMES):
            referee.seat(SeatId(seat), Chair(who, key_of(f"phone-{seat}")), None)
        table = Table(Desk(referee, Tagbook(), Box()))
        table.start()
        yield table
        table.stop()


class Phones:
    """Three phones at one table, each with its own page and camera."""

    def __init__(self, browser: Browser, port: int, table: Table, dice: random.Random) -> None:
        self.follower, self.dice = Follower(table), dice
        self.table = table
        self.counts: Counter[str] = Counter()
        self.pages: list[Page] = []
        for seat in range(len(NAMES)):
            url = f"http://127.0.0.1:{port}"
            context = new_phone(browser, 390, 844, "en", base_url=url)
            give_cookies(context, url, seat=f"phone-{seat}")
            self.pages.append(context.new_page())
            self.pages[-1].goto("/seat")

    def do(self, intent: Intent) -> None:
        """By a photo if possible, else by a press."""
        scene = self.table.snapshot
        seq, game = scene.seq, scene.game
        seat = intent.actor if intent.actor != TABLE else who_rolls(scene.at) or SeatId(0)
        page = self.pages[seat]
        draws = intent.actor == TABLE and not verb_of(game, intent).is_typed
        for token in mentions(intent)[1:]:
            try:
                code = codes_of(things_of(scene)).number(hands.tag_of(game.id, token))
            except LookupError:
                continue
            self._photograph(page, code)
            if draws:
                while not self.follower.wait(seq, SOON):
                    self._retake(page, code)
                self.counts["drawn by photo"] += 1
                return
            page.wait_for_selector("#sheet[open] h1")
            while page.query_selector("#show-again"):
                self._retake(page, code)
                page.wait_for_selector("#sheet[open] h1")
            if self._press(page, "#sheet", intent):
                self.counts["chosen after a photo"] += 1
                assert self.follower.wait(seq), intent
                return
            page.evaluate("document.getElementById('sheet').close()")
        self.counts["pressed alone"] += 1
        page.wait_for_function(
            "(asked) => document.querySelector(`#screen form.act[data-asked='${asked}']`)",
            arg=str(scene.asked[seat] if intent.actor != TABLE else max(scene.asked)),
        )
        assert self._press(page, "#screen", intent), f"no way to {intent}"
        assert self.follower.wait(seq), intent

    def _retake(self, page: Page, code: str) -> None:
        """What people do if their photo couldn't be read, or came while the box was busy with others."""
        self.counts["retaken"] += 1
        assert self.counts["retaken"] <= MOST_RETAKEN
        page.evaluate("document.getElementById('sheet').close()")
        self._photograph(page, code)

    def _photograph(self, page: Page, code: str) -> None:
        eye = Eye(px=self.dice.uniform(70, 160), tilt=self.dice.uniform(0, 25), side=self.dice.uniform(0, 360))
        photo = photograph([Card(code, 0, 0, self.dice.uniform(-180, 180))], eye)
        with page.expect_file_chooser() as chooser:
            page.click("#show-card")
        chooser.value.set_files({"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": photo.jpeg})
        self.counts["photos"] += 1

    def _press(self, page: Page, within: str, intent: Intent) -> bool:
        """Press the button of this intent, with its number typed first; False if there is none."""
        wanted = json.loads(msgspec.json.encode(intent))
        kinds = argument_kinds(type(intent))
        number = kinds[-1][0] if kinds and kinds[-1][1] == "number" else ""
        for form in page.query_selector_all(f"{within} form.act"):
            offered = json.loads(form.get_attribute("data-wish") or "{}")["intent"]
            field = form.query_selector("[data-number]")
            if field is not None and number and {**offered, number: wanted[number]} == wanted:
                field.evaluate("(el, n) => { el.value = n; }", wanted[number])
            elif offered != wanted:
                continue
            form.evaluate("(el) => el.requestSubmit()")
            return True
        return False


class Taps:
    """The same evening at the box: a wand and buttons."""

    def __init__(self, table: Table) -> None:
        self.table, self.follower = table, Follower(table)

    def do(self, intent: Intent) -> None:
        scene = self.table.snapshot
        moves = hands.moves_for(scene, intent)
        assert moves is not None, f"no taps for {intent}"
        tags = [hands.tag_of(scene.game.id, move.token) for move in moves if isinstance(move, hands.Tap)]
        self.table._desk.tagbook.pretend(tags)
        laid = iter(tags)
        for move in moves:
            self.table.put(Tapped(pretend_uid(next(laid)), WAND) if isinstance(move, hands.Tap) else move)
        assert self.follower.wait(scene.seq), intent


def record(table: Table) -> list[tuple[Any, str]]:
    """Everything that was done, and its results."""
    return [(entry.body, entry.state) for entry in table._desk.referee.history if isinstance(entry.body, Did)]


def evening(browser: Browser, game_id: str, acts: int, seed: int) -> tuple[int, Counter[str], bool]:
    game, dice = shelf.open(game_id), random.Random(seed)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        table, box = (stack.enter_context(table_of(game, folder, name)) for name in ("photos", "taps"))
        photos = stack.enter_context(closing(Darkroom(longest=PATIENCE)))
        app = create_app(table, load_texts, None, ("127.0.0.1",), limits=QUICK, photos=photos)
        server = stack.enter_context(WebServer(app, "127.0.0.1"))
        phones, taps = Phones(browser, server.port, table, dice), Taps(box)
        bot, done = bot_of(game, "sensible"), 0
        while table.snapshot.result is None and done < acts:
            at = table.snapshot.at
            seat = at.decisions[-1].seats[0]
            if seat == TABLE:
                intent: Intent | None = dice.choice(legal(game, at.state, TABLE))
            else:
                intent = chosen(game, bot, mask(at.state, seat), seat, dice.randrange(1 << 30))
            assert intent is not None
            phones.do(intent)
            taps.do(intent)
            done += 1
            print(f"\r{game_id}: {done} acts", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        return done, phones.counts, record(table) == record(box)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="a few acts of each game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", default="")
    parser.add_argument("--acts", type=int, default=0)
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright, Path(folder))
        for game_id, acts in SHORT if options.short else EVENINGS:
            if options.game in ("", game_id):
                done, counts, same = evening(browser, game_id, options.acts or acts, options.seed)
                told = ", ".join(f"{n} {what}" for what, n in counts.items())
                print(f"{game_id}: {done} acts, {told}. Journals {'alike' if same else 'DIFFER'}.")
                failed += not same
        browser.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
