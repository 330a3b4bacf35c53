"""Playing by phone: act, be refused, ask why, undo, correct."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest

from companion.app.kit.kit import kit_of
from companion.app.opening import load_texts
from companion.box import Box
from companion.core import SeatId
from companion.journal import Journal
from companion.library import Tagbook
from companion.phones import offers
from companion.table import Chair, Desk, Referee, Snapshot, Table
from tests.web.conftest import HOST, Phone
from web import create_app
from web.door import key_of
from web.screens.choices import by_reason

END: dict[str, Any] = {"verb": "pass", "actor": 0}


def lay(card: str, actor: int = 0) -> dict[str, Any]:
    return {"verb": "lay", "actor": actor, "card": card}


def test_ada_plays_a_card(ada: Phone, ben: Phone, table: Table) -> None:
    assert "Lay Card Ace" in ada.html("/seat")
    answer = ada.act(lay("Ace"))
    assert answer.status_code == 200
    assert answer.get_json()["seq"] == table.snapshot.seq
    assert "<b>Lay Card Ace</b>" not in ada.html("/seat").split('class="undo"')[0], "it can only be undone now"
    assert "Ada laid Card Ace" in ben.html("/seat")


def test_the_seat_page_says_whose_turn_what_is_awaited_and_what_it_would_do(ada: Phone, ben: Phone) -> None:
    html = ada.html("/seat")
    order = ["Your turn, Ada", "Lay, seal, bet or pass.", "You may now", "then one card less", "Your things"]
    places = [html.index(words) for words in order]
    assert places == sorted(places)
    html = ben.html("/seat")
    for words in (
        "Ada’s turn",
        "Waiting for Ada:",
        "Nothing to do right now",
        "Not now",
        "It is the turn of Ada.",
        "Why not?",
    ):
        assert words in html


def test_a_number_is_asked_for_where_the_verb_wants_one(ada: Phone) -> None:
    html = ada.html("/seat")
    assert 'data-number="number" min="1" max="9"' in html
    assert ada.act({"verb": "bet", "actor": 0, "number": 3}).status_code == 200
    assert "2 chips" in ada.html("/seat")


def test_a_refusal_is_a_sheet_with_rule_reason_checklist_and_a_way_on(ada: Phone) -> None:
    refused = ada.act({"verb": "bet", "actor": 0, "number": 9})
    assert refused.status_code == 409
    sheet = refused.get_data(as_text=True)
    for words in (
        "Refused · X3",
        "9 is more than your 5 chips.",
        "It is your turn",
        "Nobody bets more",
        "Closest thing",
    ):
        assert words in sheet


def test_a_refusal_stays_on_its_phone(ada: Phone, ben: Phone, phone: Callable[[], Phone]) -> None:
    ada.act({"verb": "bet", "actor": 0, "number": 9})
    assert "9 is more than your 5 chips." in ada.html("/history")
    for other in (ben, phone()):
        for path in ("/watch", "/history", "/table", "/pretend", "/check"):
            assert "is more than your" not in other.html(path)


def test_why_not_answers_without_doing_anything(ben: Phone, table: Table) -> None:
    before = table.snapshot.seq
    intent = quote(json.dumps(lay("Bat", 1)))
    page = ben.html(f"/why?intent={intent}")
    assert "Refused · X1" in page
    assert "<!doctype html>" in page
    sheet = ben.html(f"/why?intent={intent}", **{"X-Companion": "1"})
    assert "Refused · X1" in sheet
    assert "<!doctype html>" not in sheet
    assert table.snapshot.seq == before


@pytest.mark.parametrize("intent", ["", "{}", "null", '{"verb":"fly","actor":1}', '{"verb":"pass","actor":0}'])
def test_why_not_of_what_is_not_ones_own_is_not_found(ben: Phone, intent: str) -> None:
    assert ben.get(f"/why?intent={quote(intent)}").status_code == 404


def test_who_only_watches_sees_how_every_seat_stands(ben: Phone, phone: Callable[[], Phone]) -> None:
    assert "stands well" in phone().html("/watch")
    assert "stands well" not in ben.html("/seat")


def test_a_spectator_may_neither_act_nor_ask_why(phone: Callable[[], Phone], table: Table) -> None:
    before = table.snapshot.seq
    watcher = phone()
    assert watcher.act(END).status_code == 403
    assert watcher.get("/why?intent=x").status_code == 403
    assert table.snapshot.seq == before


def test_nobody_plays_for_another_seat(ada: Phone, ben: Phone, table: Table) -> None:
    before = table.snapshot.state
    refused = ben.act(END)
    assert refused.status_code == 409
    assert "C3" in refused.get_data(as_text=True)
    with_seat = ben.post("/command", asked=1, seat=0, wish={"type": "act", "intent": END})
    assert with_seat.status_code == 400
    assert table.snapshot.state == before


def test_an_answer_to_an_old_question_is_refused_gently(ada: Phone, table: Table) -> None:
    old = table.snapshot.asked[0]
    ada.act(lay("Ace"))
    refused = ada.act(lay("Cog"), asked=old)
    assert refused.status_code == 409
    assert "C1" in refused.get_data(as_text=True)


def test_a_repeated_command_is_answered_again_and_done_once(ada: Phone, table: Table) -> None:
    first = ada.act(lay("Ace"), command="tap-tap-tap")
    seq = table.snapshot.seq
    again = ada.act(lay("Ace"), asked=1, command="tap-tap-tap")
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.get_json() == again.get_json()
    assert table.snapshot.seq == seq


def test_take_back_names_what_hands_must_put_back(ada: Phone, ben: Phone, table: Table) -> None:
    start = msgspec.json.encode(table.snapshot.state)
    ada.act(lay("Ace"))
    entry = table.snapshot.seq
    question = ada.html(f"/take-back?entry={entry}")
    assert "Card Ace" in question
    assert "Hand of the first seat" in question
    wish = json.loads(question.split("data-wish='")[1].split("'")[0])
    assert ada.post("/command", asked=table.snapshot.asked[0], wish=wish).status_code == 200
    assert msgspec.json.encode(table.snapshot.state) == start
    assert "taken back" in ben.html("/history")


def test_what_another_did_is_not_taken_back_by_oneself(ada: Phone, ben: Phone, table: Table) -> None:
    ada.act(lay("Ace"))
    entry = table.snapshot.seq
    page = ben.html(f"/take-back?entry={entry}")
    assert "Refused · C6" in page
    assert "data-wish" not in page


@pytest.mark.parametrize("entry", ["0", "1", "999", "-1", "x", ""])
def test_only_acts_can_be_taken_back(ada: Phone, entry: str) -> None:
    assert ada.get(f"/take-back?entry={entry}").status_code == 404


def test_a_correction_is_marked_for_all(ada: Phone, ben: Phone) -> None:
    assert "Set chips" in ada.html("/corrections")
    assert ada.act({"verb": "set-chips", "actor": 0, "seat": 0, "number": 0}).status_code == 200
    assert "correction" in ben.html("/history")
    assert "The first seat is out of chips." in ben.html("/check")


def test_the_tab_of_who_is_awaited_says_so_from_behind_other_tabs(ada: Phone, ben: Phone) -> None:
    mine, other = ada.html("/history"), ben.html("/history")
    assert '<title id="title">● Your turn · ' in mine
    assert "icon-turn." in mine
    assert "● Your turn" not in other
    assert "icon-turn." not in other
    assert '<title id="title">● À vous · ' in ada.html("/more", **{"Accept-Language": "fr"})


def test_the_end_of_the_game_is_said(ada: Phone, ben: Phone, table: Table) -> None:
    for card in ("Ace", "Cog"):
        ada.act(lay(card))
    ada.act(END)
    for card in ("Bat", "Dam"):
        assert ben.act(lay(card, 1)).status_code == 200
    html = ada.html("/seat")
    assert "Ada wins!" in html
    assert "All cards are laid." in html
    assert "You may now" not in html


def test_a_seated_phone_can_show_the_public_side(ada: Phone) -> None:
    public = ada.html("/watch")
    assert "Card Ace" not in public
    assert "Ada’s turn" in public


def test_what_is_closed_for_one_reason_is_one_row(ada: Phone, ben: Phone) -> None:
    html = ben.html("/seat")
    assert html.count('<details class="no same"') == 1
    assert html.count("It is the turn of Ada.") == 1, "said once, not once for each verb"
    assert html.count('class="why"') == 4, "each can still be asked about"
    rows = by_reason(offers.not_now(ben.table.snapshot.seen_by(SeatId(1))))
    assert [len(closed.rows) for closed in rows] == [4]


def who_may_out_of_turn(now: Snapshot) -> list[int]:
    """The seats that are not awaited and may do something all the same."""
    return [seat for seat in range(3) if seat not in now.awaited and offers.may(now.seen_by(SeatId(seat)))]


def test_only_whoever_is_asked_has_a_first_choice(tmp_path: Path) -> None:
    """What may be done at any time, as to end the game without a winner, is not what a seat most likely wants."""
    kit, chance = kit_of("timeline"), random.Random(5)
    with Journal.open(tmp_path / "games.journal") as journal:
        referee = Referee.begin(kit.game, kit.setup(3), ("Ada", "Ben", "Chloé"), "strict", journal, lambda: 1000.0)
        for seat in range(3):
            referee.seat(SeatId(seat), Chair("Ada", key_of(f"phone-{seat}")), None)
        while not (waiting := who_may_out_of_turn(referee.snapshot(1))):
            referee.act(kit.sensible_pick(referee.at.state, chance), None, on_box=True)
        table = Table(Desk(referee, Tagbook(), Box(), None))
        client = create_app(table, load_texts, None, (HOST,)).test_client()
        client.set_cookie("companion-seat", f"phone-{waiting[0]}", domain=HOST)
        html = client.get("/seat", base_url=f"http://{HOST}").get_data(as_text=True)
        assert 'id="b-' in html
        assert 'class="btn first" id="b-' not in html
