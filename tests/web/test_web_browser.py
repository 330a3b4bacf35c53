"""A real browser on a real server: phones join, play, lose the link and come back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask

from companion.table import Table
from web.server import WebServer

pytestmark = pytest.mark.browser
sync_api = pytest.importorskip("playwright.sync_api", reason="needs the dev group: pip install --group dev")


@pytest.fixture
def server(app: Flask) -> Iterator[WebServer]:
    with WebServer(app, "127.0.0.1") as server:
        yield server


@pytest.fixture
def open_page(chromium: Any, server: WebServer) -> Iterator[Callable[..., Any]]:
    """A page in a browser of its own; errors in its console fail the test."""
    contexts, errors = [], []

    def open_one(path: str, width: int = 390, height: int = 844, lang: str = "en") -> Any:
        context = chromium.new_context(viewport={"width": width, "height": height}, locale=lang)
        context.set_default_timeout(10_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda m: errors.append(m.text) if "Content Security Policy" in m.text else None)
        page.goto(f"http://127.0.0.1:{server.port}{path}")
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not errors


NEWS_CAME = """(word) => new Promise((done) => {
  const beside = new EventSource(document.body.dataset.stream);
  beside.addEventListener("fragment", (e) => { if (e.data.includes(word)) { beside.close(); setTimeout(done, 50); } });
})"""
"""Wait until the page's stream has told this; its screen may still wait for a finger."""


def sit(page: Any, seat: int, hands: Any) -> None:
    page.check(f"#seat-{seat}")
    page.click("#ask")
    page.wait_for_selector(".letters")
    hands.click("#hold-ok")
    page.wait_for_url("**/seat")
    page.wait_for_selector("h1")


def test_two_phones_and_a_pretend_table(open_page: Callable[..., Any], table: Table) -> None:
    hands = open_page("/pretend", 1280, 800)
    ada, ben = open_page("/J"), open_page("/")
    sit(ada, 0, hands)
    sit(ben, 1, hands)
    assert ada.inner_text("h1") == "Your turn, Ada"

    ada.click("button:has-text('Play Card Ace')")
    ben.wait_for_selector("text=Ada played Card Ace")
    ada.wait_for_selector("button:has-text('Card Ace')", state="detached")

    ada.fill("[data-number]", "9")
    ada.click("button:has-text('Bid')")
    ada.wait_for_selector("dialog[open] .stamp")
    assert "9 is more than your 5 Gold." in ada.inner_text("dialog")
    assert ben.locator("dialog[open]").count() == 0
    ada.click("dialog .closeb")

    ada.click("button:has-text('End the turn')")
    ben.wait_for_selector("text=Your turn, Ben")
    ada.click("details.same summary")
    ada.click("a.why >> nth=0")
    ada.wait_for_selector("dialog[open] >> text=It is the turn of Ben.")
    assert table.snapshot.state.turn == 1


def test_ok_kept_down_lets_a_phone_in(open_page: Callable[..., Any], box: Any) -> None:
    hands, ada = open_page("/pretend", 1280, 800), open_page("/?seat=0")
    ada.click("#ask")
    hands.wait_for_selector(".asks")
    hands.hover("#press-ok")
    hands.mouse.down()
    ada.wait_for_url("**/seat")
    hands.mouse.up()
    hands.wait_for_selector("#phones >> text=at the table")
    assert box.done == [("press", "ok", "True")]


def test_a_piece_is_laid_with_the_keyboard_alone(open_page: Callable[..., Any], box: Any) -> None:
    hands = open_page("/pretend", 1280, 800)
    hands.locator("#hands input[name=uid]").first.focus()
    hands.keyboard.press("Space")
    hands.locator("#reader-left").focus()
    hands.keyboard.press("Enter")
    hands.wait_for_selector(".lying")
    assert [what[0] for what in box.done] == ["lay"]
    assert hands.locator("#hands input[name=uid]:checked").count() == 1, "the choice outlives the update"
    assert hands.evaluate("() => document.activeElement.id") == "reader-left", "so does the focus"


