"""Phones have all kinds of fonts: with each of them, text stays in its frames on the pages of every game."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import TypeVar

import pytest
from playwright.sync_api import Browser, Page

from companion.app.kit.kit import kit_of
from companion.app.opening import load_texts
from companion.box import Box
from companion.core import SeatId
from companion.journal import Journal
from companion.library import Tagbook, shelf
from companion.table import Chair, Desk, Referee, Table
from tests.chromium import FAMILIES, LIBERATION, Faces, give_cookies, new_phone
from tests.web.conftest import Browsers
from tests.web.draw.test_web_drawing import OUTSIDE
from web import create_app
from web.door import key_of
from web.live.server import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]

T = TypeVar("T")
WIDTH, ACTS = 360, 60
PEOPLE = ("Ada", "Ben", "Marie-Antoinette Wilhelm", "Dan", "Eve", "Félix", "Gwen", "Hugo")
PAGES = ("/seat", "/table", "/check", "/more")
FRAMES = """() => {
  const found = [], words = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const isFrame = (el) => el.matches('main, .flag') || parseFloat(getComputedStyle(el).borderLeftWidth) > 0;
  while (words.nextNode()) {
    const text = words.currentNode, range = document.createRange();
    if (!text.data.trim() || text.parentElement.closest('svg, .quiet, option')) continue;
    let frame = text.parentElement;
    while (!isFrame(frame)) frame = frame.parentElement;
    const room = frame.getBoundingClientRect();
    range.selectNodeContents(text);
    const lines = [...range.getClientRects()].filter((line) => line.width);
    if (lines.some((line) => line.left < room.left - 1 || line.right > room.right + 1)) found.push(text.data);
  }
  return found;
}"""
"""Text that sticks out of the nearest border around it, or out of the page."""
BARS = OUTSIDE.replace(".picture :is(.card, .zone, .spot) > text", ".parts text")


@pytest.fixture(scope="module", params=shelf.games())
def evening(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A full table in mid-game; its address."""
    kit, chance = kit_of(request.param), random.Random(5)
    people = PEOPLE[: kit.game.seats[1]]
    with Journal.open(tmp_path_factory.mktemp("faces") / "games.journal") as journal:
        clock = itertools.count(1000.0).__next__
        referee = Referee.begin(kit.game, kit.setup(len(people)), people, "strict", journal, clock)
        for seat, name in enumerate(people):
            referee.seat(SeatId(seat), Chair(name, key_of(f"phone-{seat}")), None)
        for _ in range(ACTS):
            referee.act(kit.sensible_pick(referee.at.state, chance), None, on_box=True)
        table = Table(Desk(referee, Tagbook(), Box(), None))
        table.start()
        with WebServer(create_app(table, load_texts, None, ("127.0.0.1",)), "127.0.0.1") as server:
            yield f"http://127.0.0.1:{server.port}"
        table.stop()


def seated(browser: Browser, url: str, lang: str) -> Page:
    """The phone of the seat with the longest name."""
    context = new_phone(browser, WIDTH, 1200, lang)
    give_cookies(context, url, lang=lang, seat="phone-2")
    return context.new_page()


def outside(page: Page) -> list[str]:
    """What leaves its frame, in text and in drawings, or makes the page wider than the phone."""
    found: list[str] = [words for measured in (FRAMES, OUTSIDE, BARS) for words in page.evaluate(measured)]
    wide = page.evaluate("document.documentElement.scrollWidth")
    return found if wide <= WIDTH else [*found, f"{wide} wide"]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("faces", FAMILIES, ids=lambda faces: faces.folder)
def test_every_word_stays_in_its_frame(browsers: Browsers, evening: str, lang: str, faces: Faces) -> None:
    page = seated(browsers(faces), evening, lang)
    found = {}
    for path in PAGES:
        page.goto(evening + path)
        found[path] = outside(page)
    assert not any(found.values()), found
    page.context.close()


WIDTHS = (320, 390, 820, 1280, 1920)


def by_language(faces: Faces, sizes: tuple[T, ...]) -> Iterator[tuple[str, tuple[T, ...]]]:
    """Each size in one of the two languages; with another family of fonts it is the other one's turn."""
    begin = FAMILIES.index(faces)
    for n, lang in enumerate(("en", "fr")):
        yield lang, sizes[(begin + n) % 2 :: 2]


@pytest.mark.parametrize("faces", FAMILIES, ids=lambda faces: faces.folder)
def test_the_seat_with_its_table_stays_in_its_frame_on_every_width(
    browsers: Browsers, evening: str, faces: Faces
) -> None:
    """Of an awaited seat, so that the table is drawn on its page."""
    found = {}
    for lang, widths in by_language(faces, WIDTHS):
        context = new_phone(browsers(faces), 390, 900, lang)
        page = context.new_page()
        for seat in range(len(PEOPLE)):
            give_cookies(context, evening, lang=lang, seat=f"phone-{seat}")
            page.goto(evening + "/seat")
            if page.locator(".touchable").count():
                break
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(evening + "/seat")
            if width >= 900:
                page.locator(".touchable").wait_for()
            sides = page.evaluate("document.documentElement.scrollWidth")
            found[lang, width] = [*page.evaluate(FRAMES), *page.evaluate(OUTSIDE), *([sides] if sides > width else [])]
        context.close()
    assert not any(found.values()), found


