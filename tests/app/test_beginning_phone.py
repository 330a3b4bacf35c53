"""A box that has never played, set up with a phone: the same questions, in at most 25 inputs to a played move."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.app.main import Options, Running, companion
from companion.app.opening import load_texts
from companion.core import Button, Pressed, ReaderId, Tapped, Uid
from companion.journal import JOURNAL, Did, Journal
from companion.library import Tagbook, settings
from companion.table import Snapshot
from tests.patience import PATIENCE
from web import create_app

pytestmark = pytest.mark.journey

HOST, MOST_INPUTS = "box.test", 25
FORM = re.compile(r"<form[^>]*data-wish=(['\"])(.*?)\1[^>]*data-asked=\"(\d+)\" data-table=\"(\w*)\"")


class Phone:
    """Somebody with a phone beside a new box: counts whatever a finger does on either."""

    def __init__(self, running: Running, app: Flask, lang: str = "en") -> None:
        self.table, self.lang, self.inputs = running.table, lang, 0
        self._client: FlaskClient = app.test_client()

    @property
    def now(self) -> Snapshot:
        return self.table.snapshot

    @property
    def question(self) -> str:
        """Which question of the first run is open."""
        return self.now.beginning.question if self.now.beginning is not None else ""

    def see(self, path: str = "/first") -> str:
        answer = self._client.get(path, base_url=f"http://{HOST}", headers={"Accept-Language": self.lang})
        assert answer.status_code == 200, (path, answer.status)
        return answer.get_data(as_text=True)

    def goes(self, path: str) -> str:
        return self._client.get(path, base_url=f"http://{HOST}").location or ""

    def post(self, path: str, **content: Any) -> Any:
        headers = {"X-Companion": "1", "Origin": f"http://{HOST}"}
        content.setdefault("command", f"command-{id(self)}-{self.inputs}")
        return self._client.post(path, base_url=f"http://{HOST}", json=content, headers=headers)

    def let_in(self, button: Button = "ok", seat: int = 0, name: str = "Zoé") -> Phone:
        """Type a name, ask, and keep a button on the box held; the page claims the seat by itself."""
        self.inputs += 2
        assert self.post("/join", seat=seat, name=name).status_code == 200
        self.hold(button)
        assert self.post("/claim").get_json()["go"] == "/seat"
        return self

    def hold(self, button: Button) -> None:
        self.until(lambda now: any(each.admitted for each in now.joining), Pressed(button, held=True))

    def until(self, is_so: Callable[[Snapshot], object], given: Pressed | Tapped) -> None:
        """Do something at the box and wait for its effect."""
        self.inputs += 1
        came = threading.Event()
        end = self.table.subscribe(lambda now: came.set() if is_so(now) else None)
        self.table.put(given)
        assert came.wait(PATIENCE), f"nothing came of {given}"
        end()

    def wishes(self, path: str = "/first") -> list[dict[str, Any]]:
        """Every button that the page offers, as the wish it sends."""
        found = FORM.findall(self.see(path))
        return [{"wish": json.loads(unescape(w)), "asked": int(a), "table": t} for _, w, a, t in found]

    def take(self, at: int, path: str = "/first") -> Any:
        self.inputs += 1
        answer = self.post("/command", **self.wishes(path)[at])
        assert answer.status_code == 200, answer.get_data(as_text=True)
        return answer


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def box(data: Path) -> Iterator[Running]:
    with companion(Options(data, port=0, pretend=True, first_run=True), tell=lambda _: None) as running:
        yield running


@pytest.fixture
def app(box: Running) -> Flask:
    return create_app(box.table, load_texts, None, (HOST,), tagbook=Tagbook())


@pytest.fixture
def phone(box: Running, app: Flask) -> Phone:
    return Phone(box, app)


def first_move(box: Running, app: Flask, zoe: Phone) -> int:
    """Inputs until somebody has moved; if the other seat begins, another phone sits down there first."""
    mover = zoe if 0 in zoe.now.awaited else Phone(box, app)
    before = zoe.inputs if mover is zoe else 0
    if mover is not zoe:
        mover.let_in(seat=1, name="")
    while not any(isinstance(entry.body, Did) and entry.cause for entry in mover.now.history):
        assert mover.inputs < MOST_INPUTS, "nobody has moved yet"
        mover.take(0, "/seat")
    return mover.inputs - before


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_from_unpacking_to_a_played_move(box: Running, app: Flask, data: Path, lang: str) -> None:
    phone = Phone(box, app, lang)
    assert phone.goes("/") == "/first"
    phone.let_in()
    assert phone.goes("/seat") == "/first", "there is no game yet"
    phone.take(1)  # French
    for button in ("check", "ok", "back"):
        phone.until(lambda now: True, Pressed(button))
    assert {"en": "Press NEXT", "fr": "Appuyez sur NEXT"}[lang] in phone.see(), "the phone follows the box"
    phone.until(lambda now: now.beginning is not None and now.beginning.question == "seats", Pressed("next"))
    phone.take(0)  # two people
    phone.take(0)  # the first game
    phone.take(1)  # the readers, by touch
    for reader in ("left", "right"):
        phone.until(lambda now: True, Tapped(Uid("04AABBCC"), ReaderId(reader)))
    assert '"do":"end"' in unescape(phone.see())
    phone.take(-1)
    phone.take(0)  # play
    assert (phone.now.beginning, phone.goes("/seat")) == (None, "")
    assert "data-go" in phone.see(), "whoever still looks at the questions is taken to the game"
    inputs = phone.inputs + first_move(box, app, phone)
    assert inputs <= MOST_INPUTS
    print(f"{inputs} inputs from unpacking to a played move, with a phone")
    assert [chair.name for chair in phone.now.chairs] == ["Zoé", "Place 2"]
    assert settings.load_settings(data).language == "fr"
    with Journal.look(data / JOURNAL) as journal:
        assert [row.table for row in journal.games()] == [phone.now.table], "the game that nobody began is forgotten"


def test_without_a_seat_a_phone_follows_and_answers_nothing(box: Running, phone: Phone) -> None:
    assert 'data-post="/join"' in phone.see()
    assert phone.wishes() == []
    before = phone.now.beginning
    wish = {"type": "lead", "question": "language", "at": 1}
    assert phone.post("/command", asked=0, wish=wish).status_code == 403
    assert phone.now.beginning == before


def test_any_button_lets_the_first_phone_in_for_wires_may_be_crossed(phone: Phone) -> None:
    phone.let_in("next")
    assert phone.now.chairs[0].name == "Zoé"


def test_once_the_buttons_are_known_it_takes_ok(box: Running, app: Flask, phone: Phone) -> None:
    phone.let_in().take(0)
    phone.take(0)  # wired as planned
    assert phone.question == "seats"
    second = Phone(box, app)
    second.post("/join", seat=1, name="Lou")
    second.until(lambda now: True, Pressed("next", held=True))
    assert [each.admitted for each in second.now.joining] == [False]
    second.hold("ok")


def test_an_answer_to_a_question_that_is_over_changes_nothing(phone: Phone) -> None:
    phone.let_in()
    late = phone.wishes()[0]
    phone.take(1)
    assert phone.post("/command", command="another-command", **late).status_code == 409
    assert phone.question == "buttons"


def test_an_answer_that_is_sent_again_counts_once(phone: Phone) -> None:
    phone.let_in().take(0)
    phone.take(0)
    phone.take(0)
    sent = phone.wishes()[0]
    for _ in range(2):
        assert phone.post("/command", command="the-same-command", **sent).status_code == 200
    assert phone.question == "tags"


def test_back_returns_to_the_question_before(phone: Phone) -> None:
    phone.let_in().take(0)
    phone.take(-1)
    assert phone.question == "language"
    phone.take(0)
    phone.take(0)
    phone.take(-1)
    assert phone.question == "buttons"


def test_who_only_sat_down_is_asked_again_after_a_power_cut(data: Path, box: Running, phone: Phone) -> None:
    phone.let_in()
    from companion.app.main import _never_played

    with Journal.look(data / JOURNAL) as journal:
        assert _never_played(Options(data, first_run=True), journal)


def test_a_phone_that_comes_again_from_another_wifi_gets_its_seat_back(box: Running, app: Flask, phone: Phone) -> None:
    """At another address it has no cookie; under its own name it is asked whether it is back, and doesn't go in
    circles.
    """
    phone.let_in()
    again = Phone(box, app)
    (seat,) = re.findall(r'name="seat" data-int value="(\d)"', again.see("/first"))
    went = again.post("/join", seat=int(seat), name="Zoé").get_json()["go"]
    page = again.see(went)
    assert 'role="alert"' in page, "it is told that somebody of that name is here"
    (back,) = re.findall(r'id="back-(\d)"', page)
    again.let_in(seat=int(back), name="")  # what its button does
    assert [chair.name for chair in again.now.chairs].count("Zoé") == 1
    assert again.goes("/seat") == "/first"
    assert again.wishes(), "and answers"
