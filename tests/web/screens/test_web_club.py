"""The club on a phone: joined with a code, shown or not, and who is left out; only for people who sit there."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from companion.app.plays import Records
from companion.library import Texts
from companion.table import Table
from tests.web.conftest import HOST, Phone
from web import create_app
from web.club import Club, NotPaired, Pair, Paired, TableId, load

PAIRED = Paired(TableId("t-oak4"), "0123456789abcdef", "127.0.0.1", 1, "no certificate", "Café Tournesol")
CODE = "K7MPQ2XW"


class Desk(http.server.BaseHTTPRequestHandler):
    """A hub's code desk: it knows one code, and takes it once."""

    used = False

    def do_POST(self) -> None:
        pair = msgspec.json.decode(self.rfile.read(int(self.headers["Content-Length"])), type=Pair)
        if pair.code != CODE:
            self._answer(403, NotPaired("wrong"))
        elif Desk.used:
            self._answer(403, NotPaired("used"))
        else:
            Desk.used = True
            self._answer(200, PAIRED)

    def do_GET(self) -> None:
        self._answer(404, NotPaired("unreadable"))

    def _answer(self, status: int, said: msgspec.Struct) -> None:
        body = msgspec.json.encode(said)
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[str]:
    Desk.used = False
    with http.server.HTTPServer(("127.0.0.1", 0), Desk) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def club(table: Table, tmp_path: Path) -> Iterator[Club]:
    club = Club(tmp_path, table, "1.0", Records(tmp_path))
    club.start()
    yield club
    club.close()


@pytest.fixture
def newcomer(table: Table, texts: Texts, club: Club) -> Phone:
    return Phone(create_app(table, texts, None, (HOST,), club=club), table)


def test_a_table_joins_and_says_so(newcomer: Phone, hub: str, tmp_path: Path) -> None:
    ada = newcomer.sit(0)
    assert 'href="/club"' in ada.html("/more")
    answer = ada.post("/club", do="join", address=f"http://{hub}/", code=" k7mp-q2xw ", name="Oak 4").get_json()
    assert answer == {"go": "/club"}
    assert "Café Tournesol" in ada.html("/club")
    assert "This table is on the screen at Café Tournesol" in ada.html("/more")
    member = load(tmp_path)
    assert member is not None
    assert (member.name, member.paired) == ("Oak 4", PAIRED)
    assert (tmp_path / "club.json").stat().st_mode & 0o077 == 0, "it holds a password"


@pytest.mark.parametrize(
    ("address", "code", "why"),
    [
        ("", CODE, "address"),
        ("a b", CODE, "address"),
        ("10.0.0.1:99999", CODE, "address"),
        ("HUB", "K7MPQ2X", "code"),
        ("HUB", "K7MPQ2X0", "code"),
        ("HUB", "K7MPQ2XX", "wrong"),
        ("127.0.0.1:1", CODE, "nobody"),
    ],
)
def test_why_a_table_could_not_join(newcomer: Phone, hub: str, address: str, code: str, why: str) -> None:
    ada = newcomer.sit(0)
    there = address.replace("HUB", hub)
    answer = ada.post("/club", do="join", address=there, code=code, name="Oak 4").get_json()
    assert answer["go"].startswith(f"/club?no={why}&")
    html = ada.html(answer["go"])
    assert 'id="club-no"' in html
    assert 'value="Oak 4"' in html, "nobody types it again"


def test_a_code_is_good_once(newcomer: Phone, hub: str) -> None:
    ada = newcomer.sit(0)
    ada.post("/club", do="join", address=hub, code=CODE, name="Oak 4")
    again = ada.post("/club", do="join", address=hub, code=CODE, name="Oak 4").get_json()
    assert again["go"].startswith("/club?no=used&")


def test_a_seat_is_left_out_and_a_table_is_hidden(newcomer: Phone, hub: str, tmp_path: Path) -> None:
    ada = newcomer.sit(0)
    ada.post("/club", do="join", address=hub, code=CODE, name="Oak 4")
    for do, now in (
        ("without-me", lambda m: m.left_out == ("Ada",)),
        ("with-me", lambda m: m.left_out == ()),
        ("nobody", lambda m: m.nobody and m.shown),
        ("everybody", lambda m: not m.nobody),
        ("hide", lambda m: not m.shown),
    ):
        assert f'id="club-{do}"' in ada.html("/club")
        ada.post("/club", do=do)
        assert now(load(tmp_path)), do
    assert "This table is on the screen at" not in ada.html("/more")
    ada.post("/club", do="leave")
    assert load(tmp_path) is None
    assert 'id="club-join"' in ada.html("/club")


def test_who_does_not_sit_there_changes_nothing(newcomer: Phone, phone: Callable[[], Phone]) -> None:
    assert "Take a seat first: only people at this table" in newcomer.html("/club")
    assert newcomer.post("/club", do="leave").status_code == 403


def test_a_link_fills_in_the_form(newcomer: Phone) -> None:
    html = newcomer.sit(0).html("/club?hub=10.0.0.5:8090&code=K7MPQ2XW")
    assert 'value="10.0.0.5:8090"' in html
    assert 'value="K7MPQ2XW"' in html
