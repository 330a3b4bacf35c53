"""Moves are visible: what changed its place on the drawn table glides there, unless reduced motion is set."""

from __future__ import annotations

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page

from tests.chromium import new_phone
from tests.web.conftest import Phone
from web.live.server import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAWN = '[data-piece="pawn seat/0"]'
WATCHED = """() => {
  window.glided = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    const piece = this.dataset.piece, place = this.dataset.at;
    window.glided.push({ piece, place, from: frames[0].transform, lasts: timing.duration });
    return animate.call(this, frames, timing);
  };
}"""
END_TURN = {"verb": "pass", "actor": 0}


def watch(page: Page) -> None:
    page.locator(PAWN).first.wait_for()
    page.evaluate(WATCHED)


def moved(page: Page, ada: Phone) -> list[dict[str, object]]:
    """What glided when Ada's pawn moved on, once the page shows its new place."""
    before = page.locator(PAWN).first.get_attribute("data-at")
    ada.act(END_TURN)
    page.wait_for_function("([pawn, at]) => document.querySelector(pawn).dataset.at !== at", arg=[PAWN, before])
    found: list[dict[str, object]] = page.evaluate("() => window.glided")
    return found


@pytest.mark.parametrize("path", ["/tv", "/table"])
def test_a_pawn_glides_from_where_it_stood(chromium: Browser, app: Flask, ada: Phone, path: str) -> None:
    with WebServer(app, "127.0.0.1") as server:
        context = new_phone(chromium, 1280, 720, reduced_motion="no-preference")
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.port}{path}")
        watch(page)
        assert moved(page, ada) == [
            {"piece": "pawn seat/0", "place": "90 285", "from": "translate(-60px, 0px)", "lasts": 600}
        ]
        context.close()


def test_nothing_glides_for_who_wants_no_motion(chromium: Browser, app: Flask, ada: Phone) -> None:
    with WebServer(app, "127.0.0.1") as server:
        context = new_phone(chromium, 1280, 720, reduced_motion="reduce")
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/tv")
        watch(page)
        assert moved(page, ada) == []
        context.close()
