"""Ada draws a card that nobody has described: she touches it, says what is printed on it, and play goes on."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from statistics import median

import msgspec
import pytest
from flask import Flask

from companion.app.opening import load_texts
from companion.box import Box
from companion.core import TABLE, PieceId, Setup
from companion.games.us_patent import GAME
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import Upgrade
from companion.games.us_patent.state.cards import Words
from companion.journal import Journal
from companion.library import Speaker, Tagbook, shelf
from companion.table import Desk, PretendBox, Referee, Table
from tests.web.conftest import Phone
from web import create_app
from web.door import Limits
from web.door.limits import Pace

HOST = "box.test"
FILLED = {"slot": "weapon", "rank": "3", "period": "6", "name.en": "Tesla Coil", "effects.0.is": "pierce"}
CARD = {"game": "us-patent", "pack": "weapon-3", "kind": "upgrade", "mark": "", "at": 0}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A game with the blank pack: Ada has just drawn Weapon 3."""
    options = tuple((option.name, option.choices[0]) for option in GAME.options)
    setup = Setup(GAME.id, GAME.version, 3, options, shelf.pack(GAME, "blank", tmp_path))
    with Journal.open(tmp_path / "journal.db") as journal:
        ticks = iter(range(10**6))
        referee = Referee.begin(GAME, setup, ("Ada", "Ben", "Cleo"), "strict", journal, lambda: float(next(ticks)))
        for card in ("quill-1814", "lampwright-1857", "velocipedist-1889"):
            referee.act(i.DrewMachine(TABLE, PieceId(card)), None, on_box=True)
        referee.act(i.Drew(TABLE, PieceId("weapon-3")), None, on_box=True)
        table = Table(Desk(referee, Tagbook(), Box(), None, None))
        table.start()
        yield table
        table.stop()


@pytest.fixture
def app(table: Table, box: PretendBox) -> Flask:
    return create_app(
        table, load_texts(GAME), box, (HOST, "localhost", "127.0.0.1"), limits=Limits({"seated": Pace(10**9, 1)})
    )


def test_a_card_in_hand_is_touched_described_and_goes_where_it_belongs(ada: Phone, table: Table) -> None:
    sheet = ada.get("/thing?kind=piece&id=weapon-3").get_data(as_text=True)
    assert "/describe?piece=weapon-3" in sheet
    assert "Weapon for 3 Gold" in sheet
    assert "power would be 3 of 5" in sheet
    form = ada.get("/describe?piece=weapon-3").get_data(as_text=True)
    assert 'name="values.rank"' in form
    assert 'data-post="/describe/card"' in form
    answer = ada.post("/describe/card", **CARD, values=FILLED)
    assert answer.get_json() == {"go": "/seat"}
    card = GAME.pack_now(table.snapshot.state).upgrades[2]
    assert (card.period, card.name, len(card.effects)) == (6, Words("Tesla Coil", ""), 1)
    assert "Tesla Coil" in ada.get("/seat").get_data(as_text=True)


def test_the_seat_page_and_the_map_ask_for_the_description_first(ada: Phone, ben: Phone) -> None:
    for path in ("/seat", "/thing?kind=place&id=3/lab"):
        assert 'id="describe-weapon-3"' in ada.get(path).get_data(as_text=True)
        assert "describe-weapon" not in ben.get(path).get_data(as_text=True)
    assert "Nobody has said which board" in ada.get("/thing?kind=place&id=3/lab").get_data(as_text=True)
    ada.post("/describe/card", **CARD, values=FILLED)
    assert "describe-weapon" not in ada.get("/seat").get_data(as_text=True)
    sheet = ada.get("/thing?kind=place&id=3/lab").get_data(as_text=True)
    assert "This card is from board 6" in sheet
    assert "Into the Lab of board 6" in ada.get("/thing?kind=place&id=6/lab").get_data(as_text=True)


