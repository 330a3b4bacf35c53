"""A real browser with a real camera field: what is photographed is read by the box and shown on that phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page

from companion.core import PieceId
from companion.library import PieceTag, codes_of
from companion.phones.photo.darkroom import Darkroom
from companion.table import Table, things_of
from tests.chromium import give_cookies, new_phone
from tests.patience import PATIENCE
from tests.pick import GAME
from tests.printed import Card, Eye, photograph
from tests.web.conftest import Phone
from web import dashboard_of
from web.live.server import WebServer

pytestmark = pytest.mark.browser

Shows = Callable[..., None]


@pytest.fixture
def server(app: Flask) -> Iterator[WebServer]:
    with closing(Darkroom(longest=PATIENCE)) as photos, WebServer(app, "127.0.0.1") as server:
        dashboard_of(app).photos = photos
        yield server


@pytest.fixture
def open_seat(chromium: Browser, server: WebServer) -> Iterator[Callable[..., Page]]:
    """A seat's page; anything its console complains about fails the test."""
    contexts, errors = [], list[str]()

    def open_one(phone: Phone, width: int = 390, lang: str = "en", path: str = "/seat") -> Page:
        url = f"http://127.0.0.1:{server.port}"
        context = new_phone(chromium, width, 844, lang, base_url=url)
        contexts.append(context)
        give_cookies(context, url, seat=phone.secret)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda m: errors.append(m.text) if "Content Security Policy" in m.text else None)
        page.goto(path)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not errors


@pytest.fixture
def show(table: Table) -> Shows:
    """Photograph these cards, side by side."""
    codes = codes_of(things_of(table.snapshot))

    def shown(page: Page, *cards: str, button: str = "#show-card", meanwhile: Callable[[], Any] = lambda: None) -> None:
        laid = [
            Card(codes.number(PieceTag(GAME.id, PieceId(card))), 45.0 * n, 0, 5.0 * n) for n, card in enumerate(cards)
        ]
        photo = photograph(laid, Eye(px=90, tilt=8))
        with page.expect_file_chooser() as chooser:
            page.click(button)
        meanwhile()
        chooser.value.set_files({"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": photo.jpeg})

    return shown


def test_ada_shows_a_card_and_plays_it(open_seat: Any, ada: Phone, ben: Phone, show: Shows) -> None:
    page = open_seat(ada)
    show(page, "Ace")
    page.click("#sheet button:has-text('Lay Card Ace')")
    page.wait_for_selector("#screen:has-text('1 laid')")
    assert not page.evaluate("document.getElementById('sheet').open")


def test_the_game_goes_on_while_somebody_aims(open_seat: Any, ada: Phone, ben: Phone, show: Shows) -> None:
    page = open_seat(ada)

    def act() -> None:
        ada.act({"verb": "bet", "actor": 0, "number": 1})
        page.wait_for_selector("#screen:has-text('4 chips')")

    show(page, "Ace", meanwhile=act)
    page.wait_for_selector("#sheet[open] h1:has-text('Card Ace')")


@pytest.mark.parametrize(("width", "lang"), [(390, "en"), (320, "fr")])
def test_several_cards_are_marked_on_the_photo(
    open_seat: Any, ada: Phone, ben: Phone, show: Shows, width: int, lang: str
) -> None:
    page = open_seat(ada, width, lang, "/check")
    show(page, "Ace", "Bat", button="#show-table")
    page.wait_for_selector("#sheet[open] figure canvas")
    assert page.locator("#sheet polygon").count() == 2
    assert page.locator("#sheet polygon.wrong").count() == 1
    over = "document.querySelector('#sheet').scrollWidth - document.querySelector('#sheet').clientWidth"
    assert page.evaluate(over) <= 0, "nothing hangs out at the side"
    canvas, marks = (page.locator(f"#sheet figure {part}").bounding_box() for part in ("canvas", "svg"))
    assert canvas is not None
    assert marks is not None
    assert abs(canvas["width"] - marks["width"]) < 1
    assert abs(canvas["y"] - marks["y"]) < 1


def test_what_is_no_picture_is_refused_in_words(open_seat: Any, ada: Phone, show: Shows) -> None:
    page = open_seat(ada)
    with page.expect_file_chooser() as chooser:
        page.click("#show-card")
    chooser.value.set_files({"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": b"rubbish"})
    page.wait_for_selector("#sheet[open] h1:has-text('open that picture')")


def test_an_empty_photo_says_what_to_try(open_seat: Any, ada: Phone, show: Shows) -> None:
    page = open_seat(ada)
    show(page)
    page.wait_for_selector("#sheet[open] h1:has-text('No code found')")
    page.wait_for_selector("#sheet[open] #show-again")


def test_a_table_is_laid_again_by_photos(open_seat: Any, ada: Phone, ben: Phone, show: Shows) -> None:
    for card in ("Ace", "Cog"):
        ada.act({"verb": "lay", "actor": 0, "card": card})
    page = open_seat(ada, path="/lay")
    page.wait_for_selector("#screen:has-text('2 pieces still to lay')")
    show(page, "Ace", button="#show-laid")
    page.wait_for_selector("#screen:has-text('1 piece still to lay')")
    show(page, "Cog", button="#show-laid")
    page.wait_for_selector("#screen:has-text('all there')")
