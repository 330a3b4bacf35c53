"""The drawn table on a seat's page: what is lit, what a touch does, and what is said about the rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from companion.box import Box
from companion.core import UNKNOWN, Card, Picture, PieceId, Shape, Token
from companion.journal import Journal
from companion.library import Tagbook
from companion.table import Desk, Referee, Table
from tests.chromium import give_cookies, new_phone
from tests.pick import Seal, State
from tests.web.conftest import PICK, Phone, setup_for, violations
from web.live.server import WebServer


def picture(state: State) -> Picture:
    """The toy's, with hands whose cards can be touched by those who know them."""
    drawn: Picture = PICK.picture(state)
    cards = iter(card for hand in state.hands for card in hand.value)
    return replace(drawn, shapes=tuple(named(shape, cards) for shape in drawn.shapes))


def named(shape: Shape, cards: Iterator[PieceId]) -> Shape:
    if not isinstance(shape, Card) or (card := next(cards)) == UNKNOWN:
        return shape
    return replace(shape, token=Token("piece", card))


TOUCHED = replace(
    PICK, picture=picture, verbs=tuple(replace(v, asks=False) for v in PICK.verbs if v.intent is not Seal)
)
"""One act for each card, none of which asks first: a touch is enough."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Journal.open(tmp_path / "journal.db") as journal:
        referee = Referee.begin(TOUCHED, setup_for(3), ("Ada", "Ben", "Chloé"), "strict", journal, lambda: 0.0)
        table = Table(Desk(referee, Tagbook(), Box()))
        table.start()
        yield table
        table.stop()


LIT = re.compile(r'<a class="thing lit"[^>]*>')


def board(html: str) -> str:
    found = re.search(r'<section class="touchable[^"]*">.*?</section>', html, re.DOTALL)
    return found[0] if found else ""


def test_what_ada_may_play_is_lit_and_played_by_a_touch(ada: Phone) -> None:
    [ace, bat] = LIT.findall(board(ada.html("/seat")))
    assert 'data-act="{&#34;verb&#34;:&#34;lay&#34;,&#34;actor&#34;:0,&#34;card&#34;:&#34;Ace&#34;}"' in ace
    assert 'aria-label="Lay Card Ace"' in ace
    assert "Bat" not in ace
    assert "Bat" not in bat, "which is in the hand of Ben"


def test_who_wants_to_be_asked_once_more_gets_a_sheet_instead(ada: Phone) -> None:
    ada.client.set_cookie("companion-confirm", "yes", domain="box.test")
    lit = LIT.findall(board(ada.html("/seat")))
    assert len(lit) == 2
    assert all("data-sheet" in each and "data-act" not in each for each in lit)


def test_a_thing_that_is_not_lit_says_why_not(ada: Phone) -> None:
    ada.act({"verb": "pass", "actor": 0})
    strip = ada.html("/touch?kind=piece&id=Ace", **{"X-Companion": "1"})
    assert "Card Ace" in strip
    assert "It is the turn of Ben." in strip
    assert "Why not?" in strip
    assert "<!doctype" not in strip


def test_a_thing_that_means_nothing_says_so(ada: Phone, phone: Callable[[], Phone]) -> None:
    for who in (ada, phone()):
        assert "Nothing to do with it right now." in who.html("/touch?kind=place&id=hand-0", **{"X-Companion": "1"})


@pytest.mark.parametrize("query", ["", "kind=piece&id=Bat", "kind=seat&id=9", "kind=place&id=%00"])
def test_a_thing_that_ada_may_not_know_is_not_found(ada: Phone, query: str) -> None:
    assert ada.get(f"/touch?{query}").status_code == 404


def test_where_nothing_can_be_touched_nothing_is_drawn(ada: Phone, ben: Phone, phone: Callable[[], Phone]) -> None:
    assert board(ben.html("/seat")) == "", "it is not his turn"
    assert board(ada.html("/watch")) == ""
    assert board(phone().html("/watch")) == ""


def test_a_broad_screen_has_the_table_beside_the_seat_at_any_time(ada: Phone, ben: Phone) -> None:
    assert "data-board" in board(ben.html("/seat?wide=1"))
    assert LIT.findall(board(ben.html("/seat?wide=1"))) == []
    assert len(LIT.findall(board(ada.html("/seat?wide=1")))) == 2


def test_undo_says_what_it_would_undo_until_another_seat_acts(ada: Phone, ben: Phone, table: Table) -> None:
    before = table.snapshot.at.line[-1]
    ada.act({"verb": "pass", "actor": 0})
    assert 'id="undo"' in ada.html("/seat"), "the turn is over, and nobody has acted since"
    assert 'id="undo"' not in ben.html("/seat")
    ben.act({"verb": "lay", "actor": 1, "card": "Bat"})
    assert 'id="undo"' not in ada.html("/seat")
    refused = ada.post("/command", asked=table.snapshot.asked[0], wish={"type": "take-back", "to": before})
    assert refused.status_code == 409


@pytest.fixture
def page(chromium: Browser, app: Flask, ada: Phone) -> Iterator[Page]:
    with WebServer(app, "127.0.0.1") as server:
        base = f"http://127.0.0.1:{server.port}"
        context = new_phone(chromium, has_touch=True)
        give_cookies(context, base, seat=ada.secret)
        page = context.new_page()
        page.goto(f"{base}/seat")
        yield page
        context.close()


def bring_into_sight(page: Page) -> None:
    """At once: the first news of a page may redraw it between two steps."""
    page.wait_for_selector("a.lit")
    page.evaluate("document.querySelector('a.lit').scrollIntoView({block: 'center'})")


def box_of(page: Page, selector: str) -> tuple[float, float, float, float]:
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["width"], box["height"]


@pytest.mark.browser
def test_a_finger_beside_a_lit_card_plays_it_and_shows_so_before(page: Page, table: Table) -> None:
    before = table.snapshot.seq
    bring_into_sight(page)
    x, y, _, h = box_of(page, "a.lit rect")
    page.mouse.move(x - 8, y + h / 2)
    page.mouse.down()
    page.locator("a.lit.aimed").wait_for()
    assert table.snapshot.seq == before, "it counts when the finger is lifted"
    page.mouse.up()
    page.locator("#undo").wait_for()
    assert table.snapshot.state.open == ("Ace",)


@pytest.mark.browser
def test_a_finger_far_from_anything_lit_does_nothing(page: Page, table: Table) -> None:
    before = table.snapshot.seq
    bring_into_sight(page)
    box = page.locator("a.lit rect").last.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] + 40, box["y"] + box["height"] / 2)
    page.locator("#strip .reason").wait_for()
    assert table.snapshot.seq == before


@pytest.mark.browser
def test_one_touch_undoes_it(page: Page, table: Table) -> None:
    page.locator("a.lit").first.click()
    page.locator("#undo").click()
    page.locator("#undo").wait_for(state="detached")
    assert table.snapshot.state.open == ()


@pytest.mark.browser
def test_a_screen_that_becomes_broad_gets_the_table_beside_the_seat(
    chromium: Browser, app: Flask, ada: Phone, ben: Phone
) -> None:
    with WebServer(app, "127.0.0.1") as server:
        base = f"http://127.0.0.1:{server.port}"
        context = new_phone(chromium, 820, 1180)
        give_cookies(context, base, seat=ben.secret)
        page = context.new_page()
        page.goto(f"{base}/seat")
        page.set_viewport_size({"width": 1280, "height": 800})
        page.locator(".touchable").wait_for()
        left, right = box_of(page, ".mine"), box_of(page, ".touchable")
        assert left[0] + left[2] <= right[0], "side by side"
        ada.act({"verb": "pass", "actor": 0})
        page.locator(".touchable a.lit").first.wait_for()
        context.close()


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize(("lang", "theme"), [("en", "light"), ("fr", "dark")])
def test_axe_finds_nothing_on_it(chromium: Browser, app: Flask, ada: Phone, axe: str, lang: str, theme: str) -> None:
    with WebServer(app, "127.0.0.1") as server:
        base = f"http://127.0.0.1:{server.port}"
        context = new_phone(chromium, bypass_csp=True)
        give_cookies(context, base, seat=ada.secret, lang=lang, theme=theme)
        page = context.new_page()
        page.add_init_script(axe)
        page.goto(f"{base}/seat")
        page.locator("a[data-strip]").first.dispatch_event("click")
        page.locator("#strip .reason").wait_for()
        assert violations(page) == []
        page.goto(f"{base}/seat?wide=1")
        page.locator("a.lit").first.dispatch_event("click")
        page.locator("#undo").wait_for()
        assert violations(page) == []
        context.close()
