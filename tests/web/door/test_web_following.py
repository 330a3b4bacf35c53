"""The box changes its Wi-Fi: its phones follow with their seats, and nobody else gets one."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from jinja2 import BytecodeCache
from playwright.sync_api import Browser

from companion.core import REFEREE, SeatId
from companion.library import Texts
from companion.table import Leaving, Table
from tests.chromium import give_cookies, new_phone
from tests.patience import PATIENCE
from tests.web.conftest import HOST, Phone
from tests.web.screens.test_web_wifi import Radio
from web import create_app
from web.door import Moves
from web.door.moving import FOLLOWING
from web.live.server import WebServer

HOME = Leaving("house", "Chez Ada", ("companion.local:8080",))
TOKEN = re.compile(r"/move\?token=([0-9a-f]{32})")


@pytest.fixture
def radio() -> Radio:
    return Radio()


@pytest.fixture
def app(table: Table, texts: Texts, radio: Radio, compiled: BytecodeCache) -> Flask:
    made = create_app(table, texts, None, (HOST, "localhost", "127.0.0.1"), network=radio)
    made.jinja_env.bytecode_cache = compiled
    return made


def token_of(phone: Phone, path: str = "/seat") -> str:
    """The token in the link by which this phone may follow."""
    (token,) = set(TOKEN.findall(phone.html(path)))
    return str(token)


def test_a_phone_follows_with_its_seat_and_all_that_it_kept(
    ada: Phone, phone: Callable[[], Phone], radio: Radio, table: Table
) -> None:
    ada.post("/settings", lang="fr", theme="dark", confirm="yes", sound="yes")
    assert not TOKEN.search(ada.html("/seat")), "while the box stays, nobody needs a link"
    radio.goes(HOME)
    html = ada.html("/more")
    assert re.search(r"La boîte passe sur le Wi-Fi «\s*Chez Ada\s*»", html)
    token = token_of(ada)
    assert f'href="http://companion.local:8080/move?token={token}"' in html, "drawn again, it is the same link"

    there = phone()  # the same phone, but at another address it has no cookies
    arrived = there.html(f"/move?token={token}")
    assert "Welcome back, Ada" in arrived
    assert "data-auto" in arrived
    assert table.snapshot.chairs[0].key, "looking at it changes nothing"
    assert there.post("/moved", token=token).get_json() == {"go": "/seat"}
    kept = there.html("/seat")
    assert '<html lang="fr" class="dark"' in kept
    assert "data-sound" in kept
    assert [chair.name for chair in table.snapshot.chairs] == ["Ada", "Ben"]
    assert there.get(f"/move?token={token}").headers["Location"] == "/seat", "the page is opened again"
    assert ada.get("/seat").headers["Location"] == "/", "the old address has no seat any more"


def test_the_referee_follows_too(referee: Phone, phone: Callable[[], Phone], radio: Radio, table: Table) -> None:
    radio.goes(HOME)
    token, there = token_of(referee, "/watch"), phone()
    assert "Welcome back, Rosa" in there.html(f"/move?token={token}")
    assert there.post("/moved", token=token).get_json() == {"go": "/watch"}
    assert "You’re the referee" in there.html("/watch")
    assert table.snapshot.referee is not None
    assert table.snapshot.referee.name == "Rosa"


def test_nobody_sees_the_link_of_another(ada: Phone, ben: Phone, phone: Callable[[], Phone], radio: Radio) -> None:
    radio.goes(HOME)
    assert token_of(ada) != token_of(ben)
    for path in ("/", "/watch", "/table", "/history"):
        html = phone().html(path)
        assert not TOKEN.search(html)
        assert 'href="http://companion.local:8080/"' in html, "who only watches finds the box, too"


def test_to_its_own_wifi_the_address_is_known_as_well(ada: Phone, radio: Radio) -> None:
    ada.post("/wifi", to="own")
    html = ada.html("/wifi?going=own")
    assert "The box is opening its own Wi-Fi, “companion-AB12”" in html
    hosts = re.findall(r'href="http://([^/]+)/move', html)
    assert hosts == ["10.42.0.1", "companion.local:8080"], "where no name is found, a number is"


def steal(ada: Phone, thief: Phone, rightful: Phone) -> int:
    """Ada's phone follows; then somebody who saw its link tries it. Returns the box's answer to that."""
    token = token_of(ada)
    assert rightful.post("/moved", token=token).status_code == 200
    return thief.post("/moved", token=token).status_code


def test_a_link_counts_once(ada: Phone, phone: Callable[[], Phone], radio: Radio, table: Table) -> None:
    radio.goes(HOME)
    thief, there = phone(), phone()
    assert steal(ada, thief, there) == 403
    assert thief.get("/seat").headers["Location"] == "/"
    assert "Your turn, Ada" in there.html("/seat")


def test_a_door_that_takes_a_link_twice_is_caught(
    ada: Phone, phone: Callable[[], Phone], radio: Radio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Moves, "take", lambda moves, token, _command: moves.find(token))
    radio.goes(HOME)
    assert steal(ada, phone(), phone()) == 200


def test_a_link_whose_answer_was_lost_is_sent_again(ada: Phone, phone: Callable[[], Phone], radio: Radio) -> None:
    radio.goes(HOME)
    token, there = token_of(ada), phone()
    for _ in range(2):
        assert there.post("/moved", token=token, command="follow-once").status_code == 200
    assert "Your turn, Ada" in there.html("/seat")


def test_a_link_counts_only_while_its_phone_has_the_seat(ada: Phone, phone: Callable[[], Phone], radio: Radio) -> None:
    radio.goes(HOME)
    token = token_of(ada)
    phone().sit(0, "Eve")
    late = phone()
    assert "This code has expired" in late.html(f"/move?token={token}")
    assert late.post("/moved", token=token).status_code == 403


def test_a_link_counts_only_while_the_game_has_the_seat(
    ada: Phone, referee: Phone, phone: Callable[[], Phone], radio: Radio, table: Table
) -> None:
    def begin(*names: str) -> None:
        answer = referee.post("/open", game="pick", names=list(names))
        assert answer.status_code == 200, answer.get_data(as_text=True)

    begin("Ada", "Ben", "Cy")
    cy = phone().sit(2)
    radio.goes(HOME)
    token = token_of(cy)
    begin("Ada", "Ben")
    late = phone()
    assert "This code has expired" in late.html(f"/move?token={token}")
    assert late.post("/moved", token=token).status_code == 403
    assert "Your turn, Ada" in ada.html("/seat")


def test_whoever_sits_elsewhere_is_moved_by_no_mere_link(ada: Phone, ben: Phone, radio: Radio) -> None:
    radio.goes(HOME)
    lured = ben.html(f"/move?token={token_of(ada)}")
    assert "Welcome back, Ada" in lured
    assert "data-auto" not in lured


def test_links_run_out_and_are_made_anew() -> None:
    now = [0.0]
    moves = Moves(lambda: now[0])
    first = moves.follow(SeatId(0), "k", ())
    now[0] = 60
    assert moves.follow(SeatId(0), "k", ()) == first, "drawn again within one change of Wi-Fi"
    now[0] = 600
    assert moves.find(first) is not None, "people take their time to find the Wi-Fi"
    second = moves.follow(SeatId(0), "k", ())
    assert second != first, "another change, another link"
    assert moves.find(first) is None
    assert moves.follow(SeatId(0), "other phone", ()) != second
    third = moves.follow(REFEREE, "r", ())
    now[0] += FOLLOWING
    assert moves.find(third) is None
    assert moves.take(third, "c") is None


def away(table: Table, *seats: int) -> None:
    """Their phones stop listening, and everybody knows."""
    known = threading.Event()
    end = table.subscribe(lambda now: known.set() if now.away == seats else None)
    table.away(tuple(SeatId(seat) for seat in seats))
    assert known.wait(PATIENCE)
    end()


def test_who_comes_without_a_link_takes_the_own_seat_back_at_the_box(
    ada: Phone, ben: Phone, phone: Callable[[], Phone], table: Table
) -> None:
    assert 'id="back-0"' not in phone().html("/"), "Ada is playing with her phone"
    away(table, 0)
    there = phone()
    html = there.html("/")
    assert "I’m Ada" in html
    assert 'id="back-1"' not in html
    assert there.post("/join", seat=0, name="").get_json() == {"go": "/waiting"}
    assert there.get("/seat").headers["Location"] == "/", "not before OK is held on the box"
    there.hold_ok()
    assert there.post("/claim").status_code == 200
    assert [chair.name for chair in table.snapshot.chairs] == ["Ada", "Ben"]
    assert ada.get("/seat").headers["Location"] == "/"


def test_nobody_sits_at_a_table_twice(ada: Phone, phone: Callable[[], Phone], table: Table) -> None:
    there = phone()
    assert there.post("/join", seat=1, name=" ADA ").get_json() == {"go": "/?namesake=0&card="}
    assert table.snapshot.joining == ()
    html = there.html("/?namesake=0&card=")
    assert "Ada already sits here" in html
    assert 'id="back-0"' in html
    assert there.post("/join", seat=1, name="Ada B.").get_json() == {"go": "/waiting"}
    assert ada.post("/join", seat=1, name="Ada").get_json() == {"go": "/waiting"}, "she moves to another seat"
    for strange in ("9", "-2", "x"):
        assert "already sits here" not in there.html(f"/?namesake={strange}")


@pytest.fixture
def server(app: Flask) -> Iterator[WebServer]:
    with WebServer(app, "127.0.0.1") as server:
        yield server


@pytest.mark.browser
def test_in_a_browser_the_link_comes_by_itself_and_leads_to_the_seat(
    chromium: Browser, server: WebServer, ada: Phone, radio: Radio, table: Table
) -> None:
    url = f"http://127.0.0.1:{server.port}"
    context = new_phone(chromium, 390, 844, "en", base_url=url)
    give_cookies(context, url, seat=ada.secret)
    page = context.new_page()
    page.goto("/seat")
    page.wait_for_selector("h1:has-text('Your turn, Ada')")
    # localhost is another site with other cookies, like the box on another Wi-Fi.
    radio.goes(Leaving("house", "Chez Ada", (f"localhost:{server.port}",)))
    with context.expect_page() as opened:
        page.click("#leaving a")
    there = opened.value
    there.wait_for_url(f"http://localhost:{server.port}/seat")
    there.wait_for_selector("h1:has-text('Your turn, Ada')")
    assert [(chair.name, bool(chair.key)) for chair in table.snapshot.chairs] == [("Ada", True), ("Ben", False)]
    radio.goes(None)
    there.wait_for_selector("#leaving a", state="detached")
    context.close()
