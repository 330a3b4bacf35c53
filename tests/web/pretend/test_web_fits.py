"""The drawn pretend table on every screen and with every font: nothing is cut, nothing scrolls that shouldn't."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from companion.app.kit.kit import kit_of
from companion.app.opening import load_texts
from companion.box import stack
from companion.journal import Journal
from companion.library import Tagbook, shelf
from companion.table import Desk, Referee, Table
from tests.chromium import DEJAVU, LIBERATION, NOTO, Faces, give_cookies, new_phone
from tests.web.conftest import Box, Browsers, violations
from tests.web.draw.test_web_drawing import OUTSIDE
from tests.web.draw.test_web_faces import FRAMES
from web import create_app
from web.live.server import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PEOPLE, ACTS = ("Ada", "Ben", "Marie-Antoinette Wilhelm"), 60
SCREENS = (
    (DEJAVU, ((320, 640, "fr"), (1280, 800, "en"), (1920, 1080, "fr"))),
    (LIBERATION, ((390, 844, "en"), (1280, 800, "fr"))),
    (NOTO, ((320, 640, "en"), (820, 1180, "fr"), (1280, 800, "fr"))),
)
DESK = 1280
SCROLLS = """() => { const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
  return [scrollWidth > clientWidth, scrollHeight > clientHeight]; }"""


@pytest.fixture(scope="module", params=shelf.games())
def evening(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Three people in mid-game at the pretend table; its address."""
    kit, chance = kit_of(request.param), random.Random(5)
    with Journal.open(tmp_path_factory.mktemp("fits") / "games.journal") as journal:
        clock = itertools.count(1000.0).__next__
        referee = Referee.begin(kit.game, kit.setup(len(PEOPLE)), PEOPLE, "strict", journal, clock)
        for _ in range(ACTS):
            referee.act(kit.sensible_pick(referee.at.state, chance), None, on_box=True)
        table = Table(Desk(referee, Tagbook(), stack.Box(), None))
        table.start()
        app = create_app(table, load_texts, Box(table), ("127.0.0.1",), address=lambda: "http://192.168.178.104:8000")
        with WebServer(app, "127.0.0.1") as server:
            yield f"http://127.0.0.1:{server.port}"
        table.stop()


@pytest.mark.parametrize(("faces", "screens"), SCREENS, ids=lambda given: getattr(given, "folder", ""))
def test_one_screen_shows_the_whole_table(
    browsers: Browsers, evening: str, faces: Faces, screens: tuple[tuple[int, int, str], ...]
) -> None:
    for width, height, lang in screens:
        page = new_phone(browsers(faces), width, height, lang).new_page()
        page.goto(evening + "/pretend")
        wide, high = page.evaluate(SCROLLS)
        assert not wide, (width, lang)
        assert width < DESK or not high, (width, lang)
        assert page.evaluate(FRAMES) == [], (width, lang)
        assert page.evaluate(OUTSIDE) == [], (width, lang)
        page.context.close()


def test_letters_that_are_too_large_are_caught(chromium: Browser, evening: str) -> None:
    """The control."""
    page = new_phone(chromium, 390, 844).new_page()
    page.route("**/stream*", lambda route: route.abort())  # nothing is redrawn
    page.goto(evening + "/pretend")
    page.evaluate("() => { for (const el of document.querySelectorAll('*')) el.style.whiteSpace = 'nowrap'; }")
    assert page.evaluate(FRAMES) != [] or page.evaluate(SCROLLS)[0]
    page.context.close()


ENDS = """(scrolls) => {
  const el = scrolls === "window" ? document.scrollingElement : document.querySelector(scrolls);
  return el.scrollHeight > el.clientHeight && el.scrollTop + el.clientHeight >= el.scrollHeight - 1;
}"""


@pytest.mark.parametrize(("width", "height", "scrolls"), [(390, 844, "window"), (1280, 800, ".leaves.tall")])
def test_what_is_held_at_the_edge_scrolls_the_picture(
    chromium: Browser, evening: str, width: int, height: int, scrolls: str
) -> None:
    """A place out of sight can be dragged to; a picture that is entirely visible doesn't scroll."""
    page = new_phone(chromium, width, height).new_page()
    page.goto(evening + "/pretend")
    pane = page.locator("body" if scrolls == "window" else scrolls)
    if pane.count():
        page.locator("[data-uid][data-token]:visible").first.hover()
        page.mouse.down()
        room = pane.bounding_box()
        assert room is not None
        page.mouse.move(room["x"] + room["width"] / 2, min(room["y"] + room["height"], height) - 4, steps=3)
        page.wait_for_function(ENDS, arg=scrolls)
        page.keyboard.press("Escape")
        page.mouse.up()
    page.context.close()


def test_axe_finds_nothing_while_a_piece_is_held(chromium: Browser, evening: str, axe: str) -> None:
    context = new_phone(chromium, DESK, 800, bypass_csp=True)
    give_cookies(context, evening, lang="fr", theme="dark")
    page = context.new_page()
    page.add_init_script(axe)
    page.goto(evening + "/pretend")
    page.locator("[data-uid][data-token]:visible").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".holding #told:not(:empty)")
    assert violations(page) == []
    context.close()
