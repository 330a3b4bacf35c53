"""Moments on phones and on the big screen: the end to photograph and share, and sounds if switched on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page

from companion.table.outside import PlaybackWish, Playing
from tests.chromium import give_cookies, new_phone
from tests.web.conftest import Phone
from tests.web.screens.test_web_people import END, finish
from web import dashboard_of
from web.live.server import WebServer

EARS = """window.notes = [];
window.AudioContext = class {
  state = "suspended"; currentTime = 0; destination = {};
  async resume() { this.state = "running"; }
};
window.OscillatorNode = class {
  constructor(_, { frequency }) { this.frequency = frequency; }
  connect(to) { return to; }
  start() { window.notes.push(this.frequency); }
  stop() {}
};
window.GainNode = class {
  gain = { setValueAtTime() {}, linearRampToValueAtTime() {} };
  connect(to) { return to; }
};"""
"""A speaker that keeps the notes it is given: a machine without one has nothing to listen to."""


def test_the_end_is_stamped_and_told_with_what_decided_it(ada: Phone, ben: Phone) -> None:
    assert "web.ending" not in ada.html("/report")
    assert 'class="ending"' not in ada.html("/report")
    finish(ada, ben)
    for path in ("/report", "/report.html", "/tv"):
        html = ada.html(path)
        assert html.count('class="ending"') == 1, path
        assert 'class="stamp go"' in html, path
        assert "What decided it" in html, path
    assert 'class="drawn"' not in ada.html("/tv"), "it takes the place of the table"
    decided = ada.html("/report").split("What decided it")[1].split("</section>")[0]
    assert f"#{ada.table.snapshot.at.line[-1]}" in decided, "the last act"


def test_sounds_are_off_until_a_phone_asks(ada: Phone) -> None:
    assert "data-sound" not in ada.html("/seat")
    ada.post("/settings", lang="en", theme="auto", sound="yes")
    assert "data-sound" in ada.html("/seat")
    assert 'id="sound-yes" value="yes" checked' in ada.html("/more")
    ada.post("/settings", lang="en", theme="auto", sound="no")
    assert "data-sound" not in ada.html("/seat")


@pytest.fixture
def opens(chromium: Browser, app: Flask) -> Iterator[Callable[[Phone, str], Page]]:
    """Opens a page on the phone of a seat that wants sounds."""
    contexts: list[BrowserContext] = []
    with WebServer(app, "127.0.0.1") as server:

        def opened(phone: Phone, path: str, sound: str = "yes") -> Page:
            context = new_phone(chromium, accept_downloads=True)
            contexts.append(context)
            url = f"http://127.0.0.1:{server.port}"
            give_cookies(context, url, seat=phone.secret, sound=sound)
            context.add_init_script(EARS)
            page = context.new_page()
            page.goto(url + path)
            return page

        yield opened
        for context in contexts:
            context.close()


def heard(page: Page, *notes: int) -> None:
    page.wait_for_function("(notes) => notes.every((note) => window.notes.includes(note))", arg=list(notes))


@pytest.mark.browser
@pytest.mark.slow
def test_my_turn_a_no_and_the_end_are_heard(opens: Callable[..., Page], ada: Phone, ben: Phone) -> None:
    page, silent = opens(ben, "/seat"), opens(ben, "/seat", "no")
    page.mouse.click(5, 5)
    page.wait_for_function("() => document.body.dataset.sound !== undefined")
    ada.act(END)
    heard(page, 659, 880)
    ben.act({**END, "actor": 1})
    page.evaluate("() => { window.notes = []; }")
    finish(ada, ben)
    heard(page, 1047)
    silent.locator("[data-moment^=end]").wait_for(state="attached")
    assert silent.evaluate("() => window.notes") == []


@pytest.mark.browser
@pytest.mark.slow
def test_the_report_is_shared_as_a_file_or_saved(opens: Callable[..., Page], ada: Phone, ben: Phone) -> None:
    finish(ada, ben)
    page = opens(ada, "/report")
    with page.expect_download() as saved:
        page.evaluate("() => { navigator.canShare = () => false; }")
        page.click("#save-report")
    assert saved.value.suggested_filename.endswith(".html")
    page.evaluate("() => { navigator.canShare = () => true; }")
    page.evaluate("() => { navigator.share = async (what) => { window.shared = what; }; }")
    page.click("#save-report")
    page.wait_for_function("() => window.shared")
    name, size = page.evaluate("() => [window.shared.files[0].name, window.shared.files[0].size]")
    assert name == saved.value.suggested_filename
    assert size > 1000


class Led:
    """A demo that keeps what it was asked for."""

    def __init__(self) -> None:
        self.wishes: list[str] = []
        self.playing = Playing(paused=False, pace=1.5)

    def now(self) -> Playing:
        return self.playing

    def do(self, wish: PlaybackWish) -> None:
        self.wishes.append(wish)
        self.playing = Playing(paused=wish in ("pause", "step"), pace=self.playing.pace)


def test_a_demo_is_led_only_where_there_is_one(app: Flask, ada: Phone) -> None:
    assert ada.post("/demo", do="pause").status_code == 404
    assert 'class="demo"' not in ada.html("/seat")
    led = Led()
    dashboard_of(app).playback = led
    assert ">Pause<" in ada.html("/seat")
    answer = ada.post("/demo", do="pause")
    assert answer.status_code == 200
    assert ">Go on<" in answer.get_data(as_text=True)
    assert ada.post("/demo", do="rewind").status_code == 400
    assert led.wishes == ["pause"]


def lead(page: Page, key: str) -> None:
    """Press a key, and again if a busy box turned the press away, as people do."""
    status = 0
    while status != 200:
        assert status in (0, 408, 429)
        with page.expect_response("**/demo") as answer:
            page.keyboard.press(key)
        status = answer.value.status


@pytest.mark.browser
@pytest.mark.slow
def test_keys_lead_a_demo_on_its_pages(opens: Callable[..., Page], app: Flask, ada: Phone) -> None:
    led = Led()
    dashboard_of(app).playback = led
    page = opens(ada, "/seat")
    lead(page, "Space")
    page.get_by_role("button", name="Go on").wait_for()
    lead(page, ".")
    page.wait_for_function("() => !document.querySelector('#demo [aria-busy]')")
    assert led.wishes == ["pause", "step"]
