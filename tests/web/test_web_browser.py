"""A real browser on a real server: phones join, play, lose the connection and come back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, Route

from companion.app.updating import GIVEN, UPDATE
from companion.table import Progress, Table, Updates
from tests.chromium import give_cookies, new_phone
from tests.web.conftest import Box, Phone
from web.live.server import WebServer

pytestmark = pytest.mark.browser


@pytest.fixture
def server(app: Flask) -> Iterator[WebServer]:
    with WebServer(app, "127.0.0.1") as server:
        yield server


class OpenPage(Protocol):
    def __call__(
        self, path: str = "", width: int = 390, height: int = 844, *, lang: str = "en", phone: Phone | None = None
    ) -> Page: ...


EARS = """
  window.EventSource = class extends EventSource {
    constructor(...given) {
      super(...given);
      this.addEventListener("fragment", (e) => { (window.heard ??= []).push(e.data); });
    }
  };
"""


@pytest.fixture
def open_page(chromium: Browser, server: WebServer) -> Iterator[OpenPage]:
    """A page in a separate browser, as a seat's phone if told so; errors in its console fail the test."""
    contexts, errors = [], list[str]()

    def open_one(
        path: str = "", width: int = 390, height: int = 844, *, lang: str = "en", phone: Phone | None = None
    ) -> Page:
        url = f"http://127.0.0.1:{server.port}"
        context = new_phone(chromium, width, height, lang, base_url=url)
        contexts.append(context)
        if phone is not None:
            give_cookies(context, url, seat=phone.secret)
        context.add_init_script(EARS)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda m: errors.append(m.text) if "Content Security Policy" in m.text else None)
        if path:
            page.goto(path)
        return page

    yield open_one
    for context in contexts:
        context.unroute_all(behavior="wait")
        context.close()
    assert not errors


def hear(page: Page, word: str = "") -> None:
    """Wait until the page's own stream has sent this; its screen may still be waiting for a finger."""
    page.wait_for_function("(word) => window.heard?.some((told) => told.includes(word))", arg=word)


def hold_in(held: list[Route]) -> Callable[[Route], None]:
    """A request goes no further until the test lets it."""

    def hold(route: Route) -> None:
        held.append(route)

    return hold


