"""Accessibility: axe-core finds nothing on any screen and state; a whole game is played by names and roles alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page

from companion.app.opening import load_texts
from companion.app.plays import Records
from companion.core import REFEREE, Game, ReaderLost
from companion.library import SHIPPED, InBoth, OwnPacks, Tagbook, Texts, shelf
from companion.table import Doctor, Printer, Table, Updates
from tests.chromium import give_cookies, new_phone
from tests.pick import GAME
from tests.web.conftest import Box, Phone, violations
from tests.web.screens.test_web_plays import PLAYS
from web import create_app
from web.club import Club
from web.live.server import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEATED = (
    "/seat",
    "/seat?wide=1",
    "/table",
    "/table?form=list",
    "/thing?kind=piece&id=Ace",
    "/thing?kind=place&id=hand-1",
    "/t/04FFFFFFFFFFFF",
    "/history",
    "/corrections",
    "/check",
    "/rules",
    "/rules?q=X",
    "/more",
    "/shelf",
    "/setup?game=actionworks",
    "/report",
    "/enrol",
    "/doctor",
    "/update",
    "/club",
    "/plays",
    "/lay",
    "/print?game=actionworks",
    "/packs?game=actionworks",
    "/pack?game=actionworks",
    "/pack?game=actionworks&pack=ours",
    "/card?game=actionworks&pack=ours&kind=part&at=0",
)
ANYBODY = ("/", "/?card=04A2B3C4D5E680", "/watch", "/tv", "/waiting", "/move?token=x", "/nothing", "/pretend")


@pytest.fixture
def app(table: Table, texts: Texts, box: Box, doctor: Doctor, tmp_path: Path) -> Flask:
    def texts_of(game: Game[Any, Any]) -> Texts:
        return texts if game.id == GAME.id else load_texts(game)

    own = OwnPacks(tmp_path)
    own.copy(shelf.open("actionworks"), SHIPPED, "Ours", "Ada", InBoth("Ours.", "À nous."))
    hosts = ("box.test", "localhost", "127.0.0.1")
    doctor.examine()
    book, address = Tagbook(), "http://box.test"
    return create_app(
        table,
        texts_of,
        box,
        hosts,
        tagbook=book,
        address=lambda: address,
        packs=own,
        doctor=doctor,
        printer=Printer(lambda _asked: b"%PDF"),
        updates=Updates(lambda _: None, lambda *_: False),
        plays=lambda: PLAYS,
        club=Club(tmp_path, table, "1.0", Records(tmp_path)),
    )


@pytest.fixture
def server(app: Flask) -> Iterator[WebServer]:
    with WebServer(app, "127.0.0.1") as server:
        yield server


class Eyes:
    """A browser page with a seat's cookie, checked with axe."""

    def __init__(self, chromium: Browser, server: WebServer, axe: str) -> None:
        self.url = f"http://127.0.0.1:{server.port}"
        self._chromium, self._axe = chromium, axe
        self._contexts: list[BrowserContext] = []
        self.found: list[str] = []

    def page(self, lang: str, theme: str, phone: Phone | None = None) -> Page:
        context = new_phone(self._chromium, bypass_csp=True)
        self._contexts.append(context)
        give_cookies(context, self.url, lang=lang, theme=theme)
        if phone is not None:
            give_cookies(context, self.url, seat=phone.secret)
        page = context.new_page()
        page.add_init_script(self._axe)
        return page

    def look(self, page: Page, path: str = "") -> None:
        if path:
            page.goto(self.url + path)
        self.found += violations(page)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def eyes(chromium: Browser, server: WebServer, axe: str) -> Iterator[Eyes]:
    eyes = Eyes(chromium, server, axe)
    yield eyes
    eyes.close()


@pytest.mark.parametrize(("lang", "theme"), [("en", "light"), ("fr", "dark")])
def test_axe_finds_nothing_on_any_screen(eyes: Eyes, ada: Phone, lang: str, theme: str) -> None:
    mine, anybody = eyes.page(lang, theme, ada), eyes.page(lang, theme)
    for path in SEATED:
        eyes.look(mine, path)
    for path in ANYBODY:
        eyes.look(anybody, path)
    assert not eyes.found, "\n".join(eyes.found)


@pytest.mark.parametrize(("lang", "theme"), [("fr", "light"), ("en", "dark")])
def test_axe_finds_nothing_in_any_state(
    eyes: Eyes, ada: Phone, ben: Phone, phone: Callable[[], Phone], table: Table, lang: str, theme: str
) -> None:
    referee = phone().sit(REFEREE, "Rosa")
    page = eyes.page(lang, theme, ada)
    page.goto(eyes.url + "/seat")
    page.fill("[data-number]", "9")
    page.locator("form:has([data-number]) > button").click()
    page.wait_for_selector("dialog[open] .stamp")
    eyes.look(page)
    page.goto(eyes.url + "/card?game=actionworks&pack=ours&kind=part&at=0")
    page.fill("[id='f-value']", "500")
    page.click("#save-card")
    page.wait_for_selector("em.wrong")
    eyes.look(page)
    ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
    eyes.look(page, f"/take-back?entry={table.snapshot.seq}")
    page.goto(eyes.url + "/more")
    page.click("#move")
    page.wait_for_selector("dialog[open] .qr")
    eyes.look(page)
    table.put(ReaderLost("left"))  # type: ignore[arg-type]
    table.away((table.snapshot.awaited[0],))
    ben.post("/command", asked=0, wish={"type": "let-bot", "on": True})
    for sitting in (ben, referee):
        other = eyes.page(lang, theme, sitting)
        for path in ("/seat", "/watch", "/more", "/corrections", "/history"):
            eyes.look(other, path)
    waiting = eyes.page(lang, theme)
    waiting.goto(eyes.url + "/")
    waiting.check("#seat-1")
    waiting.click("#ask")
    waiting.wait_for_selector(".letters")
    eyes.look(waiting)
    assert not eyes.found, "\n".join(eyes.found)


def test_a_page_without_names_is_caught(eyes: Eyes) -> None:
    """The control: a button without its name, on a page that nothing redraws."""
    page = eyes.page("en", "light")
    page.route("**/stream*", lambda route: route.abort())
    page.goto(eyes.url + "/rules")
    page.evaluate("() => { document.querySelector('.search button').replaceChildren(); }")
    eyes.look(page)
    assert any("button-name" in line for line in eyes.found)


def test_a_whole_game_is_played_through_the_accessibility_tree(
    eyes: Eyes, ada: Phone, ben: Phone, table: Table
) -> None:
    """Only roles and names, as a screen reader has them: no selector, no pointer."""
    adas, bens = eyes.page("en", "light", ada), eyes.page("en", "light", ben)
    for page in (adas, bens):
        page.goto(eyes.url + "/seat")

    def press(page: Page, name: str) -> None:
        button = page.get_by_role("button", name=name)
        button.focus()
        page.keyboard.press("Enter")
        button.wait_for(state="detached")

    press(adas, "Lay Card Ace")
    press(adas, "Pass")
    assert adas.get_by_role("heading", level=1).inner_text() == "Ben’s turn"
    assert "●" not in adas.title()
    bens.get_by_role("heading", name="Your turn, Ben").wait_for()
    assert bens.title().startswith("● Your turn"), "the title follows the game too"
    for card in ("Bat", "Dam"):
        press(bens, f"Lay Card {card}")
    press(adas, "Lay Card Cog")
    for page in (adas, bens):
        page.get_by_role("heading", name="Ada wins!").wait_for()
        page.get_by_role("link", name="Report").wait_for()
    assert table.snapshot.result is not None
