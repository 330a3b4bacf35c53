"""Make the pictures of U.S. Patent for the README: python docs/pictures_us_patent.py (needs Chromium, the dev
group).

Three bots play to the middle of a game on the pretend table, and what people see is photographed; the display's
pages come from a playthrough, after its first taps.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from pictures import ADA, BEN, CHLOE, OUT, Evening, phone
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

import companion.app.main
from companion.app.main import Options, Running
from companion.app.opening import load_texts
from companion.app.script import read_file, run
from companion.app.script.lines import Line
from companion.core import Intent, SeatId, Token, legal, mask
from companion.library import Speaker
from companion.table import Snapshot
from hw.display.draw import draw
from hw.display.scene import at_first
from tests.chromium import CHROMIUM, FLAGS

TURNS = 22
SCRIPT = Path(__file__).parents[1] / "companion/games/us_patent/playthroughs/taps-and-dial.txt"
LINES = (12, 16, 163, 164, 310, 311)
"""Research, an Action to choose, a purchase offered and done, an attack that hits, what it disables."""
_chance = random.Random(4)


def pick(candidates: tuple[Intent, ...], weights: tuple[int, ...]) -> Intent:
    return _chance.choices(candidates, weights)[0]


def to_the_middle(evening: Evening, running: Running) -> SeatId:
    """Let bots play until somebody is to act in turn 22; returns who."""
    while True:
        scene = running.table.snapshot
        seat = scene.awaited[0]
        if scene.state.turns >= TURNS and scene.decisions[-1].kind == "act":
            return seat
        play(evening, running, seat)


def play(evening: Evening, running: Running, seat: SeatId) -> None:
    """The bot of this seat acts once."""
    scene = running.table.snapshot
    view = mask(scene.state, seat)
    evening.act(scene.game.bot(view, seat, legal(scene.game, view, seat), _chance.randrange(1 << 16)))


def to_a_card_in_hand(evening: Evening, running: Running) -> Token:
    """Let bots play until there is a card that may be bought or laid; returns which."""
    assert running.pretend is not None
    while True:
        cards = sorted(str(token.value) for token in running.pretend.surface().touched if token.kind == "piece")
        lit = (Token("piece", card) for card in cards if running.pretend.carry(Token("piece", card)).lit)
        if (found := next(lit, None)) is not None:
            return found
        play(evening, running, running.table.snapshot.awaited[0])


def display() -> None:
    """Six pages of the display, two rows of three, each pixel doubled."""
    pages: list[Image.Image] = []

    def watch(line: Line, now: Snapshot) -> None:
        if line.number in LINES:
            look, speaker = at_first(now.page, now.flash), Speaker(load_texts(now.game), "en", now.names())
            pages.append(draw(look.page, speaker, over=look.over).convert("L"))

    run(read_file(SCRIPT), watch=watch)
    sheet = Image.new("L", (3 * 268 + 12, 2 * 140 + 12), 90)
    for at, page in enumerate(pages):
        sheet.paste(page.resize((256, 128), Image.Resampling.NEAREST), (12 + at % 3 * 268, 12 + at // 3 * 140))
    sheet.save(OUT / "us-patent-oled.png", optimize=True)


def pretend(browser: Browser, running: Running, card: Token) -> None:
    """The drawn pretend table with a card in the hand: what accepts it lights up."""
    table = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    table.goto(f"http://127.0.0.1:{running.port}/pretend")
    table.click("#guide-close")
    table.locator("#guide-again").wait_for()
    held = table.locator(f'[data-uid][data-token="piece:{card.value}"]').first
    held.hover()
    table.mouse.down()
    table.mouse.move(420, 380, steps=4)
    place = table.locator(".th.lit").first.bounding_box()
    assert place is not None
    table.mouse.move(place["x"] + place["width"] / 4, place["y"] + place["height"] / 3, steps=2)
    table.screenshot(path=OUT / "pretend-table.png")
    table.mouse.up()


def main() -> None:
    display()
    companion.app.main.pick_by_weight = pick
    with (
        tempfile.TemporaryDirectory() as data,
        companion.app.main.companion(Options(Path(data), pretend=True, port=0, game="us-patent")) as running,
        sync_playwright() as playwright,
    ):
        evening = Evening(running)
        for seat, name in ((ADA, "Ada"), (BEN, "Ben"), (CHLOE, "Chloé")):
            evening.sit_down(seat, name)
        seat = to_the_middle(evening, running)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        phone(browser, running, seat, "/table", "us-patent-table", "en", "light")
        phone(browser, running, seat, "/seat", "us-patent-seat", "en", "light")
        phone(browser, running, seat, "/seat", "us-patent-seat-fr", "fr", "dark")
        phone(browser, running, seat, "/check", "us-patent-check", "en", "light")
        screen = browser.new_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
        screen.goto(f"http://127.0.0.1:{running.port}/tv")
        screen.screenshot(path=OUT / "us-patent-tv.png")
        pretend(browser, running, to_a_card_in_hand(evening, running))
        browser.close()


if __name__ == "__main__":
    main()
