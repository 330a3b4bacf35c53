"""The look, measured: contrast of every token, light and dark; the weight of a page; text at twice its size."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser

from tests.chromium import give_cookies, new_phone
from tests.web.conftest import Phone
from web.draw.assets import STATIC
from web.live.server import WebServer

CSS = (STATIC / "companion.css").read_text()
WORDS = ("ink", "soft", "brass", "go", "stop", "seal", "brown", "yellow", "crimson", "green")
PAIRS = (
    *((word, ground, 4.5) for word in WORDS for ground in ("paper", "card")),
    ("ink", "well", 4.5),
    ("soft", "well", 4.5),
    ("on-go", "go", 4.5),
    ("on-seal", "seal", 4.5),
    ("card", "brass", 4.5),
    ("edge", "paper", 3.0),
    ("edge", "card", 3.0),
)
LIMIT = 60_000


def tokens(css: str, selector: str) -> dict[str, str]:
    block = css[css.index(f"{selector} {{") :]
    return dict(re.findall(r"--([a-z-]+):\s*(#[0-9A-Fa-f]{6});", block[: block.index("}")]))


def luminance(colour: str) -> float:
    def linear(part: int) -> float:
        c = part / 255
        return c / 12.92 if c <= 0.04045 else float(((c + 0.055) / 1.055) ** 2.4)

    red, green, blue = (linear(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def too_faint(css: str, selector: str) -> list[str]:
    found = tokens(css, selector)
    return [f"{a} on {b}" for a, b, least in PAIRS if contrast(found[a], found[b]) < least]


@pytest.mark.parametrize("selector", [":root", ".dark"])
def test_every_token_can_be_read(selector: str) -> None:
    assert too_faint(CSS, selector) == []


def test_a_faint_token_is_caught() -> None:
    assert too_faint(CSS.replace("#5A5145", "#9A9185"), ":root") != []


def test_dark_by_choice_and_dark_by_the_phone_are_the_same() -> None:
    assert tokens(CSS, ".dark") == tokens(CSS, ".auto")


def test_nothing_moves_where_people_asked_for_stillness() -> None:
    for moving in re.finditer(r"(animation|transition):", CSS + (STATIC / "pretend.css").read_text()):
        before = CSS[: moving.start()]
        assert "prefers-reduced-motion: no-preference" in before[before.rindex("@media") :]


@pytest.mark.parametrize("path", ["/seat", "/table", "/history", "/more", "/rules", "/report", "/pretend"])
def test_a_page_with_style_and_script_is_small(ada: Phone, path: str) -> None:
    parts = [STATIC / "companion.css", STATIC / "companion.js", STATIC / "icon.svg"]
    if path == "/pretend":
        parts.append(STATIC / "pretend.css")
    weight = len(gzip.compress(ada.html(path).encode())) + sum(len(gzip.compress(p.read_bytes())) for p in parts)
    assert weight < LIMIT


def test_no_page_reaches_for_the_internet(ada: Phone) -> None:
    for source in (CSS, (STATIC / "companion.js").read_text(), ada.html("/seat"), ada.html("/pretend")):
        assert not re.findall(r"https?://(?!box\.test|www\.w3\.org)", source)
        assert "@font-face" not in source


@pytest.fixture
def server(app: Flask) -> Iterator[WebServer]:
    with WebServer(app, "127.0.0.1") as server:
        yield server


TWICE = """() => {
  const sizes = [...document.querySelectorAll('*')].map((el) => [el, parseFloat(getComputedStyle(el).fontSize)]);
  for (const [el, size] of sizes) el.style.fontSize = `${size * 2}px`;
}"""


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_text_at_twice_its_size_needs_no_side_scroll(
    chromium: Browser, server: WebServer, ada: Phone, lang: str
) -> None:
    context = new_phone(chromium, bypass_csp=True)
    url = f"http://127.0.0.1:{server.port}"
    give_cookies(context, url, lang=lang, seat=ada.secret)
    page = context.new_page()
    for path in ("/", "/seat", "/table?form=list", "/history", "/more", "/rules?q=X", "/shelf", "/report", "/check"):
        page.goto(url + path)
        page.evaluate(TWICE)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390, path
    context.close()


@pytest.mark.browser
@pytest.mark.slow
def test_confirming_asks_once_more_and_acts_once(chromium: Browser, server: WebServer, ada: Phone) -> None:
    context = new_phone(chromium)
    url = f"http://127.0.0.1:{server.port}"
    give_cookies(context, url, confirm="yes", seat=ada.secret)
    page = context.new_page()
    page.goto(url + "/seat")
    before = ada.table.snapshot.seq
    page.get_by_role("button", name="Lay Card Ace").click()
    page.locator("dialog[open]").get_by_text("Lay Card Ace").wait_for()
    assert ada.table.snapshot.seq == before
    page.locator("dialog [data-close]").click()
    page.get_by_role("button", name="Lay Card Ace").click()
    page.locator("dialog [data-yes]").click()
    page.get_by_role("button", name="Lay Card Ace").wait_for(state="detached")
    assert ada.table.snapshot.seq == before + 1
    context.close()
