"""Ada draws a card that nobody has described: she touches it, says what is printed on it, and play goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion import shelf
from companion.core.game import Setup
from companion.core.ids import TABLE, PieceId
from companion.desk import Desk
from companion.games.us_patent import GAME
from companion.games.us_patent.cards import Words
from companion.games.us_patent.rules import intents as i
from companion.journal import Journal
from companion.opening import load_texts
from companion.referee import Referee
from companion.table import Table
from companion.tagbook import Tagbook
from web import create_app

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
        table = Table(Desk(referee, Tagbook(), None, None))
        table.start()
        yield table
        table.stop()


@pytest.fixture
def app(table: Table, box: Any) -> Flask:
    return create_app(table, load_texts(GAME), box, (HOST, "localhost", "127.0.0.1"))


def test_a_card_in_hand_is_touched_described_and_goes_where_it_belongs(ada: Any, table: Table) -> None:
    sheet = ada.get("/thing?kind=piece&id=weapon-3").get_data(as_text=True)
    assert "/describe?piece=weapon-3" in sheet
    form = ada.get("/describe?piece=weapon-3").get_data(as_text=True)
    assert 'name="values.rank"' in form
    assert 'data-post="/describe/card"' in form
    answer = ada.post("/describe/card", **CARD, values=FILLED)
    assert answer.get_json() == {"go": "/seat"}
    card = GAME.pack_now(table.snapshot.state).upgrades[2]
    assert (card.period, card.name, len(card.effects)) == (6, Words("Tesla Coil", ""), 1)
    assert "Tesla Coil" in ada.get("/seat").get_data(as_text=True)


def test_nobody_else_is_told_and_nobody_else_may(ada: Any, ben: Any) -> None:
    assert ben.get("/describe?piece=weapon-3").status_code == 404
    assert ben.post("/describe/card", **CARD, values=FILLED).status_code == 404
    ada.post("/describe/card", **CARD, values=FILLED)
    for path in ("/seat", "/table", "/history"):
        page = ben.get(path).get_data(as_text=True)
        assert "Tesla" not in page
        assert "weapon-3" not in page


def test_what_is_wrong_is_told_beside_its_field_and_nothing_is_done(ada: Any, table: Table) -> None:
    answer = ada.post("/describe/card", **CARD, values={**FILLED, "rank": "13"})
    assert answer.status_code == 422
    assert "Tesla Coil" in answer.get_data(as_text=True)
    assert table.snapshot.state.described == ()
    shown = ada.post("/describe/card", **CARD, values={**FILLED, "effects.0.is": "drive"}, show=True)
    assert shown.status_code == 200
    assert 'name="values.effects.0.dice"' in shown.get_data(as_text=True)
    assert table.snapshot.state.described == ()


def test_what_is_no_card_has_no_form(ada: Any) -> None:
    for piece in ("weapon-4", "pawn-1", "nonsense", ""):
        assert ada.get(f"/describe?piece={piece}").status_code == 404
