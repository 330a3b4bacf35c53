"""Hands on the pretend table."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from companion.core import (
    AdmitPage,
    ChoosePage,
    Name,
    PieceId,
    Refusal,
    RefusedPage,
    RuleId,
    Said,
    Waits,
    WifiPage,
    say,
)
from companion.library import Lang, PieceTag, Texts, pretend_uid
from tests.pick import GAME
from tests.web.conftest import HOST, Box, Phone
from web import create_app
from web.pretend.screen import words_on
from web.pretend.tray import STRANGER

ACE = pretend_uid(PieceTag(GAME.id, PieceId("Ace")))
BAT = pretend_uid(PieceTag(GAME.id, PieceId("Bat")))


@pytest.fixture
def hands(phone: Callable[[], Phone]) -> Phone:
    return phone()


def loose(hands: Phone) -> list[str]:
    """What lies loose on the tray, by name."""
    tray = hands.html("/pretend").split('class="loose"')[1].split('class="heaps"')[0]
    return re.findall(r"<span>([^<]+)<small>", tray)


def test_a_newcomer_finds_what_may_be_played_and_the_rest_by_place(hands: Phone) -> None:
    hands.post("/pretend/guide", do="close")
    html = hands.html("/pretend")
    assert loose(hands) == ["Card Ace", "Card Cog"]
    assert "<small>Hand of the first seat</small>" in html
    second = html.split('id="heap-hand-1"')[1].split("</details>")[0]
    assert "Card Bat" in second
    assert BAT in second
    assert ACE not in second
    assert STRANGER in html


def test_what_may_be_played_now_lies_loose(hands: Phone, ada: Phone) -> None:
    hands.post("/pretend/guide", do="close")

    def heaps() -> list[str]:
        return re.findall('id="heap-([a-z0-9-]+)"', hands.html("/pretend"))

    assert heaps() == ["hand-1", "tags"]
    ada.act({"verb": "pass", "actor": 0})
    assert heaps() == ["hand-0", "tags"]
    assert loose(hands) == ["Card Bat", "Card Dam"]


def test_a_piece_is_laid_moved_and_lifted(hands: Phone, box: Box) -> None:
    assert hands.post("/pretend/lay", uid=ACE, reader="left").status_code == 200
    assert f'id="lift-{ACE}"' in hands.html("/pretend")
    hands.post("/pretend/lay", uid=BAT, reader="left")
    hands.post("/pretend/lift", uid=BAT)
    assert box.done == [("lay", ACE, "left"), ("lift", ACE), ("lay", BAT, "left"), ("lift", BAT)]


def test_buttons_dial_and_faults_reach_the_box_only(hands: Phone, box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands.table, "ask", lambda *_: pytest.fail("the page asked the table"))
    hands.post("/pretend/press", button="next", held=False)
    hands.post("/pretend/press", button="ok", held=True)
    hands.post("/pretend/turn", steps=-2)
    hands.post("/pretend/trouble", fault="cable", on=True)
    assert 'id="fault-cable" role="switch" aria-checked="true"' in hands.html("/pretend")
    hands.post("/pretend/trouble", fault="cable", on=False)
    assert [what[0] for what in box.done] == ["press", "press", "turn", "fault", "fault"]
    assert hands.post("/pretend/press", button="reset").status_code == 400
    assert hands.post("/pretend/trouble", fault="fire", on=True).status_code == 400


def test_the_display_is_a_picture(hands: Phone) -> None:
    response = hands.get("/pretend/screen.png")
    assert response.mimetype == "image/png"
    assert response.data.startswith(b"\x89PNG")


def step(hands: Phone) -> str:
    """What the guide says to do now."""
    found = re.search(r'<p class="now" data-spoken="[^"]*?\. ([^"]*)"', hands.html("/pretend"))
    return found.group(1) if found else ""


def test_the_first_minute_goes_on_as_things_are_done(hands: Phone, ada: Phone) -> None:
    assert step(hands).startswith("Lay Card Ace from Hand of the first seat")
    ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
    assert step(hands).startswith("Now try something that isn’t allowed")
    ada.act({"verb": "bet", "actor": 0, "number": 9})
    assert step(hands).startswith("Press CHECK")
    hands.post("/pretend/press", button="check")
    assert '"do":"skip"' not in hands.html("/pretend"), "a phone has joined already"
    assert "That was your first minute." in hands.html("/pretend")


def test_the_guide_names_the_very_card_and_marks_it(hands: Phone) -> None:
    html = hands.html("/pretend")
    assert "Lay Card Ace from Hand of the first seat on a reader: that’s a move." in html
    assert re.findall(r'class="pc[^"]* glow[^"]*" id="uid-(\w+)"', html) == [ACE]
    hands.post("/pretend/guide", do="skip", step="laid")
    assert "lay Card Bat from Hand of the second seat" in hands.html("/pretend"), "not this seat's: refused"


def test_a_step_is_skipped_and_the_guide_hidden_and_shown_again(hands: Phone) -> None:
    assert hands.post("/pretend/guide", do="skip", step="nothing").status_code == 400
    for name in ("laid", "refused", "checked", "joined"):
        assert f'"step":"{name}"' in hands.html("/pretend")
        assert hands.post("/pretend/guide", do="skip", step=name).status_code == 200
    assert "That was your first minute." in hands.html("/pretend")
    hands.post("/pretend/guide", do="close")
    assert "That was your first minute." not in hands.html("/pretend")
    hands.post("/pretend/guide", do="again")
    assert step(hands).startswith("Lay Card Ace"), "all of it once more"


def test_whoever_asks_for_the_guide_again_finds_it_at_its_beginning_in_mid_game(hands: Phone, ada: Phone) -> None:
    ada.act({"verb": "play", "actor": 0, "card": "Ace"})
    hands.post("/pretend/guide", do="close")
    hands.post("/pretend/guide", do="again")
    assert '"step":"laid"' in hands.html("/pretend"), "what was done before does not count"


def test_a_screen_reader_hears_each_new_step(hands: Phone) -> None:
    assert 'data-spoken="Your first minute, 1 of 4. Lay Card Ace' in hands.html("/pretend")
    hands.post("/pretend/guide", do="skip", step="laid")
    assert 'data-spoken="Your first minute, 2 of 4. Now try' in hands.html("/pretend")


def test_a_phone_that_asks_is_named_beside_the_lamp(hands: Phone, phone: Callable[[], Phone]) -> None:
    phone().post("/join", seat=1, name="Bea")
    assert "Bea asks for a seat" in hands.html("/pretend")
    hands.hold_ok()
    assert "Bea asks for a seat" not in hands.html("/pretend")


def test_a_lamp_beside_each_seat_shows_who_is_awaited(hands: Phone, ada: Phone) -> None:
    assert lit(hands) == ["lamp-0"]
    ada.act({"verb": "pass", "actor": 0})
    assert lit(hands) == ["lamp-1"]
    assert "its lamp shines" in hands.html("/pretend")


def lit(hands: Phone) -> list[str]:
    return re.findall(r'class="seat-lamp on" id="(lamp-\d)"', hands.html("/pretend"))


def test_the_display_is_told_in_words_too() -> None:
    page = ChoosePage(say("a"), (say("b"), say("c")), 0)
    assert words_on(page) == (say("a"), say("b"), say("c"))
    assert words_on(RefusedPage(Refusal(RuleId("X1"), "turn"))) == (Said("no.turn"),)
    name, password, code = (say("choice", item=Name(word)) for word in ("Table 4", "river-17", "K7"))
    assert words_on(WifiPage("Table 4", "river-17", "WIFI:…")) == (name, password)
    assert words_on(AdmitPage((Waits(say("a"), "K7"),))) == (say("a"), code)


@pytest.mark.parametrize(("page", "said"), [("en", "display is in English"), ("fr", "la boîte est en anglais")])
def test_the_page_turns_french_and_says_that_the_display_keeps_the_language_of_the_box(
    hands: Phone, page: str, said: str
) -> None:
    assert hands.post("/settings", lang=page, theme="auto", confirm="no").status_code == 200
    for path in ("/pretend", "/more"):
        html = hands.html(path)
        assert f'<html lang="{page}"' in html
        assert said in html


def test_the_language_that_a_first_run_sets_is_that_of_the_box_at_once(table: Any, texts: Texts, box: Box) -> None:
    spoken: list[Lang] = ["en"]
    client = create_app(table, texts, box, (HOST,), lambda: spoken[0]).test_client()
    spoken[0] = "fr"
    assert "L’écran de la boîte est en français" in client.get("/pretend", base_url=f"http://{HOST}").text
