"""Let stand against a rule, on phones: asked for, agreed to, noted, and shown in the report and the check."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from werkzeug.test import TestResponse

from companion.core import Pressed
from companion.table import Table
from tests.patience import PATIENCE
from tests.web.conftest import Phone

TOO_MUCH: dict[str, Any] = {"verb": "bet", "actor": 0, "number": 9}
OUT_OF_TURN: dict[str, Any] = {"verb": "lay", "actor": 1, "card": "Bat"}
NOT_HELD: dict[str, Any] = {"verb": "lay", "actor": 0, "card": "Dam"}


def appeal(phone: Any, intent: dict[str, Any]) -> Any:
    asked = phone.table.snapshot.asked[intent["actor"]]
    return phone.post("/command", asked=asked, wish={"type": "act", "intent": intent, "appeals": True})


def hold_ok(table: Table) -> None:
    told = threading.Event()
    end = table.subscribe(lambda s: told.set() if s.appeal is None else None)
    table.put(Pressed("ok", held=True))
    assert told.wait(PATIENCE)
    end()


def answer(referee: Phone, *, yes: bool) -> TestResponse:
    appeal = referee.table.snapshot.appeal
    assert appeal is not None
    wish = {"type": "let-stand", "command": appeal.command, "yes": yes}
    return referee.post("/command", asked=0, wish=wish)


# A strict table


def test_the_sheet_of_a_refusal_offers_to_ask_the_table(ada: Phone) -> None:
    sheet = ada.act(TOO_MUCH).get_data(as_text=True)
    assert "Ask the table" in sheet
    assert '"appeals":true' in sheet


def test_what_hands_cannot_do_is_not_offered(ada: Phone) -> None:
    sheet = ada.act(NOT_HELD).get_data(as_text=True)
    assert "Refused · X2" in sheet
    assert "Ask the table" not in sheet
    refused = appeal(ada, NOT_HELD)
    assert (refused.status_code, "C13" in refused.get_data(as_text=True)) == (409, True)


def test_everybody_reads_what_is_asked_and_only_the_referee_answers(ada: Phone, ben: Phone, referee: Phone) -> None:
    assert appeal(ada, TOO_MUCH).status_code == 200
    assert "Ada asks to let it stand" in ben.html("/seat")
    assert "Hold OK at the box" in ada.html("/seat")
    for phone, page, may_answer in ((ada, "/seat", False), (ben, "/seat", False), (referee, "/watch", True)):
        assert ('id="let-stand"' in phone.html(page)) == may_answer
    assert answer(ben, yes=True).status_code == 409


def test_the_referee_lets_it_stand(ada: Phone, referee: Phone, table: Table) -> None:
    appeal(ada, TOO_MUCH)
    assert answer(referee, yes=True).status_code == 200
    assert "asks to let it stand" not in ada.html("/seat")
    history = ada.html("/history")
    assert "allowed despite" in history


def test_the_referee_does_not(ada: Phone, referee: Phone, table: Table) -> None:
    appeal(ada, TOO_MUCH)
    seq = table.snapshot.seq
    assert answer(referee, yes=False).status_code == 200
    assert (table.snapshot.seq, table.snapshot.appeal) == (seq, None)


def test_somebody_at_the_box_lets_it_stand(ada: Phone, table: Table) -> None:
    appeal(ada, TOO_MUCH)
    hold_ok(table)
    assert "allowed despite" in ada.html("/history")


# The report and the check


def test_the_report_tells_who_did_what_against_which_rule_and_how_it_came_to_stand(ada: Phone, table: Table) -> None:
    assert "Nothing: it was all by the rules." in ada.html("/report")
    appeal(ada, TOO_MUCH)
    hold_ok(table)
    html = ada.html("/report")
    listed = html[html.index('id="stands"') :]
    begun = time.strftime("%H:%M", time.localtime(0))  # by the clocks around the table, wherever that is
    for words in ("Ada", "<b>X3</b>", "Nobody bets more", "appeal", begun):
        assert words in listed, words
    saved = ada.get("/report.html").get_data(as_text=True)
    assert "Allowed against a rule" in saved


def test_what_was_taken_back_no_longer_stands(ada: Phone, table: Table) -> None:
    appeal(ada, TOO_MUCH)
    hold_ok(table)
    assert 'id="stands"' in ada.html("/check")
    before = table.snapshot.at.line[-2]
    ada.post("/command", asked=table.snapshot.asked[0], wish={"type": "take-back", "to": before})
    for page in ("/report", "/check"):
        assert 'id="stands"' not in ada.html(page)


# A table that only takes notes


@pytest.fixture
def scribe(ada: Phone, ben: Phone, referee: Phone) -> tuple[Phone, Phone]:
    opened = referee.post("/open", game="pick", names=["Ada", "Ben"], mode="scribe")
    assert opened.status_code == 200, opened.get_data(as_text=True)
    return ada, ben


def test_a_phone_is_offered_what_would_be_noted(scribe: tuple[Phone, Phone], table: Table) -> None:
    _, ben = scribe
    html = ben.html("/seat")
    assert "Also possible" in html
    assert "Why not?" not in html[html.index("Also possible") : html.index("Your things")]
    assert ben.act(OUT_OF_TURN).status_code == 200
    report = ben.html("/report")
    assert "noted" in report[report.index('id="stands"') :]


def test_the_sheet_of_a_scribe_asks_nobody(scribe: tuple[Phone, Phone]) -> None:
    _, ben = scribe
    sheet = ben.html("/why?intent=" + quote('{"verb":"lay","actor":1,"card":"Bat"}'))
    assert "Do it anyway" in sheet
    assert "appeals" not in sheet


def test_the_set_up_names_three_ways_to_referee(referee: Phone, tmp_path: Path) -> None:
    html = referee.html("/setup?game=us-patent")
    assert [f'id="mode-{mode}"' in html for mode in ("strict", "advise", "scribe")] == [True] * 3
    assert "only takes notes" in html
