"""The report, a touched thing, and what a rule means now."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from companion.table import Table
from tests.web.conftest import Phone
from web.draw import bars, chart
from web.draw.charts import HEIGHT, TOP, WIDTH
from web.screens.history import MOST


def test_the_report_tells_the_evening_and_can_be_saved_as_one_file(
    ada: Phone, ben: Phone, phone: Callable[[], Phone]
) -> None:
    ada.act({"verb": "bet", "actor": 0, "number": 3})
    ada.act({"verb": "bet", "actor": 0, "number": 9})
    html = phone().html("/report")
    for words in ("An evening of Pick", "Chips over time", "still being played", "How long everyone took"):
        assert words in html
    assert html.count("<polyline") == 3, "one for each seat, one for the table"
    response = ben.get("/report.html")
    assert response.headers["Content-Disposition"].startswith('attachment; filename="pick-')
    saved = response.get_data(as_text=True)
    assert "<style>" in saved
    for outside in ("<script", "src=", "<link", "@import", "url(http"):
        assert outside not in saved
    assert saved.count('href="') == 0


def test_a_refusal_on_a_phone_is_in_nobodys_report(ada: Phone) -> None:
    ada.act({"verb": "bet", "actor": 0, "number": 9})
    assert "Nothing was refused on the box." in ada.html("/report")


def test_the_report_follows_a_take_back(ada: Phone, table: Table) -> None:
    to = table.snapshot.at.line[-1]
    ada.act({"verb": "bet", "actor": 0, "number": 3})
    ada.post("/command", asked=table.snapshot.asked[0], wish={"type": "take-back", "to": to})
    html = ada.html("/report")
    assert "0 moves" in html
    assert "struck" in html


def test_a_chart_stays_in_its_frame_and_letters_apart() -> None:
    seqs = (1, 5, 9, 30)
    drawn = chart(seqs, ((0, 0, 0), (3, -2, 0), (3, 7, 0), (20, 20, 20)), ("Ada", "Ben", "Chloé"))
    for curve in drawn.curves:
        for point in " ".join(curve.runs).split():
            x, y = (float(n) for n in point.split(","))
            assert 0 <= x <= WIDTH
            assert 0 <= y <= HEIGHT
    ends = sorted(curve.y for curve in drawn.curves)
    assert all(b - a >= 12 for a, b in pairwise(ends))
    level = chart((1, 2), ((0, 0, 0, 0), (0, 0, 0, 0)), ("Ada", "Ben", "Chloé", "Dan"))
    assert max(curve.y for curve in level.curves) <= HEIGHT
    apart = chart((1, 2), ((0, 0, 0), (28, 0, 0)), ("Ada", "Ben", "Chloé"))
    assert min(curve.y for curve in apart.curves) == TOP, "who is alone at the top stays there"
    assert [curve.seat for curve in drawn.curves] == [0, 1, 2]
    assert chart((1,), ((4,),), ("",)).curves[0].seat == -1
    assert len(chart((1, 2), ((0,), (10**6,)), ("",)).up) <= 6


def test_bars_are_shares_of_the_longest() -> None:
    assert [bar.share for bar in bars((("a", 5, "5", 0), ("b", 10, "10", 1)))] == [50.0, 100.0]
    assert bars(()) == ()
    assert bars((("a", 0, "0", 0),))[0].share == 0


def test_a_touched_card_says_what_it_is_and_what_may_be_done(ada: Phone) -> None:
    sheet = ada.html("/thing?kind=piece&id=Ace", **{"X-Companion": "1"})
    assert "<!doctype" not in sheet
    for words in ("Card Ace", "Hand of the first seat", "Lay Card Ace", "then one card less"):
        assert words in sheet
    ada.act({"verb": "pass", "actor": 0})
    later = ada.html("/thing?kind=piece&id=Ace")
    assert "It is the turn of Ben." in later
    assert "Why not?" in later


def test_a_card_one_may_not_know_is_not_found(ada: Phone, ben: Phone, phone: Callable[[], Phone]) -> None:
    for other in (ben, phone()):
        assert other.get("/thing?kind=piece&id=Ace").status_code == 404
        hand = other.html("/thing?kind=place&id=hand-0")
        assert "Card Ace" not in hand
        assert "Ace" not in hand.split("<svg")[-1], "nor in the drawing"
        assert "2 more that you can’t see" in hand
    assert "Card Ace" in ada.html("/thing?kind=place&id=hand-0")


@pytest.mark.parametrize(
    "query", ["", "kind=piece", "kind=piece&id=?", "kind=seat&id=9", "kind=x&id=1", "kind=place&id=%00"]
)
def test_things_that_are_not_there(ada: Phone, query: str) -> None:
    assert ada.get(f"/thing?{query}").status_code == 404


def test_a_rule_says_what_it_means_now(ada: Phone, ben: Phone) -> None:
    assert "Right now it doesn’t stop you from doing anything." in ada.html("/rules?q=X1")
    his = ben.html("/rules?q=X1")
    assert "For you, now:" in his
    assert his.count("It is the turn of Ada.") == 4
    assert "What does it mean for me now?" in ada.html("/rules")


def test_history_is_grouped_by_who_did_it(ada: Phone, ben: Phone) -> None:
    ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
    ada.act({"verb": "pass", "actor": 0})
    ben.act({"verb": "lay", "actor": 1, "card": "Bat"})
    groups = re.findall(r'<section class="deeds">.*?</section>', ben.html("/history"), re.DOTALL)
    assert "Ben laid" in groups[0]
    assert "Ada laid" in groups[1]
    assert "Ada passed" in groups[1]


def test_a_long_history_is_read_page_by_page(ada: Phone) -> None:
    for _ in range(MOST + 5):
        ada.act({"verb": "bet", "actor": 0, "number": 9})
    newest = ada.table.snapshot.seq
    shown = re.findall(r'<span class="code">#(\d+)</span>', latest := ada.html("/history"))
    assert shown == [str(seq) for seq in range(newest, newest - MOST, -1)]
    assert 'id="latest"' not in latest
    [older] = re.findall(r'id="older" href="([^"]+)"', latest)
    rest = ada.html(older)
    assert re.findall(r'<span class="code">#(\d+)</span>', rest)[0] == str(newest - MOST)
    assert 'id="latest"' in rest
    assert 'id="older"' not in rest, "the opening of the game is on this page"


def test_where_there_is_no_number_nothing_is_drawn() -> None:
    drawn = chart((1, 2, 3, 4, 5), ((None, 1), (3, 1), (None, 1), (2, 1), (2, 1)), ("Ada", "Ben"))
    ada, ben = drawn.curves
    assert (len(ada.runs), len(ben.runs)) == (2, 1)
    gone = chart((1, 2), ((3,), (None,)), ("Ada",)).curves[0]
    assert (gone.last, gone.letter) == (None, "")
    assert drawn.up[0].text == "0", "none is not less than nothing"
