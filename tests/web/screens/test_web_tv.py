"""The big screen: what everybody may see, large, and nothing from any hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser

from companion.app.opening import load_texts
from tests.chromium import new_phone
from tests.web.conftest import Phone
from tests.web.screens.test_web_sight import Evening
from web import create_app, dashboard_of
from web.live.server import WebServer


def test_it_shows_a_seated_device_no_more_than_a_stranger(ada: Phone, phone: Callable[[], Phone]) -> None:
    def inside(html: str) -> str:
        return html[html.index('id="screen"') : html.index("</main>")]

    assert "Card Ace" in ada.html("/table"), "what Ada alone sees is drawn for her elsewhere"
    assert "Card Ace" not in ada.html("/tv")
    assert inside(ada.html("/tv")) == inside(phone().html("/tv"))


def test_it_tells_whose_turn_it_is_and_what_was_done_last(ada: Phone) -> None:
    ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
    html = ada.html("/tv")
    newest = html.rindex(f"#{ada.table.snapshot.seq}")
    assert html.index('class="lately"') < newest < html.index('class="ticker"')
    assert "data-since=" in html


def test_the_way_in_is_large_until_every_seat_has_its_phone(app: Flask, ada: Phone, phone: Callable[[], Phone]) -> None:
    dashboard_of(app).address = lambda: "http://box.test"
    assert 'class="join large"' in ada.html("/tv")
    phone().sit(1)
    assert 'class="join"' in ada.html("/tv")


def test_more_leads_there(ada: Phone) -> None:
    assert 'href="/tv"' in ada.html("/more")


@pytest.mark.parametrize("game", ["timeline"])
def test_no_two_pictures_have_the_same_name(game: str, tmp_path: Path) -> None:
    evening = Evening(game, tmp_path)
    try:
        for _seat in islice(evening.awaited(), 12):
            pass
        client = create_app(evening.table, load_texts, None, ("localhost",)).test_client()
        drawn = client.get("/tv").text.split('class="drawn"')[1].split("</section>")[0]
    finally:
        evening.close()
    pictures = [tag for tag in re.findall("<svg[^>]*>", drawn) if 'class="picture' in tag]
    assert len(pictures) > 1
    names = [re.findall('aria-label="([^"]*)"', tag) for tag in (drawn.split(">")[0], *pictures)]
    assert all(names), "each has one"
    assert len({name for found in names for name in found}) == len(names)


@pytest.mark.browser
@pytest.mark.slow
def test_it_follows_the_game_and_counts_how_long_everybody_waits(chromium: Browser, app: Flask, ada: Phone) -> None:
    with WebServer(app, "127.0.0.1") as server:
        context = new_phone(chromium, 1280, 720)
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/tv")
        page.locator(".clock b", has_text=":").wait_for()
        waited = page.locator(".clock b").text_content()
        page.wait_for_function("was => document.querySelector('.clock b').textContent !== was", arg=waited)
        ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
        page.locator(".lately", has_text=f"#{ada.table.snapshot.seq}").wait_for()
        context.close()