def turn(page: Page, width: int, height: int) -> None:
    """Rotate the phone, and wait until the page knows."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("(width) => innerWidth === width", arg=width)


SCROLLED = """(to) => new Promise((done) => {
  addEventListener("scroll", done, { once: true });
  document.querySelector(to).scrollIntoView();
})"""
"""Scroll there and wait until the page has noticed: it hears in the next frame, after whatever rotates the phone."""
A_WHILE = "() => new Promise((done) => setTimeout(done, 150))"
"""Long enough for a broken page to show it; a correct one needs no time."""


def sit(page: Page, seat: int, hands: Page) -> None:
    page.check(f"#seat-{seat}")
    page.click("#ask")
    page.wait_for_selector(".letters")
    hands.click("#hold-ok")
    page.wait_for_url("**/seat")
    page.wait_for_selector("h1")


def test_two_phones_and_a_pretend_table(open_page: OpenPage, table: Table) -> None:
    hands = open_page("/pretend", 1280, 800)
    ada, ben = open_page("/J"), open_page("/")
    sit(ada, 0, hands)
    sit(ben, 1, hands)
    assert ada.inner_text("h1") == "Your turn, Ada"

    ada.click("button:has-text('Lay Card Ace')")
    ben.wait_for_selector("text=Ada laid Card Ace")
    ada.wait_for_selector("button:has-text('Card Ace')", state="detached")

    ada.fill("[data-number]", "9")
    ada.click("button:has-text('Bet')")
    ada.wait_for_selector("dialog[open] .stamp")
    assert "9 is more than your 5 chips." in ada.inner_text("dialog")
    assert ben.locator("dialog[open]").count() == 0
    ada.click("dialog .closeb")

    ada.click("button:has-text('Pass')")
    ben.wait_for_selector("text=Your turn, Ben")
    ada.wait_for_selector("h1:has-text('Ben’s turn')")
    ada.click("details.same summary")
    ada.click("a.why >> nth=0")
    ada.wait_for_selector("dialog[open] >> text=It is the turn of Ben.")
    assert table.snapshot.state.turn == 1


def test_ok_kept_down_lets_a_phone_in(open_page: OpenPage, box: Box) -> None:
    hands, ada = open_page("/pretend", 1280, 800), open_page("/?seat=0")
    ada.click("#ask")
    hands.wait_for_selector(".asks")
    hands.hover("#press-ok")
    hands.mouse.down()
    ada.wait_for_url("**/seat")
    hands.mouse.up()
    hands.wait_for_selector("#phones >> text=at the table")
    assert box.done == [("press", "ok", "True")]


def test_a_piece_is_laid_with_the_keyboard_alone(open_page: OpenPage, box: Box) -> None:
    hands = open_page("/pretend", 1280, 800)
    hands.locator(".loose .pc").first.focus()
    hands.keyboard.press("Enter")
    hands.wait_for_selector(".rd.lit .lay-here:focus")
    hands.keyboard.press("Escape")
    hands.wait_for_selector(".loose .pc:focus")
    assert hands.locator(".held, .lit").count() == 0, "put back"
    hands.keyboard.press("Enter")
    hands.wait_for_selector(".rd.lit .lay-here:focus")
    hands.keyboard.press("Enter")
    hands.wait_for_selector(".lying")
    assert [what[0] for what in box.done] == ["lay"]
    assert hands.evaluate("() => document.activeElement.id") == "reader-left", "the focus outlives the update"


def test_a_piece_is_carried_to_a_reader(open_page: OpenPage, box: Box) -> None:
    hands = open_page("/pretend", 1280, 800)
    hands.locator(".loose .pc").first.drag_to(hands.locator("#reader-right"))
    hands.wait_for_selector(".lying")
    assert box.done[0][0] == "lay"
    assert box.done[0][2] == "right"


def test_a_piece_that_is_carried_stays_in_the_hand_whatever_comes(open_page: OpenPage, box: Box, ada: Phone) -> None:
    """News waits until the piece is down, and appears then."""
    hands = open_page("/pretend", 1280, 800)
    hands.click("#heap-hand-1 summary")
    hands.locator("#heap-hand-1 .pc").first.hover()
    hands.mouse.down()
    hands.locator("#reader-left").hover()
    ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
    hear(hands, "Ace")
    hands.evaluate(A_WHILE)
    assert hands.locator("#heap-open").count() == 0, "nothing is drawn anew under the hand"
    hands.locator("#reader-right").hover()
    hands.mouse.up()
    hands.wait_for_selector(".lying")
    assert [done[::2] for done in box.done] == [("lay", "right")]
    hands.wait_for_selector("#heap-open")


def test_an_open_heap_makes_way_for_what_is_carried(open_page: OpenPage) -> None:
    hands = open_page("/pretend", 1280, 800)
    hands.click("#heap-hand-1 summary")
    hands.locator("#heap-hand-1 .pc").first.hover()
    hands.mouse.down()
    hands.locator("#reader-left").hover()
    hands.wait_for_selector("#heap-hand-1:not([open])")
    hands.mouse.up()


def test_a_piece_that_is_dropped_on_nothing_is_put_back(open_page: OpenPage, box: Box) -> None:
    hands = open_page("/pretend", 1280, 800)
    hands.locator(".loose .pc").first.drag_to(hands.locator(".ann"))
    hands.wait_for_selector("#told >> text=Put back.")
    assert not box.done
    assert hands.locator(".held, .lit, .ghost").count() == 0


def test_who_looks_at_a_place_that_stays_dark_hears_why(open_page: OpenPage, box: Box) -> None:
    """Two clicks do what a drag does; the box is asked nothing until something is dropped."""
    hands = open_page("/pretend", 1280, 800)
    hands.click("#heap-hand-1 summary")
    hands.locator("#heap-hand-1 .pc").first.click()
    hands.wait_for_selector("#told >> text=it can’t go anywhere")
    hands.locator(".th").first.hover(position={"x": 4, "y": 4})
    hands.wait_for_selector("#told >> text=is not in your hand")
    assert not box.done
    with hands.expect_response("**/pretend/drop"):
        hands.locator(".th").first.click(position={"x": 4, "y": 4})
    hands.wait_for_function("() => !document.body.classList.contains('holding')")
    assert box.done == [("tap", "piece:Bat")], "the box says its real NO"


def test_a_double_tap_acts_once(open_page: OpenPage, table: Table) -> None:
    hands, ada = open_page("/pretend", 1280, 800), open_page("/")
    sit(ada, 0, hands)
    before = table.snapshot.seq
    ada.dblclick("button:has-text('Lay Card Ace')")
    ada.wait_for_selector("button:has-text('Card Ace')", state="detached")
    assert table.snapshot.seq == before + 1


def test_a_second_tap_is_not_for_what_came_under_the_finger(open_page: OpenPage, ada: Phone, table: Table) -> None:
    """The screen was redrawn between the two: the next card is where the first was."""
    page = open_page("/seat", phone=ada)
    page.hover("button:has-text('Lay Card Ace')")
    page.mouse.down()
    page.mouse.up()
    page.wait_for_selector("button:has-text('Card Ace')", state="detached")
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.evaluate(A_WHILE)
    assert table.snapshot.state.open == ("Ace",)
    page.click("button:has-text('Lay Card Cog')")
    page.wait_for_selector("button:has-text('Card Cog')", state="detached")
    assert table.snapshot.state.open == ("Ace", "Cog")


def test_words_that_come_while_a_finger_is_down_do_not_swallow_its_click(
    open_page: OpenPage, ada: Phone, table: Table
) -> None:
    page, held = open_page("/seat", phone=ada), list[Route]()
    page.route("**/words*", hold_in(held), times=1)
    with page.expect_request("**/words*"):
        page.get_by_role("button", name="One more").click()
    page.hover("button:has-text('Bet')")
    page.mouse.down()
    with page.expect_response("**/words*") as words:
        held[0].continue_()
    words.value.finished()
    page.evaluate(A_WHILE)
    page.mouse.up()
    page.wait_for_selector("text=3 chips")
    assert table.snapshot.state.chips[0] == 3


def test_a_wish_that_did_not_get_there_in_time_is_sent_again(open_page: OpenPage, ada: Phone, table: Table) -> None:
    """A slow Wi-Fi: the box gave up waiting for the rest of it and answers with a bare status."""
    page, tries = open_page("/seat", phone=ada), list[str]()

    def first_is_late(route: Route) -> None:
        tries.append(json.loads(route.request.post_data or "")["command"])
        if len(tries) == 1:
            route.fulfill(status=408, headers={}, body="")
        else:
            route.continue_()

    page.route("**/command", first_is_late)
    before = table.snapshot.seq
    page.click("button:has-text('Lay Card Ace')")
    page.wait_for_selector("button:has-text('Card Ace')", state="detached")
    assert table.snapshot.seq == before + 1
    assert tries == [tries[0]] * 2, "the same wish, with the same id"


def test_news_that_waited_for_a_key_never_hides_newer_news(open_page: OpenPage, ada: Phone) -> None:
    watcher = open_page("/watch")
    watcher.evaluate("() => dispatchEvent(new Event('keydown'))")
    ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
    hear(watcher, "Ace")
    watcher.evaluate(
        """() => {
          const real = setTimeout;
          window.setTimeout = (fn) => { window.lifted = fn; };
          dispatchEvent(new Event("keyup"));
          window.setTimeout = real;
        }"""
    )
    ada.act({"verb": "lay", "actor": 0, "card": "Cog"})
    hear(watcher, "Cog")
    watcher.evaluate("() => window.lifted()")
    assert "Ada laid Card Cog" in watcher.inner_text("#screen")


def told(page: Page, words: str) -> None:
    """Wait until a button begins with these words, and no others are on their way to it."""
    ready = "[...document.querySelectorAll('button:not([aria-busy])')]"
    page.wait_for_function(f"(words) => {ready}.some((b) => b.innerText.startsWith(words))", arg=words)


def test_a_number_and_its_button_say_the_same_whatever_happens_meanwhile(
    open_page: OpenPage, ada: Phone, ben: Phone, table: Table
) -> None:
    page = open_page("/seat", phone=ada)
    for _ in range(2):
        page.get_by_role("button", name="One more").click()
    told(page, "Bet 3")
    assert page.input_value("[data-number]") == "3"
    ben.act({"verb": "set-chips", "actor": 1, "seat": 1, "number": 8})
    page.wait_for_selector("#news >> text=Ben has 8 chips")
    told(page, "Bet 3")
    assert page.input_value("[data-number]") == "3", "what was chosen outlives the news"
    page.fill("[data-number]", "9")
    told(page, "Bet 9")
    assert "9 is more than your 5 chips." in page.inner_text("form:has([data-number])")
    page.fill("[data-number]", "4")
    told(page, "Bet 4")
    page.click("button:has-text('Bet 4')")
    page.wait_for_selector("text=1 chips")
    assert table.snapshot.state.chips == (1, 8)


def test_a_correction_says_who_and_what_and_is_asked_for_once_more(
    open_page: OpenPage, ada: Phone, ben: Phone, table: Table
) -> None:
    page, bens = open_page("/corrections", phone=ada), open_page("/rules", phone=ben)
    page.click("#fold-set-chips summary")
    page.click("#fix-set-chips-1")
    page.wait_for_selector("#fix[disabled]")
    page.get_by_role("button", name="One less").click()
    told(page, "Ben has 4 chips")
    page.click("#fix")
    page.wait_for_selector("dialog >> text=Fix this?")
    assert page.inner_text("dialog .what").split("\n") == ["Ben has 4 chips", "5 → 4"]
    assert table.snapshot.state.chips == (5, 5), "nothing is done before Yes"
    page.click("dialog [data-yes]")
    for other in (page, bens):
        other.wait_for_selector("#news >> text=Ben has 4 chips · 5 → 4")
    assert table.snapshot.state.chips == (5, 4)


def test_a_file_larger_than_one_body_is_sent_in_parts(
    open_page: OpenPage, referee: Phone, updates: Updates, tmp_path: Path
) -> None:
    """The page is drawn anew meanwhile, and the file that was chosen stays chosen."""
    package = bytes(range(256)) * 4096 * 2 + b"the end"
    page = open_page("/update", phone=referee)
    page.set_input_files("#update-file", {"name": "companion.deb", "mimeType": "", "buffer": package})
    updates.now = Progress("failed", why="hung")
    referee.table.trouble("update", updates.now.alarm)
    page.get_by_text("The new version hung.").first.wait_for()
    page.click("#update-send")
    page.wait_for_url("**/update")
    page.wait_for_function("() => !document.querySelector('#update-send')?.hasAttribute('aria-busy')")
    assert (tmp_path / GIVEN).read_bytes() == package
    assert (tmp_path / UPDATE).read_text() == ""


def test_a_lost_link_is_said_within_two_seconds_and_heals(open_page: OpenPage, server: WebServer, app: Flask) -> None:
    page = open_page("/watch")
    page.clock.install()  # the page's own seconds, whatever this machine makes of them
    page.reload()
    hear(page)
    port = server.port
    server.close()
    page.clock.run_for(2_000)
    assert page.is_visible("#stale")
    with WebServer(app, "127.0.0.1", port):
        page.wait_for_selector("#stale", state="hidden")


def test_nothing_moves_when_the_link_is_lost(open_page: OpenPage, server: WebServer) -> None:
    page = open_page("/watch")
    page.wait_for_selector("#stale", state="hidden")
    place = "() => document.querySelector('h1').getBoundingClientRect().top"
    before = page.evaluate(place)
    server.close()
    page.wait_for_selector("#stale", state="visible")
    assert page.evaluate(place) == before


def test_a_link_that_is_never_made_is_made_anew(open_page: OpenPage, ada: Phone) -> None:
    """A phone that wakes before its Wi-Fi does: what it then asks for is neither refused nor answered."""
    page = open_page(phone=ada)
    held: list[Route] = []

    def hang_once(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route("**/stream*", hang_once)
    page.goto("/seat")
    page.wait_for_selector("#stale", state="visible")
    ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
    assert held, "its stream hangs"
    page.wait_for_selector("button:has-text('Card Ace')", state="detached")
    page.wait_for_selector("#stale", state="hidden")
    held[0].abort()


def test_a_phone_that_slept_shows_how_things_stand_when_it_wakes(
    open_page: OpenPage, ada: Phone, server: WebServer, app: Flask
) -> None:
    """It was put away with a finger on it, and the box was restarted meanwhile."""
    page = open_page("/seat", phone=ada)
    page.wait_for_selector("button:has-text('Card Ace')")
    page.evaluate("() => { window.same = true; dispatchEvent(new Event('pointerdown')); }")
    port = server.port
    server.close()
    page.wait_for_selector("#stale", state="visible")
    ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
    with WebServer(app, "127.0.0.1", port):
        page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_selector("button:has-text('Card Ace')", state="detached")
        page.wait_for_selector("#stale", state="hidden")
        assert page.evaluate("() => window.same"), "without being loaded again"
        assert page.url.endswith("/seat")


def test_what_the_page_brought_is_not_drawn_anew(open_page: OpenPage, ada: Phone) -> None:
    """The stream begins by sending the whole screen; somebody already reading there keeps the place."""
    page = open_page("/rules")
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => { document.getElementById('screen').brought = true; })"
    )
    page.reload()
    hear(page)
    assert page.evaluate("() => document.getElementById('screen').brought")
    page.goto("/watch")
    ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
    page.wait_for_selector("text=Ada laid Card Ace")
    assert not page.evaluate("() => document.getElementById('screen').brought"), "what is new is"


def test_turning_the_phone_keeps_the_place_and_what_was_chosen(open_page: OpenPage, ada: Phone) -> None:
    page = open_page("/seat", phone=ada)
    page.get_by_role("button", name="One more").click()
    told(page, "Bet 2")
    for width, height in ((844, 390), (390, 844)):
        turn(page, width, height)
        assert page.input_value("[data-number]") == "2"
        told(page, "Bet 2")
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    rules = open_page("/rules", phone=ada)
    rules.evaluate(SCROLLED, "#rule-C2")
    place = "() => document.querySelector('#rule-C2').getBoundingClientRect().top"
    before = rules.evaluate(place)
    for width, height in ((844, 390), (390, 844)):
        turn(rules, width, height)
        rules.wait_for_function(f"() => Math.abs(({place})() - {before}) < 40")


def test_turning_the_phone_keeps_the_place_on_a_screen_that_was_drawn_anew(open_page: OpenPage, ada: Phone) -> None:
    page = open_page(phone=ada)
    held: list[Route] = []
    page.route("**/stream*", hold_in(held), times=1)
    with page.expect_request("**/stream*"):
        page.goto("/rules")
    page.evaluate(SCROLLED, "#rule-C2")
    page.evaluate("() => { document.getElementById('screen').dataset.older = 'yes'; }")
    held[0].continue_()
    page.wait_for_selector("#screen:not([data-older])")
    turn(page, 844, 390)
    page.wait_for_function("() => Math.abs(document.querySelector('#rule-C2').getBoundingClientRect().top) < 30")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_nothing_scrolls_sideways_and_targets_are_large(open_page: OpenPage, lang: str) -> None:
    page = open_page("/", 320, 640, lang=lang)
    for path in ("/", "/watch", "/table", "/table?form=list", "/history", "/more", "/rules", "/check", "/pretend"):
        page.goto(path)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 320, path
        small = page.evaluate(
            "() => [...document.querySelectorAll('.btn, .tabs a, .seg a, .cap, .tg, .why, .closeb')]"
            ".filter((el) => el.offsetHeight && el.offsetHeight < 48).map((el) => el.outerHTML)"
        )
        assert not small, path


def test_a_line_is_followed_and_the_picture_is_zoomed_and_moved_by_buttons(open_page: OpenPage) -> None:
    page = open_page("/table")
    assert page.locator(".trace-0").is_hidden()
    page.get_by_role("radio", name="none").press("ArrowRight")
    page.wait_for_selector(".trace-0", state="visible")
    assert page.locator(".moves").is_hidden()
    page.get_by_role("radio", name="2×").check()
    pans = page.locator("#pans")
    assert pans.evaluate("el => el.scrollWidth > el.clientWidth")
    page.get_by_role("button", name="right").click()
    page.wait_for_function("() => document.getElementById('pans').scrollLeft > 0")
    page.get_by_role("button", name="left").click()
    page.wait_for_function("() => document.getElementById('pans').scrollLeft === 0")
