"""Sitting down: being at the table is the key."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.core import Pressed
from companion.table import Table
from tests.patience import PATIENCE
from tests.web.conftest import Phone
from web.door import LONGEST_NAME, Asker, Askers, clean_name, key_of, new_code, new_secret
from web.door.asking import MOST


def cookie(response: Any, name: str) -> str:
    line = next(c for c in response.headers.getlist("Set-Cookie") if c.startswith(f"companion-{name}="))
    assert "HttpOnly" in line
    assert "SameSite=Lax" in line
    return str(line.split("=", 1)[1].split(";")[0])


def test_ada_sits_down(phone: Callable[[], Phone], table: Table) -> None:
    ada = phone()
    assert "No phone yet" in ada.html("/")
    assert ada.get("/seat").headers["Location"] == "/"

    asked = ada.post("/join", seat=0, name="  Ada\u202e L. ")
    assert asked.get_json() == {"go": "/waiting"}
    (joining,) = table.snapshot.joining
    assert (joining.seat, joining.name, joining.admitted) == (0, "Ada L.", False)
    waiting = ada.html("/waiting")
    assert "Hold OK on the box" in waiting
    assert joining.code in waiting
    assert "data-auto" not in waiting

    assert ada.post("/claim").status_code == 409, "nobody held OK yet"
    ada.hold_ok()
    assert "data-auto" in ada.html("/waiting")
    claimed = ada.post("/claim")
    assert claimed.get_json() == {"go": "/seat"}
    secret = cookie(claimed, "seat")
    assert len(secret) == 32
    assert secret != cookie(asked, "asking")
    assert table.snapshot.chairs[0].key == sha256(secret.encode()).hexdigest()
    assert "Your turn, Ada L." in ada.html("/seat")


def test_reading_the_letters_off_the_display_is_not_enough(phone: Callable[[], Phone], table: Table) -> None:
    ada, mallory = phone(), phone()
    ada.post("/join", seat=0, name="Ada")
    ada.hold_ok()
    assert mallory.post("/claim").status_code == 403
    mallory.client.set_cookie("companion-asking", new_secret(), domain="box.test")
    assert mallory.post("/claim").status_code == 403
    assert table.snapshot.chairs[0].key == ""
    assert ada.post("/claim").status_code == 200


def test_two_phones_that_ask_are_let_in_with_one_hold(phone: Callable[[], Phone]) -> None:
    ada, ben = phone(), phone()
    ada.post("/join", seat=0, name="Ada")
    ben.post("/join", seat=1, name="Ben")
    assert "Hold OK on the box" in ada.html("/waiting")
    ben.hold_ok()
    assert ada.post("/claim").status_code == ben.post("/claim").status_code == 200
    assert "Your turn, Ada" in ada.html("/seat")


def test_a_phone_that_asks_for_another_seat_no_longer_asks_for_the_first(
    phone: Callable[[], Phone], table: Table
) -> None:
    ada, ben = phone(), phone()
    ada.post("/join", seat=0, name="Ada")
    ben.post("/join", seat=0, name="Ben")
    ada.post("/join", seat=1, name="Ada")
    assert [(each.seat, each.name) for each in table.snapshot.joining] == [(0, "Ben"), (1, "Ada")]


def test_a_phone_that_was_sent_away_is_told(phone: Callable[[], Phone], table: Table) -> None:
    ada, ben = phone(), phone()
    ada.post("/join", seat=0, name="Ada")
    ben.post("/join", seat=1, name="Ben")
    sent = threading.Event()
    end = table.subscribe(lambda now: sent.set() if len(now.joining) == 1 else None)
    table.put(Pressed("back"))
    assert sent.wait(PATIENCE)
    end()
    assert "Ask again" in ada.html("/waiting")
    assert "Hold OK on the box" in ben.html("/waiting")


def test_a_claim_whose_answer_got_lost_is_repeated(phone: Callable[[], Phone]) -> None:
    ada = phone()
    ada.post("/join", seat=0, name="Ada")
    asking = ada.client.get_cookie("companion-asking", domain="box.test")
    assert asking is not None
    ada.hold_ok()
    first = cookie(ada.post("/claim", command="claim-once"), "seat")
    ada.client.delete_cookie("companion-seat", domain="box.test")
    ada.client.set_cookie("companion-asking", asking.value, domain="box.test")
    assert cookie(ada.post("/claim", command="claim-once"), "seat") == first
    assert "Your turn" in ada.html("/seat")


def test_a_seat_given_to_another_phone_is_lost_to_the_first(ada: Phone, phone: Callable[[], Phone]) -> None:
    old = ada.html("/seat")
    new = phone().sit(0, "Eve")
    assert "Card Ace" in old
    assert ada.get("/seat").status_code == 302
    assert "Card Ace" not in ada.html("/watch")
    assert ada.act({"verb": "pass", "actor": 0}).status_code == 403
    assert "Card Ace" in new.html("/seat")


def test_leaving_gives_the_seat_back(ada: Phone, table: Table) -> None:
    assert ada.post("/command", asked=0, wish={"type": "leave"}).get_json()["go"] == "/"
    assert table.snapshot.chairs[0].key == ""
    assert ada.get("/seat").status_code == 302


def test_an_empty_name_keeps_the_seats_name(phone: Callable[[], Phone], table: Table) -> None:
    phone().post("/join", seat=1, name="\u200b\x07 ")
    assert [each.name for each in table.snapshot.joining] == ["Ben"]


def test_names_are_shown_as_text_never_as_markup(phone: Callable[[], Phone], ben: Phone) -> None:
    phone().sit(0, "<b onx=1>&'\"")
    for path in ("/?seat=0", "/seat", "/watch", "/history", "/pretend", "/table?form=list", "/check"):
        html = ben.html(path)
        assert "<b onx" not in html
    assert "&lt;b onx=1&gt;&amp;&#39;&#34;" in ben.html("/seat")


def test_the_short_address_leads_to_the_join_page(phone: Callable[[], Phone]) -> None:
    assert phone().get("/J").headers["Location"] == "/"


def test_pretend_phones_in_one_browser_have_cookies_of_their_own(
    app: Any, table: Table, phone: Callable[[], Phone]
) -> None:
    browser = phone()
    for seat in (0, 1):
        browser.prefix = f"/phone/{seat}"
        browser.sit(seat)
    browser.prefix = "/phone/0"
    assert "Card Ace" in browser.html("/seat")
    assert "/phone/0/stream?screen=seat" in browser.html("/seat")
    browser.prefix = "/phone/1"
    assert "Card Ace" not in browser.html("/seat")
    assert "Card Bat" in browser.html("/seat")
    browser.prefix = ""
    assert browser.get("/seat").status_code == 302


@given(st.text(max_size=300))
def test_a_clean_name_is_short_and_harmless(text: str) -> None:
    name = clean_name(text)
    assert len(name) <= LONGEST_NAME
    assert name == name.strip()
    assert name.isprintable()
    assert clean_name(name) == name
    assert not re.search("[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]", name)


def test_names_of_people_stay_as_they_are() -> None:
    for name in ("Ada", "Chloé", "Zoë & Ben", "李雷", "Ольга", "Jean-Luc d’Arc", "🎲"):
        assert clean_name(name) == name
    assert clean_name("Ａｄａ") == "Ada"
    assert clean_name("A\u0301da") == "Áda"


def test_only_so_many_phones_are_remembered() -> None:
    askers = Askers()
    for i in range(MOST + 1):
        askers.add(str(i), Asker(0, "x", "BCD", "s"))  # type: ignore[arg-type]
    assert askers.find("0") is None
    assert askers.find("1") is not None
    assert key_of("") == ""
    assert re.fullmatch("[B-DF-HJ-NP-TV-XZ]{3}", new_code())