SPLIT = """() => [...document.querySelectorAll('.slot i, .slot em, .ledger td')].flatMap((el) => {
  const found = [], words = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) for (const { 0: word, index } of words.currentNode.data.matchAll(/[^\\s-]+/g)) {
    const range = document.createRange();
    range.setStart(words.currentNode, index);
    range.setEnd(words.currentNode, index + word.length);
    if (new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size > 1) found.push(word);
  }
  return found;
})"""
"""Words and numbers that go on in another line, as nobody writes them."""


@pytest.mark.parametrize("faces", FAMILIES, ids=lambda faces: faces.folder)
def test_no_word_of_a_card_and_no_price_is_split_on_a_small_phone(
    browsers: Browsers, evening: str, faces: Faces
) -> None:
    page = seated(browsers(faces), evening, "fr")
    page.set_viewport_size({"width": 320, "height": 568})
    for path in ("/seat", "/check"):
        page.goto(evening + path)
        assert page.evaluate(SPLIT) == [], path
    page.context.close()


STRETCHED = """() => [...document.querySelectorAll('.picture text[textLength]')].filter((text) => {
  const told = text.getAttribute('textLength');
  text.removeAttribute('textLength');
  const own = text.getComputedTextLength();
  text.setAttribute('textLength', told);
  return own > 0 && own < Number(told) - 0.1;
}).map((text) => text.textContent)"""
"""Words of a drawing that are drawn wider than the letters of the phone are."""


def test_words_of_a_drawing_are_never_stretched(browsers: Browsers, evening: str) -> None:
    page = seated(browsers(LIBERATION), evening, "en")
    for path in ("/table", "/tv"):
        page.goto(evening + path)
        page.locator("text[data-fits]").first.wait_for(state="attached")
        assert page.evaluate(STRETCHED) == [], path
    for text in page.locator(".picture text").all():
        text.evaluate("(text) => text.setAttribute('textLength', 400)")
    assert page.evaluate(STRETCHED) != [], "words that are stretched are caught"
    page.context.close()


def test_words_that_never_break_a_line_are_caught(chromium: Browser, evening: str) -> None:
    page = seated(chromium, evening, "en")
    page.route("**/stream*", lambda route: route.abort())  # nothing is redrawn
    page.goto(evening + "/seat")
    page.evaluate("() => { for (const el of document.querySelectorAll('*')) el.style.whiteSpace = 'nowrap'; }")
    assert page.evaluate(FRAMES) != []
    page.context.close()


SCREENS = ((1920, 1080), (1024, 768), (820, 1180))
CUT = """() => [...document.querySelectorAll('html, .wall, .call, .drawn, .side, .seats, .seats .card, .join')]
  .filter((el) => el.scrollHeight > el.clientHeight + 1 || el.scrollWidth > el.clientWidth + 1)
  .map((el) => `${el.className || el.tagName}: ${el.scrollHeight} in ${el.clientHeight}`)"""
"""The parts of the big screen with more in them than they show: nobody scrolls there."""
DRAWN = "document.querySelector('.drawn').getBoundingClientRect().height / innerHeight"
LEAST = 0.3
"""The least share of the big screen's height that the drawn table has."""


@pytest.mark.parametrize("faces", FAMILIES, ids=lambda faces: faces.folder)
def test_the_big_screen_shows_all_of_it(browsers: Browsers, evening: str, faces: Faces) -> None:
    for lang, screens in by_language(faces, SCREENS):
        for width, height in screens:
            page = new_phone(browsers(faces), width, height, lang).new_page()
            page.goto(evening + "/tv")
            assert page.evaluate(CUT) == [], (width, height, lang)
            assert page.evaluate(OUTSIDE) == []
            assert page.evaluate(DRAWN) >= LEAST, (width, height, lang)
            page.context.close()


def test_a_big_screen_with_letters_too_large_is_caught(chromium: Browser, evening: str) -> None:
    page = new_phone(chromium, 1920, 1080).new_page()
    page.goto(evening + "/tv")
    page.evaluate("() => document.body.style.setProperty('--u', '40px')")
    assert page.evaluate(CUT) != []
    page.context.close()


def drawn_with(page: Page, selector: str) -> set[str]:
    """The font families that the browser used for a thing's text."""
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    return {font["familyName"] for font in session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]}


@pytest.mark.parametrize("faces", FAMILIES, ids=lambda faces: faces.folder)
def test_a_browser_has_only_the_faces_it_was_given(browsers: Browsers, faces: Faces) -> None:
    page = new_phone(browsers(faces)).new_page()
    page.set_content("<p style='font-family: serif'>Ada</p><code>Ben</code>")
    assert drawn_with(page, "p") == {faces.serif}
    assert drawn_with(page, "code") == {faces.typewriter}
    page.context.close()
