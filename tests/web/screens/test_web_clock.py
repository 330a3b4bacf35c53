"""The turn clock on phones and the big screen: who counts down, who may set it, what the report says."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from playwright.sync_api import Browser

from tests.chromium import give_cookies, new_phone
from tests.web.conftest import Phone
from web.live.server import WebServer


def left_on(html: str) -> list[int]:
    return [int(left) for left in re.findall(r'data-left="(-?\d+)"', html)]


def sets(referee: Phone, kind: str, seconds: int = 60) -> int:
    wish = {"type": "set-clock", "kind": kind, "seconds": seconds}
    return referee.post("/command", asked=0, wish=wish).status_code


def test_there_is_none_until_the_referee_sets_one(ada: Phone, referee: Phone) -> None:
    assert left_on(ada.html("/seat")) == left_on(ada.html("/tv")) == []
    assert "There is no turn clock." in ada.html("/more")
    assert "clock-strict-1" not in ada.html("/more"), "a player has nothing to set there"
    assert "clock-strict-1" in referee.html("/more")
    assert sets(ada, "strict") == 409
    assert sets(referee, "strict") == 200
    for path in ("/seat", "/table", "/tv"):
        (left,) = left_on(ada.html(path))
        assert 0 < left <= 60, path
    assert "A turn may take 1:00; then the bot finishes it." in ada.html("/more")
    assert sets(referee, "off") == 200
    assert left_on(ada.html("/seat")) == []


def test_a_clock_that_is_none_is_refused(referee: Phone) -> None:
    for kind, seconds in (("hard", 60), ("soft", 1), ("soft", 4000)):
        assert sets(referee, kind, seconds) == 400


def test_the_report_says_that_no_turn_took_too_long(ada: Phone, referee: Phone) -> None:
    assert "No turn took longer" not in ada.html("/report")
    sets(referee, "soft", 3600)
    assert "No turn took longer than 60:00." in ada.html("/report")


@pytest.mark.browser
@pytest.mark.slow
def test_the_page_counts_down_and_past_zero(chromium: Browser, app: Flask, ada: Phone, referee: Phone) -> None:
    sets(referee, "soft", 5)
    with WebServer(app, "127.0.0.1") as server:
        context = new_phone(chromium)
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/watch")
        page.wait_for_function("() => document.querySelector('[data-left].late')?.textContent.startsWith('+')")
        context.close()


@pytest.mark.browser
@pytest.mark.slow
def test_the_referee_sees_at_once_what_was_set(chromium: Browser, app: Flask, referee: Phone) -> None:
    with WebServer(app, "127.0.0.1") as server:
        context, url = new_phone(chromium), f"http://127.0.0.1:{server.port}"
        give_cookies(context, url, seat=referee.secret)
        page = context.new_page()
        page.goto(f"{url}/more")
        page.click("#clock-soft-2")
        page.get_by_text("A turn may take 2:00").wait_for()
        page.click("#clock-off")
        page.get_by_text("There is no turn clock.").wait_for()
        context.close()