def test_nobody_else_is_told_and_nobody_else_may(ada: Phone, ben: Phone) -> None:
    assert ben.get("/describe?piece=weapon-3").status_code == 404
    assert ben.post("/describe/card", **CARD, values=FILLED).status_code == 404
    ada.post("/describe/card", **CARD, values=FILLED)
    for path in ("/seat", "/table", "/history"):
        page = ben.get(path).get_data(as_text=True)
        assert "Tesla" not in page
        assert "weapon-3" not in page


def test_what_is_wrong_is_told_beside_its_field_and_nothing_is_done(ada: Phone, table: Table) -> None:
    answer = ada.post("/describe/card", **CARD, values={**FILLED, "rank": "21"})
    assert answer.status_code == 422
    assert "Tesla Coil" in answer.get_data(as_text=True)
    assert table.snapshot.state.described == ()
    shown = ada.post("/describe/card", **CARD, values={**FILLED, "effects.0.is": "drive"}, show=True)
    assert shown.status_code == 200
    assert 'name="values.effects.0.dice"' in shown.get_data(as_text=True)
    assert table.snapshot.state.described == ()


def test_what_is_no_card_has_no_form(ada: Phone) -> None:
    for piece in ("weapon-4", "pawn-1", "nonsense", ""):
        assert ada.get(f"/describe?piece={piece}").status_code == 404


class Fields(HTMLParser):
    """The fields of a form with their values; choices say their kind."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.value: dict[str, str] = {}
        self.choices: set[str] = set()
        self._choice = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = {name: value or "" for name, value in attrs}
        name = of.get("name", "").removeprefix("values.")
        if tag == "select":
            self._choice = name
            self.choices.add(name)
        elif tag == "option" and ("selected" in of or self._choice not in self.value):
            self.value[self._choice] = of["value"]
        elif tag == "input" and of.get("name", "").startswith("values."):
            self.value[name] = of.get("value", "")


PRESS, KEY = 1.1, 0.28
"""Seconds to reach for a thing and touch it, and for one key: pointing and typing in the keystroke-level model."""


def seconds_to_enter(ada: Phone, card: Upgrade, name: str) -> float:
    """Until a card is entered: touch it, *describe*, each field that isn't right yet, save.

    The form follows the choices, as it does on the phone; type and rank of a blank card are right already.
    """
    wanted = {"period": str(card.period), "name.en": name}
    for at, effect in enumerate(card.effects):
        told = {k: str(v) for k, v in msgspec.to_builtins(effect).items()}
        wanted |= {f"effects.{at}.is": told.pop("does"), **{f"effects.{at}.{k}": v for k, v in told.items()}}
    form = Fields(ada.get("/describe?piece=weapon-3").get_data(as_text=True))
    presses, keys = 2, 0
    for field, value in wanted.items():
        if form.value[field] == value:
            continue
        presses, keys = (presses + 2, keys) if field in form.choices else (presses + 1, keys + len(value))
        filled = {**form.value, field: value}
        form = Fields(ada.post("/describe/card", **CARD, values=filled, show=True).get_data(as_text=True))
    answer = ada.post("/describe/card", **CARD, values=form.value)
    assert answer.get_json() == {"go": "/seat"}
    return PRESS * (presses + 1) + KEY * keys


@pytest.mark.slow
def test_an_unknown_card_is_entered_in_a_quarter_of_a_minute(ada: Phone, table: Table) -> None:
    """Each of our 48 made-up cards, as if it were printed: period, name, and what it does."""
    speaker = Speaker(load_texts(GAME), "en")
    seconds = []
    for card in shelf.pack(GAME).upgrades:
        seconds.append(seconds_to_enter(ada, card, speaker.key(f"card.{card.id}")))
        entered = GAME.pack_now(table.snapshot.state).upgrades[2]
        assert (entered.period, entered.effects) == (card.period, card.effects)
        ada.post("/describe/card", **CARD, values={"slot": "weapon", "rank": "3", "period": "1", "name.en": ""})
    print(f"a card is entered in {median(seconds):.1f} s (median), {max(seconds):.1f} s at most")
    assert median(seconds) < 15
    assert max(seconds) < 23, "three effects on one card"
    assert seconds_to_enter(ada, card, 60 * "a") > max(seconds), "a long name is counted"
