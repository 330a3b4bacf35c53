"""Whole games of every game on the shelf, played by phones through the accessibility tree alone.

    python tests/campaigns/phones_reader.py [--short] [--acts N] [--minutes M] [--game ID]

Real Chromium pages, one for each seat, English and French in turn. What to do is the game's own bot's choice; doing it
has nothing but roles and names, as a screen reader gives them, and the keyboard: no selector, no pointer, but for
folded lists, which are opened first. A name that
two buttons share or a button that cannot be found by its words stops it. With `--short`, or after `--acts`, bots play
the rest of the game while the phones are away, and its end must be found by roles and names too; without, anything less
than whole games fails.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from companion.app.bots import BotSeats, chosen
from companion.app.opening import load_texts, make_setup
from companion.box import Box
from companion.core import PUBLIC, TABLE, Asked, Intent, LetBot, SeatId, argument_kinds, verb_of
from companion.journal import Journal
from companion.library import Lang, Speaker, Tagbook, shelf
from companion.phones import offers
from companion.phones.previews import preview
from companion.table import Chair, Desk, Referee, Snapshot, Table, pick_by_weight
from tests.campaigns.phones_interruptions import SEATS
from tests.chromium import CHROMIUM, PATIENCE, launch, new_phone
from web import create_app
from web.door import key_of
from web.live.server import WebServer
from web.screens.seat import turn_of

LANGS: tuple[Lang, ...] = ("en", "fr")
SHORT, WHOLE = 3, 10**6


class Reader:
    """One phone as a screen reader presents it."""

    def __init__(self, browser: Browser, url: str, seat: SeatId) -> None:
        self.seat, self.lang = seat, LANGS[seat % len(LANGS)]
        context = new_phone(browser, lang=self.lang)
        cookies = {"seat": f"phone-{seat}", "lang": self.lang}
        context.add_cookies([{"name": f"companion-{k}", "value": v, "url": url} for k, v in cookies.items()])
        self.page: Page = context.new_page()
        self.page.goto(url + "/seat")

    def hears(self, seq: int) -> None:
        """Wait until the banner names this entry."""
        self.page.get_by_role("banner").get_by_text(f"#{seq}", exact=False).wait_for()

    def does(self, snapshot: Snapshot, intent: Intent) -> None:
        """Find the words of an intent among the buttons, type its number if it wants one, and press Enter on it."""
        self.page.evaluate("document.querySelectorAll('#screen details').forEach((fold) => { fold.open = true; })")
        offered = self._offered(snapshot, intent)
        if offered != intent:
            described = self._button(snapshot, offered).get_attribute("id")
            fields = self.page.get_by_role("spinbutton").all()
            field = next(field for field in fields if field.get_attribute("aria-describedby") == described)
            field.focus()
            field.fill(str(msgspec.structs.astuple(intent)[-1]))
        self._button(snapshot, intent).focus()
        self.page.keyboard.press("Enter")

    def _button(self, snapshot: Snapshot, intent: Intent) -> Locator:
        """The button of an intent, by what it says it does and what would come of that."""
        speaker = Speaker(load_texts(snapshot.game), self.lang, snapshot.names())
        told = preview(snapshot.seen_by(self.seat), msgspec.json.encode(intent))
        assert told is not None, intent
        words = [speaker.say(said) for said in (told.said, *told.lines)]
        return self.page.get_by_role("button", name=" ".join(words), exact=True).last  # the drawn table may say it, too

    def _offered(self, snapshot: Snapshot, intent: Intent) -> Intent:
        """The intent as it is listed: with its lowest number, if it wants one."""
        field = argument_kinds(type(intent))[-1][0] if verb_of(snapshot.game, intent).span else ""
        listed = [offer.intent for group in offers.may(snapshot.seen_by(self.seat)) for offer in group.offers]
        return next(i for i in listed if type(i) is type(intent) and _bare(i, field) == _bare(intent, field))


def _bare(intent: Intent, field: str) -> tuple[Any, ...]:
    return tuple(getattr(intent, name) for name in intent.__struct_fields__ if name != field)


def evening(browser: Browser, game_id: str, folder: Path, most: int, until: float) -> tuple[int, bool]:
    """How many acts were done by name, and whether that was the whole game."""
    game = shelf.open(game_id)
    seats = game.seats[0]
    with Journal.open(folder / f"{game_id}.journal") as journal:
        referee = Referee.begin(game, make_setup(game, seats), SEATS[:seats], "strict", journal, time.time)
        for seat in range(seats):
            referee.seat(SeatId(seat), Chair(SEATS[seat], key_of(f"phone-{seat}")), None)
        table = Table(Desk(referee, Tagbook(), Box(), pick_by_weight))
        table.start()
        app = create_app(table, load_texts, None, ("127.0.0.1",))
        bots = BotSeats(table, thinking=0.0)
        bots.start()
        try:
            with WebServer(app, "127.0.0.1") as server:
                url = f"http://127.0.0.1:{server.port}"
                readers = [Reader(browser, url, SeatId(seat)) for seat in range(seats)]
                return play(table, readers, most, until)
        finally:
            bots.close()
            table.stop()


def play(table: Table, readers: list[Reader], most: int, until: float) -> tuple[int, bool]:
    dice, acts = random.Random(1), 0
    while table.snapshot.result is None and acts < most and time.monotonic() < until:
        snapshot = table.snapshot
        seat = next(seat for seat in snapshot.awaited if seat != TABLE)
        intent = chosen(snapshot.game, snapshot.game.bot, snapshot.view(seat), seat, dice.randrange(1 << 30))
        assert intent is not None
        readers[seat].hears(snapshot.seq)
        latest = table.latest()
        readers[seat].does(snapshot, intent)
        while table.snapshot.seq == snapshot.seq:
            assert latest.wait(PATIENCE / 1000), f"nothing came of {intent}"
        latest.close()
        acts += 1
        print(f"\r{snapshot.game.id}: {acts} acts", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    whole = table.snapshot.result is not None
    if not whole:
        finish(table, readers)
    for reader in readers:
        last = table.snapshot.seen_by(PUBLIC)
        words = Speaker(load_texts(last.game), reader.lang, last.names())
        reader.page.get_by_role("heading", name=words.say(turn_of(last, None))).wait_for()
        reader.page.get_by_role("link", name=words.key("web.report")).wait_for()
        reader.page.context.close()
    return acts, whole


def finish(table: Table, readers: list[Reader]) -> None:
    """Bots finish the game. Nobody watches, because drawing each of hundreds of acts on every phone takes minutes."""
    for reader in readers:
        reader.page.goto("about:blank")
    for seat in range(len(table.snapshot.chairs)):
        table.ask(Asked(f"reader-bot-{seat}", SeatId(seat), 0, LetBot(True)))
    latest = table.latest()
    while table.snapshot.result is None:
        assert latest.wait(PATIENCE / 1000), "the bots stopped"
    latest.close()
    for reader in readers:
        reader.page.go_back()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help=f"{SHORT} acts of each game")
    parser.add_argument("--acts", type=int, default=WHOLE)
    parser.add_argument("--minutes", type=float, default=30.0, help="for each game; then bots play the rest")
    parser.add_argument("--game", default="", help="only this one")
    options = parser.parse_args()
    if not CHROMIUM.exists():
        print("skipped: needs Chromium (apt-get install chromium)")
        return 0
    most, is_whole = SHORT if options.short else options.acts, True
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = launch(playwright, Path(folder))
        for game_id in shelf.games():
            if options.game in ("", game_id):
                began = time.monotonic()
                acts, whole = evening(browser, game_id, Path(folder), most, began + 60 * options.minutes)
                is_whole &= whole
                how = "the whole game" if whole else "then bots to the end"
                print(
                    f"{game_id}: {acts} acts by roles and names, {how}; {time.monotonic() - began:.0f} s.", flush=True
                )
        browser.close()
    return 0 if is_whole or most < WHOLE else 1


if __name__ == "__main__":
    sys.exit(main())