def test_a_piece_is_carried_to_a_reader(open_page: Callable[..., Any], box: Any) -> None:
    hands = open_page("/pretend", 1280, 800)
    hands.locator("#heap-hand-0 .pc").first.drag_to(hands.locator("#reader-right"))
    hands.wait_for_selector(".lying")
    assert box.done[0][0] == "lay"
    assert box.done[0][2] == "right"


def test_a_double_tap_acts_once(open_page: Callable[..., Any], table: Table) -> None:
    hands, ada = open_page("/pretend", 1280, 800), open_page("/")
    sit(ada, 0, hands)
    before = table.snapshot.seq
    ada.dblclick("button:has-text('Play Card Ace')")
    ada.wait_for_selector("button:has-text('Card Ace')", state="detached")
    assert table.snapshot.seq == before + 1


def test_news_that_waited_for_a_key_never_hides_newer_news(open_page: Callable[..., Any], ada: Any) -> None:
    watcher = open_page("/watch")
    watcher.evaluate("() => dispatchEvent(new Event('keydown'))")
    ada.act({"verb": "play", "actor": 0, "card": "Ace"})
    watcher.evaluate(NEWS_CAME, "Ace")
    watcher.evaluate(
        """() => {
          const real = setTimeout;
          window.setTimeout = (fn) => { window.lifted = fn; };
          dispatchEvent(new Event("keyup"));
          window.setTimeout = real;
        }"""
    )
    ada.act({"verb": "play", "actor": 0, "card": "Cog"})
    watcher.evaluate(NEWS_CAME, "Cog")
    watcher.evaluate("() => window.lifted()")
    assert "Ada played Card Cog" in watcher.inner_text("#screen")


def test_a_lost_link_is_said_within_two_seconds_and_heals(
    open_page: Callable[..., Any], server: WebServer, app: Flask
) -> None:
    page = open_page("/watch")
    page.wait_for_selector("#stale", state="hidden")
    port = server.port
    server.close()
    page.wait_for_selector("#stale", state="visible", timeout=2_500)
    with WebServer(app, "127.0.0.1", port):
        page.wait_for_selector("#stale", state="hidden")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_nothing_scrolls_sideways_and_targets_are_large(open_page: Callable[..., Any], lang: str) -> None:
    page = open_page("/", 320, 640, lang)
    base = page.url.rstrip("/")
    for path in ("/", "/watch", "/table", "/table?form=list", "/history", "/more", "/rules", "/check", "/pretend"):
        page.goto(base + path)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 320, path
        small = page.evaluate(
            "() => [...document.querySelectorAll('.btn, .tabs a, .seg a, .cap, .tg, .why, .closeb')]"
            ".filter((el) => el.offsetHeight && el.offsetHeight < 48).map((el) => el.outerHTML)"
        )
        assert not small, path


def test_pages_are_small(open_page: Callable[..., Any]) -> None:
    sizes: list[int] = []
    page = open_page("/more")
    page.on("response", lambda r: sizes.append(len(r.body())) if re.search(r"\.(css|js)$", r.url) else None)
    page.goto(page.url.replace("/more", "/watch"))
    page.wait_for_selector("h1")
    assert sum(sizes) < 60_000


def test_a_line_is_followed_and_the_picture_is_zoomed_and_moved_by_buttons(open_page: Callable[..., Any]) -> None:
    page = open_page("/table")
    assert page.locator(".trace-0").is_hidden()
    page.get_by_role("radio", name="none").press("ArrowRight")
    page.wait_for_selector(".trace-0", state="visible")
    assert page.locator(".moves").is_hidden()
    page.get_by_role("radio", name="2×").check()
    pans = page.locator("#pans")
    assert pans.evaluate("el => el.scrollWidth > el.clientWidth")
    page.get_by_role("button", name="right").click()
    assert pans.evaluate("el => el.scrollLeft") > 0
    page.get_by_role("button", name="left").click()
    assert pans.evaluate("el => el.scrollLeft") == 0
