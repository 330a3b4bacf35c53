"""Every page from a small phone to a big desktop, with each font family: nothing is cut, nothing scrolls sideways."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page

from companion.app.opening import load_texts
from companion.app.plays import Records
from companion.library import SHIPPED, InBoth, OwnPacks, Tagbook, Texts, shelf
from companion.table import Doctor, Printer, Table, Updates
from tests.chromium import DEJAVU, LIBERATION, NOTO, Faces, give_cookies, new_phone
from tests.pick import GAME
from tests.web.conftest import Box, Browsers, Phone
from tests.web.draw.test_web_faces import FRAMES
from tests.web.screens.test_web_axe import ANYBODY, SEATED
from tests.web.screens.test_web_clock import sets
from tests.web.screens.test_web_moments import Led
from tests.web.screens.test_web_plays import PLAYS
from tests.web.screens.test_web_wifi import Radio
from web import create_app
from web.club import Club
from web.live.server import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDTHS = (320, 390, 820, 1280, 1920)
PAGES = (*SEATED, *ANYBODY, "/wifi", "/wifi?going=house", "/first")


@pytest.fixture
def app(table: Table, texts: Texts, box: Box, doctor: Doctor, tmp_path: Path) -> Flask:
    """A box that has everything: a pack of its own, a Wi-Fi, updates, and a demo in progress."""
    own = OwnPacks(tmp_path)
    own.copy(shelf.open("actionworks"), SHIPPED, "Ours", "Ada", InBoth("Ours.", "À nous."))
    doctor.examine()
    return create_app(
        table,
        lambda game: texts if game.id == GAME.id else load_texts(game),
        box,
        ("box.test", "localhost", "127.0.0.1"),
        tagbook=Tagbook(),
        address=lambda: "http://192.168.178.104:8000",
        packs=own,
        doctor=doctor,
        printer=Printer(lambda _asked: b"%PDF"),
        playback=Led(),
        network=Radio(),
        updates=Updates(lambda _anyway: None, lambda *_: False),
        plays=lambda: PLAYS,
        club=Club(tmp_path, table, "1.0", Records(tmp_path)),
    )


@pytest.fixture
def url(app: Flask) -> Iterator[str]:
    with WebServer(app, "127.0.0.1") as server:
        yield f"http://127.0.0.1:{server.port}"


def opened(browser: Browser, url: str, ada: Phone, lang: str) -> Page:
    context = new_phone(browser, WIDTHS[0], 900, lang)
    give_cookies(context, url, lang=lang, seat=ada.secret)
    page = context.new_page()
    page.route("**/stream*", lambda route: route.abort())  # nothing is redrawn
    return page


def cut(page: Page, width: int) -> list[str]:
    """What sticks out of its frame at this width, and the page itself if it is too wide."""
    page.set_viewport_size({"width": width, "height": 900})
    found: list[str] = page.evaluate(FRAMES) if page.locator("main").count() else []
    wide = page.evaluate("document.documentElement.scrollWidth")
    return found if wide <= width else [*found, f"{wide} wide"]


@pytest.mark.parametrize(
    ("faces", "lang", "paths"),
    [(DEJAVU, "fr", PAGES), (LIBERATION, "en", PAGES[::2]), (NOTO, "fr", PAGES[1::2])],
    ids=["widest", "liberation", "noto"],
)
def test_every_page_fits_every_screen(
    browsers: Browsers, url: str, ada: Phone, referee: Phone, faces: Faces, lang: str, paths: tuple[str, ...]
) -> None:
    """The widest font in the longer language on all of them, the others alternately."""
    assert sets(referee, "strict") == 200
    page, found = opened(browsers(faces), url, ada, lang), dict[str, list[str]]()
    for path in paths:
        page.goto(url + path)
        found |= {f"{path} at {width}": outside for width in WIDTHS if (outside := cut(page, width))}
    page.context.close()
    assert found == {}


def test_a_page_that_does_not_fit_is_caught(chromium: Browser, url: str, ada: Phone) -> None:
    page = opened(chromium, url, ada, "en")
    page.goto(url + "/update")
    page.evaluate("() => { for (const el of document.querySelectorAll('*')) el.style.whiteSpace = 'nowrap'; }")
    assert cut(page, 320) != []
    page.context.close()
