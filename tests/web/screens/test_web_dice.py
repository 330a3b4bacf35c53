"""Real dice, typed on a phone or on the box, whichever comes first; never twice, never for the next die."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from msgspec.structs import replace
from playwright.sync_api import Browser

from companion.box import Box
from companion.core import (
    PUBLIC,
    REFEREE,
    TABLE,
    Decision,
    Intent,
    PieceId,
    Pressed,
    Rule,
    RuleId,
    Said,
    Seat,
    SeatId,
    Turned,
    Verb,
    unless,
)
from companion.journal import Journal
from companion.library import Tagbook
from companion.phones.offers import dice
from companion.table import Chair, Desk, Referee, Table, bars_take_back, may_roll
from tests.chromium import give_cookies, new_phone
from tests.patience import PATIENCE
from tests.pick import GAME, Bet, ChipsSet, Drew, State
from tests.web.conftest import PICK, Phone, setup_for
from web.live.server import WebServer
from web.screens.choices import MOST_KEYS, pad


class Fell(Intent, frozen=True):
    number: int


def is_due(state: State) -> bool:
    """Ada rolls as soon as she has no chips; the result is hers. A 0 leaves the same question open."""
    return state.chips[0] == 0


def decisions(state: State) -> tuple[Decision, ...]:
    if is_due(state):
        return (Decision("die", (TABLE,), "", (("seat", Seat(SeatId(0))),)),)
    return GAME.decisions(state)


DUE: Rule[Any, Any] = Rule(RuleId("X1"), "due", lambda state, _: unless(not is_due(state)))
ON_DIE: Rule[Any, Any] = Rule(RuleId("X3"), "on-die", lambda state, i: unless(not 0 <= i.number <= 6))
FELL: Verb[Any, Any] = Verb(
    Fell,
    (DUE,),
    lambda state, actor: (Fell(actor, n) for n in range(7)),
    (ON_DIE,),
    lambda state, intent: (ChipsSet(SeatId(0), intent.number),),
    chance=True,
)
DREW: Verb[Any, Any] = Verb(
    Drew, (DUE,), lambda state, actor: (Drew(actor, PieceId("Ace")),), (), lambda state, intent: (), chance=True
)
DICEY = replace(PICK, verbs=(*(v for v in PICK.verbs if v.intent is not Drew), FELL, DREW), decisions=decisions)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Journal.open(tmp_path / "journal.db") as journal:
        referee = Referee.begin(DICEY, setup_for(3), ("Ada", "Ben", "Chloé"), "strict", journal, lambda: 0.0)
        table = Table(Desk(referee, Tagbook(), Box()))
        table.start()
        yield table
        table.stop()


@pytest.fixture
def rolling(ada: Phone, ben: Phone) -> Phone:
    """Ada has just paid her last chips, so a die is due."""
    assert ada.act({"verb": "bet", "actor": 0, "number": 5}).status_code == 200
    return ada


def fell(phone: Phone, seat: int, number: int, asked: int | None = None, **extra: Any) -> Any:
    now = phone.table.snapshot.asked[seat] if asked is None else asked
    wish = {"type": "act", "intent": {"verb": "fell", "actor": -1, "number": number}}
    return phone.post("/command", asked=now, wish=wish, **extra)


def test_the_phone_of_who_rolls_shows_keys_and_the_others_see_who_rolls(
    rolling: Phone, ben: Phone, phone: Callable[[], Phone]
) -> None:
    html = rolling.html("/seat")
    assert "Roll or draw, Ada" in html
    assert html.count('class="keypad"') == 1
    assert html.count('data-wish=\'{"type":"act","intent":{&#34;verb&#34;:&#34;fell&#34;') == 7
    assert "drew" not in html, "a drawn card is laid, never named"
    for other in (ben, phone()):
        watching = other.html("/seat" if other is ben else "/watch")
        assert "Ada rolls or draws" in watching
        assert "keypad" not in watching


def test_what_is_typed_counts_once(rolling: Phone, table: Table) -> None:
    asked = table.snapshot.asked[0]
    first = fell(rolling, 0, 4, asked, command="one-tap-1234")
    again = fell(rolling, 0, 4, asked, command="one-tap-1234")
    assert first.get_json() == again.get_json()
    assert table.snapshot.state.chips[0] == 4
    assert fell(rolling, 0, 5, asked).status_code == 409
    assert table.snapshot.state.chips[0] == 4


def test_the_box_comes_first_and_the_phone_is_told_so(rolling: Phone, table: Table) -> None:
    asked, latest = table.snapshot.asked[0], table.latest()
    ok = Pressed("ok", held=False)
    for given in (Pressed("next", held=False), ok, Turned(2), ok):
        table.put(given)
    while table.snapshot.state.chips[0] == 0:
        assert latest.wait(PATIENCE)
    latest.close()
    on_box = table.snapshot.state.chips[0]
    late = fell(rolling, 0, 6, asked)
    assert late.status_code == 409
    assert "C1" in late.get_data(as_text=True)
    assert table.snapshot.state.chips[0] == on_box


def test_a_number_typed_for_one_die_never_counts_for_the_next(rolling: Phone, table: Table) -> None:
    """A 0 leaves the same question open, word for word; the late 6 was typed for the die before."""
    asked = table.snapshot.asked[0]
    assert fell(rolling, 0, 0, asked).status_code == 200
    assert table.snapshot.decisions[-1].is_chance
    assert fell(rolling, 0, 6, asked).status_code == 409
    assert table.snapshot.state.chips[0] == 0


def test_nobody_else_types_for_who_has_a_phone_at_hand(
    rolling: Phone, ben: Phone, phone: Callable[[], Phone], table: Table
) -> None:
    assert fell(ben, 1, 6).status_code == 409
    assert fell(phone(), 0, 6).status_code == 403
    assert table.snapshot.state.chips[0] == 0


def test_a_card_is_never_drawn_by_phone_and_no_die_shows_a_nine(rolling: Phone, table: Table) -> None:
    wish = {"type": "act", "intent": {"verb": "drew", "actor": -1, "card": "Ace"}}
    assert rolling.post("/command", asked=table.snapshot.asked[0], wish=wish).status_code == 409
    assert fell(rolling, 0, 9).status_code == 409
    assert table.snapshot.state.chips[0] == 0


def test_before_anything_is_rolled_no_phone_speaks_for_the_table(ada: Phone, table: Table) -> None:
    assert fell(ada, 0, 4).status_code == 409
    assert dice(table.moment.public, SeatId(0)) == ()


def test_who_may_type(rolling: Phone, table: Table) -> None:
    at = table.snapshot.at
    ada, ben, chloe = SeatId(0), SeatId(1), SeatId(2)
    assert [may_roll(at, seat, ()) for seat in (ada, ben, chloe, REFEREE, TABLE)] == [True, False, False, True, False]
    assert may_roll(at, chloe, (ada,)), "Ada's phone is away"
    without = replace(at, chairs=(Chair("Ada"), *at.chairs[1:]))
    assert may_roll(without, ben, ()), "Ada has no phone"
    nobody = replace(at, decisions=(replace(at.decisions[-1], facts=()),))
    assert may_roll(nobody, ben, ()), "the decision names nobody"


def test_a_die_taken_back_is_offered_again(rolling: Phone, table: Table) -> None:
    snapshot = table.snapshot
    fallen = replace(snapshot, at=replace(snapshot.at, lifted=(Fell(TABLE, 4),)))
    keys = pad(fallen.seen_by(PUBLIC), SeatId(0))
    assert keys is not None
    assert [throw.offer.intent for throw in keys.throws if throw.again] == [Fell(TABLE, 4)]


def undo(phone: Phone, seat: int, to: int) -> Any:
    return phone.post("/command", asked=phone.table.snapshot.asked[seat], wish={"type": "take-back", "to": to})


def test_a_die_that_was_mistyped_is_typed_again(rolling: Phone, ben: Phone, table: Table) -> None:
    before = table.snapshot.at.line[-1]
    fell(rolling, 0, 4)
    html = rolling.html("/seat")
    assert f'{{"type":"take-back","to":{before}}}' in html
    assert "Mistyped? It asks again." in html
    assert 'class="undo"' not in ben.html("/seat"), "whoever typed it undoes it"
    assert undo(ben, 1, before).status_code == 409
    assert undo(rolling, 0, before).status_code == 200
    assert table.snapshot.decisions[-1].is_chance
    fell(rolling, 0, 6)
    assert table.snapshot.state.chips[0] == 6


def test_what_was_done_before_a_mistyped_die_stays_done(rolling: Phone, table: Table) -> None:
    """Otherwise people could undo an unwelcome die together with what it was rolled for."""
    paid, opened = table.snapshot.at.line[-1], table.snapshot.at.line[-2]
    fell(rolling, 0, 1)
    assert undo(rolling, 0, opened).status_code == 409
    assert undo(rolling, 0, paid).status_code == 200
    assert undo(rolling, 0, opened).status_code == 409, "the die has been seen"
    assert 'class="undo"' not in rolling.html("/seat")


def test_a_die_that_something_was_done_with_stands(rolling: Phone, table: Table) -> None:
    before = table.snapshot.at.line[-1]
    fell(rolling, 0, 4)
    assert rolling.act({"verb": "bet", "actor": 0, "number": 1}).status_code == 200
    refused = undo(rolling, 0, before)
    assert refused.status_code == 409
    assert "C6" in refused.get_data(as_text=True)


def test_a_die_typed_at_the_box_is_typed_again_there(rolling: Phone, table: Table) -> None:
    latest = table.latest()
    ok, back = Pressed("ok", held=False), Pressed("back", held=False)
    for given in (Pressed("next", held=False), ok, Turned(2), ok):
        table.put(given)
    while table.snapshot.state.chips[0] == 0:
        assert latest.wait(PATIENCE)
    for given in (back, ok):
        table.put(given)
    while table.snapshot.state.chips[0] != 0:
        assert latest.wait(PATIENCE)
    latest.close()
    assert table.snapshot.decisions[-1].is_chance


def test_a_die_that_the_box_rolled_stands(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        referee = Referee.begin(DICEY, setup_for(3), ("Ada", "Ben", "Chloé"), "strict", journal, lambda: 0.0)
        referee.act(Bet(SeatId(0), 5), None, on_box=False)
        paid = referee.at.line[-1]
        referee.act(Fell(TABLE, 4), None, on_box=True)
        for by in (SeatId(0), TABLE):
            assert bars_take_back(referee.deeds, referee.at, paid, by) is not None
        assert referee.snapshot().seen_by(SeatId(0)).past.undo() is None


def test_many_numbers_become_a_field(rolling: Phone, table: Table) -> None:
    many = replace(FELL, arguments=lambda state, actor: (Fell(actor, n) for n in range(3, 40)), sure=True)
    keys = pad(replace(table.moment.public, game=replace(DICEY, verbs=(many,))), SeatId(0))
    assert keys is not None
    assert keys.number is not None
    assert keys.number.span is not None
    assert (keys.number.span.low, keys.number.span.high) == (3, 39)
    assert MOST_KEYS < 39 - 3


def test_the_api_offers_the_same(rolling: Phone, ben: Phone) -> None:
    assert [row["intent"]["number"] for row in rolling.get("/api/v1/view").get_json()["dice"]] == list(range(7))
    assert ben.get("/api/v1/view").get_json()["dice"] == []


@pytest.mark.browser
def test_a_bid_is_stepped_and_a_die_is_typed_in_a_browser(
    chromium: Browser, app: Flask, ada: Phone, table: Table
) -> None:
    with WebServer(app, "127.0.0.1") as server:
        base = f"http://127.0.0.1:{server.port}"
        context = new_phone(chromium)
        give_cookies(context, base, seat=ada.secret)
        page = context.new_page()
        page.goto(f"{base}/seat")
        for _ in range(5):
            page.get_by_role("button", name="One more").click()
        page.get_by_role("button", name="One less").click()
        page.locator("form:has([data-number]) > button").click()
        page.locator(".keypad button").nth(6).click()
        page.wait_for_selector(".keypad", state="detached")
        context.close()
    assert table.snapshot.state.chips[0] == 6


@pytest.mark.parametrize(("low", "high", "die"), [(1, 7, True), (0, 6, False), (2, 8, False), (1, 6, False)])
def test_the_keys_of_one_die_are_its_faces(rolling: Phone, table: Table, low: int, high: int, die: bool) -> None:
    some = replace(FELL, arguments=lambda state, actor: (Fell(actor, n) for n in range(low, high)), rules=(), sure=True)
    told = replace(DICEY, verbs=(some,), foresee=lambda _view, intent: (Said(f"means-{intent.number}"),))
    keys = pad(replace(table.moment.public, game=told), SeatId(0))
    assert keys is not None
    assert keys.die == die
    assert [throw.offer.foreseen[0].key for throw in keys.throws] == [f"means-{n}" for n in range(low, high)]
