"""Fixing what doesn't match the table: who and what is named, the current value is shown, everybody is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest

from companion.core import PUBLIC, REFEREE, SeatId
from companion.phones import corrections, previews
from companion.table import Table
from tests.web.conftest import Phone

ADA, BEN = SeatId(0), SeatId(1)


def chips(seat: int, number: int, actor: int = 0) -> dict[str, Any]:
    return {"verb": "set-chips", "actor": actor, "seat": seat, "number": number}


def words(phone: Phone, intent: str) -> Any:
    return phone.get(f"/words?intent={quote(intent)}")


def plain(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


def test_every_seat_is_named_with_what_it_has(ada: Phone) -> None:
    ada.act({"verb": "bet", "actor": 0, "number": 2})
    html = ada.html("/corrections")
    rows = [plain(row) for row in re.findall(r'<a class="btn fix".*?</a>', html, re.DOTALL)]
    assert rows == ["Ada 3", "Ben 5"]
    assert "data-wish" not in html, "nothing is set right from a list"


def test_one_thing_is_set_right_from_how_it_stands_and_asked_once_more(ada: Phone) -> None:
    ada.act({"verb": "bet", "actor": 0, "number": 2})
    html = ada.html("/correction?verb=set-chips&about=0")
    assert "Now: 3" in html
    assert 'min="0" max="9" value="3"' in html
    assert re.search(r'<button class="btn first" id="fix" disabled>', html), (
        "as it stands there is nothing to set right"
    )
    assert 'data-confirm="Fix this?"' in html


def test_its_button_says_who_has_what_and_what_it_was(ada: Phone) -> None:
    said = words(ada, '{"verb":"set-chips","actor":0,"seat":1,"number":7}').get_data(as_text=True)
    assert plain(said) == "Ben has 7 chips 5 → 7"
    assert "data-idle" not in said
    assert "data-idle" in words(ada, '{"verb":"set-chips","actor":0,"seat":1,"number":5}').get_data(as_text=True)


def test_the_button_of_a_bid_says_the_number_beside_it_or_why_not(ada: Phone) -> None:
    assert plain(words(ada, '{"verb":"bet","actor":0,"number":4}').get_data(as_text=True)).startswith("Bet 4 ")
    refused = plain(words(ada, '{"verb":"bet","actor":0,"number":9}').get_data(as_text=True))
    assert refused == "Bet 9 9 is more than your 5 chips."


@pytest.mark.parametrize(
    "intent", ["", "{}", '{"verb":"bet","actor":1,"number":1}', '{"verb":"none","actor":0}', "[" * 99]
)
def test_words_are_for_ones_own_wishes(ada: Phone, phone: Callable[[], Phone], intent: str) -> None:
    assert words(ada, intent).status_code == 404
    assert words(phone(), intent).status_code == 404


@pytest.mark.parametrize("query", ["", "?verb=set-chips", "?verb=set-chips&about=9", "?verb=bet&about=0", "?verb=%00"])
def test_what_cannot_be_set_right_has_no_page(ada: Phone, phone: Callable[[], Phone], query: str) -> None:
    assert ada.get("/correction" + query).status_code == 404
    assert phone().get("/correction?verb=set-chips&about=0").status_code == 404, "who watches corrects nothing"


def test_everyone_is_told_on_every_page_until_something_else_is_done(
    ada: Phone, ben: Phone, phone: Callable[[], Phone]
) -> None:
    assert ben.act(chips(0, 9, actor=1)).status_code == 200
    for who, path in ((ada, "/seat"), (ada, "/rules"), (ben, "/history"), (phone(), "/watch")):
        assert "Corrected by Ben Ada has 9 chips · 5 → 9" in plain(who.html(path))
    ada.act({"verb": "bet", "actor": 0, "number": 9})
    ben.act(chips(1, 0, actor=1))
    assert "Ada has 9 chips" not in plain(ada.html("/seat"))
    assert "Ben has 0 chips · 5 → 0" in plain(ada.html("/seat"))
    ada.act({"verb": "pass", "actor": 0})
    assert "Corrected by" not in ada.html("/seat")


def test_a_correction_taken_back_is_news_no_more(ada: Phone, table: Table) -> None:
    to = table.snapshot.at.line[-1]
    ada.act(chips(0, 9))
    ada.act({"verb": "bet", "actor": 1, "number": 1})
    assert "Corrected by Ada" in ada.html("/seat"), "a refusal in between changes nothing"
    ada.post("/command", asked=table.snapshot.asked[0], wish={"type": "take-back", "to": to})
    assert "Corrected by" not in ada.html("/seat")


def test_the_referee_sets_right_for_the_table(phone: Callable[[], Phone], table: Table) -> None:
    rosa = phone().sit(REFEREE, "Rosa")
    assert "Now: 5" in rosa.html("/correction?verb=set-chips&about=1")
    intent = '{"verb":"set-chips","actor":-1,"seat":1,"number":7}'
    assert plain(words(rosa, intent).get_data(as_text=True)) == "Ben has 7 chips 5 → 7"
    assert words(rosa, '{"verb":"pass","actor":-1}').status_code == 404, "only what people may say for the table"
    rosa.act(chips(1, 7, actor=-1), asked=max(table.snapshot.asked))
    assert table.snapshot.state.chips == (5, 7)


def test_no_more_than_three_corrections_are_news(ada: Phone, table: Table) -> None:
    for number in range(5):
        ada.act(chips(1, number))
    made = table.snapshot.seen_by(PUBLIC).past.corrected()
    assert [one.seq for one in made] == [table.snapshot.seq - n for n in range(3)]


def test_a_number_out_of_bounds_is_prefilled_within_them(table: Table) -> None:
    kind = corrections.kinds(table.snapshot.seen_by(ADA))[0]
    stands = corrections.as_it_stands(table.snapshot.seen_by(ADA), kind.things[1].settings[0].intent)
    assert (stands.seat, stands.number) == (BEN, 5)  # type: ignore[attr-defined]
    shown = previews.preview(table.snapshot.seen_by(ADA), kind.things[1].settings[0].json.encode())
    assert shown is not None
    assert shown.is_idle
