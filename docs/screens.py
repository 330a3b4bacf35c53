"""Photograph every screen, English and French, light and dark: python docs/screens.py (needs Chromium, the dev group).

One picture for each screen in docs/screens/: English light, French light, English dark, French dark, side by side.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from urllib.parse import quote

import boards
import one_false_step
import other_games
from pictures import ADA, BEN, CHLOE, Evening, pick
from playwright.sync_api import Browser, Page, sync_playwright
from studio import OUT, Prepare, Studio, click

import companion.app.main
from companion.app.main import Options, Running
from companion.core import REFEREE, FirstQuestion, Lead, LetBot, OpenGame, Uid
from companion.library import SHIPPED, InBoth, OwnPacks, shelf
from companion.phones import offers
from tests.chromium import CHROMIUM, FLAGS


def during(studio: Studio, running: Running, evening: Evening) -> None:
    """The screens of a game in progress."""
    table = running.table
    not_mine = quote(offers.not_now(table.snapshot.seen_by(ADA))[0].json)
    entry = next(e.seq for e in table.snapshot.seen_by(BEN).past.recent() if e.can_be_taken_back)
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


def wrong_file(text: str) -> Prepare:
    """A file with a mistyped name, a number that is too large and an unknown field."""
    wrong = text.replace('"take"', '"tkae"', 1).replace("value = 7", "value = 700", 1).replace("author", "autor", 1)

    def sent(page: Page) -> None:
        page.locator("#text").fill(wrong)
        page.locator("#take-in-do").click()
        page.locator("[data-alarm]").wait_for()

    return sent


def packs(studio: Studio) -> None:
    """The pack editor: the shipped pack, an own copy, a card, a card filled in wrongly."""
    own = OwnPacks(studio.data)
    game = shelf.open("actionworks")
    note = InBoth("Entered at the table by the owners of this box.", "Saisi à la table par les propriétaires.")
    name = own.copy(game, SHIPPED, "Ada’s box", "Ada", note)
    studio.take("packs", "/packs")
    studio.take("packs-wrong", "/packs", prepare=wrong_file(own.text(game, SHIPPED)))
    studio.take("pack", "/pack")
    studio.take("pack-own", f"/pack?pack={name}", prepare=lambda page: page.locator("#count-part summary").click())
    studio.take("card", f"/card?pack={name}&kind=part&at=3")
    studio.take("card-wrong", f"/card?pack={name}&kind=part&at=3", prepare=wrong_card)


def with_trouble(studio: Studio, running: Running) -> None:
    """A pulled cable, a phone that is away, an unknown tag."""
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
    """A table with real dice and cards: whoever rolls has keys for the result."""
    with tempfile.TemporaryDirectory() as data:
        (Path(data) / "settings.toml").write_text('chance = "typed"\n')
        with companion.app.main.companion(Options(Path(data), "actionworks", pretend=True, port=0)) as running:
            evening = Evening(running)
            evening.sit_down(BEN, "Ben")
            Studio(browser, running, Path(data), only).take("real-dice", "/seat")


def after(studio: Studio, evening: Evening) -> None:
    """Bots play the game to its end; then the report."""
    evening.let_bots_finish()
    studio.take("over", "/seat")
    studio.take("report", "/report")
    for seat in (ADA, BEN, CHLOE):
        evening.ask(seat, LetBot(False))
    evening.ask(BEN, OpenGame("actionworks", ("Ada", "Ben", "Chloé")))
    studio.take("next-game", "/seat")


def first_run(browser: Browser, only: str) -> None:
    """A box that has never played, set up with a phone."""
    companion.app.main.pick_by_weight = pick
    with (
        tempfile.TemporaryDirectory() as data,
        companion.app.main.companion(Options(Path(data), pretend=True, port=0, first_run=True)) as running,
    ):
        studio, evening = Studio(browser, running, Path(data), only), Evening(running)
        studio.take("first-new", "/first", None)
        evening.sit_down(ADA, "Ada")
        answers: tuple[tuple[FirstQuestion, int], ...] = (("language", 0), ("buttons", 0), ("seats", 1), ("game", 0))
        for question, at in answers:
            studio.take(f"first-{question}", "/first", ADA)
            evening.ask(ADA, Lead(question, at))
        studio.take("first-tags", "/first", ADA)
        evening.ask(ADA, Lead("tags", 1))
        studio.take("first-readers", "/first", ADA)


def actionworks(browser: Browser, only: str) -> None:
    """A whole evening: every screen of a game, with trouble, to its end."""
    companion.app.main.pick_by_weight = pick
    with (
        tempfile.TemporaryDirectory() as data,
        companion.app.main.companion(Options(Path(data), "actionworks", pretend=True, port=0, thinking=0.0)) as running,
    ):
        evening = Evening(running)
        for seat, name in ((ADA, "Ada"), (BEN, "Ben"), (REFEREE, "Rosa")):
            evening.sit_down(seat, name)
        evening.play_a_while()
        studio = Studio(browser, running, Path(data), only)
        during(studio, running, evening)
        studio.take("pretend", "/pretend", None, width=1280)
        with_trouble(studio, running)
        after(studio, evening)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only screens whose name holds this")
    only = parser.parse_args().only
    OUT.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for photograph in (
            first_run,
            actionworks,
            real_dice,
            other_games.photograph,
            boards.photograph,
            one_false_step.photograph,
        ):
            photograph(browser, only)
        browser.close()


if __name__ == "__main__":
    main()
