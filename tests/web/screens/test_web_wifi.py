"""The box's Wi-Fi on the phone: to the house's, to a known one, to its own; only for people who sit there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.library import Texts
from companion.table import Leaving, Table
from tests.web.conftest import HOST, Phone
from web import create_app


class Radio:
    """A Wi-Fi that only notes what is asked of it."""

    def __init__(self) -> None:
        self.has_own, self.own = True, True
        self.asked: list[tuple[str, ...]] = []
        self.to: Leaving | None = None
        self._watchers: list[Callable[[], None]] = []

    def leaving(self) -> Leaving | None:
        return self.to

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        self._watchers.append(fn)
        return lambda: self._watchers.remove(fn)

    def goes(self, to: Leaving | None) -> None:
        self.to = to
        for fn in tuple(self._watchers):
            fn()

    def is_own(self) -> bool:
        return self.own

    def names(self) -> tuple[str, ...]:
        return ("Chez Ada", 'a "b" <c>')

    def join(self, name: str, password: str) -> bool:
        if name == "impossible":
            return False
        self.asked.append(("join", name, password))
        self.goes(Leaving("house", name, ("companion.local:8080",)))
        return True

    def leave(self) -> None:
        self.asked.append(("leave",))

    def open_own(self) -> None:
        self.asked.append(("own",))
        self.goes(Leaving("own", "companion-AB12", ("10.42.0.1", "companion.local:8080")))


@pytest.fixture
def radio() -> Radio:
    return Radio()


@pytest.fixture
def newcomer(table: Table, texts: Texts, radio: Radio) -> Phone:
    app = create_app(table, texts, None, (HOST,), network=radio)
    return Phone(app, table)


def test_to_the_house_and_where_to_find_the_box_then(newcomer: Phone, radio: Radio) -> None:
    ada = newcomer.sit(0)
    assert "/wifi" in ada.html("/more")
    html = ada.html("/wifi")
    assert "on its own Wi-Fi" in html
    assert '<option value="Chez Ada">' in html
    assert "a &#34;b&#34; &lt;c&gt;" in html
    assert ada.post("/wifi", to="house", name="Chez Ada", password="correct horse").get_json() == {
        "go": "/wifi?going=house"
    }
    assert radio.asked == [("join", "Chez Ada", "correct horse")]
    html = ada.html("/wifi?going=house")
    assert "The box is moving to the Wi-Fi “Chez Ada”" in html
    assert "http://companion.local:8080/move?token=" in html
    assert "correct horse" not in html


def test_what_can_be_no_wifi_is_said_and_nothing_changes(newcomer: Phone, radio: Radio) -> None:
    ada = newcomer.sit(0)
    assert ada.post("/wifi", to="house", name="impossible").get_json() == {"go": "/wifi?going=wrong"}
    assert "That can’t be a Wi-Fi" in ada.html("/wifi?going=wrong")
    for body in ({}, {"to": "moon"}, {"to": "house", "name": 3}, {"to": "house", "name": "x" * 65}):
        assert ada.post("/wifi", **body).status_code == 400
    assert radio.asked == []


def test_to_a_known_one_and_back_to_its_own(newcomer: Phone, radio: Radio) -> None:
    ada = newcomer.sit(0)
    assert 'id="wifi-known"' in ada.html("/wifi")
    ada.post("/wifi", to="known")
    radio.own = False
    html = ada.html("/wifi")
    assert 'id="wifi-own"' in html
    assert 'id="wifi-known"' not in html
    ada.post("/wifi", to="own")
    assert radio.asked == [("leave",), ("own",)]
    radio.has_own = False
    assert 'id="wifi-own"' not in ada.html("/wifi")


def test_strangers_see_and_change_nothing(newcomer: Phone, radio: Radio, phone: Callable[[], Phone]) -> None:
    assert "Chez Ada" not in newcomer.html("/wifi")
    assert newcomer.post("/wifi", to="own").status_code == 403
    assert radio.asked == []
    elsewhere = phone().sit(0)
    assert 'id="wifi-join"' not in elsewhere.html("/wifi"), "where the machine looks after its Wi-Fi itself"
    assert elsewhere.post("/wifi", to="own").status_code == 403
    assert "/wifi" not in elsewhere.html("/more")
