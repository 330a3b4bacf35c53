"""A table that only writes down: whatever hands can do is recorded at once, with the rules that it breaks."""

from __future__ import annotations

import pytest

from companion.core import (
    AcceptedPage,
    CheckPage,
    ChoosePage,
    GlancePage,
    Name,
    NumberPage,
    Page,
    RefusedPage,
    Seat,
    SeatId,
    say,
)
from companion.table import Snapshot
from companion.table.desk import Chance
from companion.table.wishes import Done
from tests.pick import Bet, C, Lay

from .conftest import Evening, Open, is_a

ADA, BEN = SeatId(0), SeatId(1)


@pytest.fixture
def scribe(open_evening: Open) -> Evening:
    return open_evening(seats=3, mode="scribe")


def lay(evening: Evening, card: str) -> Snapshot:
    """Tap a card, and take the first thing that can be done with it."""
    evening.tap(card)
    return evening.press("ok")


def test_what_else_waits_for_ok_is_done_at_once(scribe: Evening) -> None:
    now = scribe.tap_number(3)
    assert now.state.chips[0] == 2
    assert scribe.did.marks == ()


def test_whoever_acts_was_awaited(scribe: Evening) -> None:
    """Card c is in Ben's hand: nobody else can have laid it, even in Ada's turn."""
    now = lay(scribe, "c")
    assert now.state.open == ("c",)
    assert now.deeds[now.seq].intent == Lay(BEN, C)
    assert scribe.did.marks == ("X1",)


def test_nothing_warns(scribe: Evening) -> None:
    now = lay(scribe, "c")
    assert isinstance(now.flash, AcceptedPage)
    assert (now.signal, now.flash.lines[0].key) == ("accepted", "event.laid")


def test_what_only_the_awaited_seat_means_is_that_seats(scribe: Evening) -> None:
    scribe.press("next")
    scribe.turn(2)
    scribe.press("ok")
    now = scribe.tap_number(6)
    assert now.state.chips[0] == -1
    assert scribe.did.marks == ("X3",)
    assert now.deeds[now.seq].intent == Bet(ADA, 6)


def test_a_seat_tag_says_who_acts_and_does_nothing_by_itself(scribe: Evening) -> None:
    page = scribe.tap_seat(1).page
    assert isinstance(page, ChoosePage)
    assert page.who == say("box.who", seat=Seat(BEN))
    assert scribe.now.seq == 1
    scribe.turn(next(at for at, item in enumerate(page.items) if item.key.endswith(".pass")))
    now = scribe.press("ok")
    assert scribe.did.marks == ("X1",)
    assert now.state.turn == 2, "after Ben comes Chloé, whoever's turn it was"


def test_what_seats_could_have_done_alike_asks_who_it_was(open_evening: Open, always_first: Chance) -> None:
    scribe = open_evening(seats=3, mode="scribe")
    lay(scribe, "a")  # now a card is due to be drawn, and no seat is awaited
    page = is_a(ChoosePage, scribe.tap_number(3).page)
    assert [dict(item.facts)["item"] for item in page.items] == [Seat(SeatId(n)) for n in range(3)]
    scribe.turn(1)
    now = scribe.press("ok")
    assert now.deeds[now.seq].intent == Bet(BEN, 3)


def test_a_hand_is_never_listed_nor_played_from_a_list(scribe: Evening) -> None:
    verbs = is_a(ChoosePage, scribe.tap_seat(1).page)
    scribe.turn([item.key for item in verbs.items].index("verb.lay"))
    page = scribe.press("ok").page
    assert isinstance(page, ChoosePage)
    assert page.items == (say("choose.lay-item"),)
    assert scribe.now.seq == 1


def test_what_hands_cannot_do_is_refused(scribe: Evening) -> None:
    lay(scribe, "a")
    now = scribe.tap("a")  # it lies on the table
    assert isinstance(now.flash, RefusedPage)
    assert now.flash.refusal.rule == "X5", "the deck was asked for a card, and this is none of its"


def test_a_phone_out_of_turn_is_written_down(scribe: Evening) -> None:
    answer = scribe.phone(Lay(BEN, C))
    assert isinstance(answer, Done)
    assert scribe.did.marks == ("X1",)


def test_facts_are_still_set_right_with_ok(scribe: Evening) -> None:
    scribe.press("check", held=True)
    assert isinstance(scribe.press("ok").page, NumberPage)
    now = scribe.tap_number(2)
    assert now.state.chips[0] == 5
    assert scribe.press("ok").state.chips[0] == 2


def test_a_game_goes_on_in_its_mode_after_a_restart(scribe: Evening, open_evening: Open) -> None:
    lay(scribe, "c")
    again = open_evening(resume=scribe.referee.table)
    assert again.now.mode == "scribe"
    assert again.referee.replay().state == scribe.now.state


def checked(evening: Evening) -> list[Page]:
    """All pages of the referee check, to the last."""
    first = evening.press("check").page
    assert isinstance(first, CheckPage | GlancePage)
    return [first, *(evening.press("next").page for _ in range(first.of - 1))]


def test_the_check_tells_what_stands_against_the_rules(scribe: Evening) -> None:
    lay(scribe, "c")
    last = is_a(GlancePage, checked(scribe)[-1])
    assert last.title == say("check.against")
    assert [line.said for line in last.lines] == [say("check.mark", n=2, who=Seat(BEN), rule=Name("X1"))]
    assert is_a(CheckPage, scribe.press("ok").page).said == last.lines[0].said
    assert is_a(CheckPage, scribe.press("next").page).said.key == "event.laid"


def test_a_check_without_marks_has_no_page_for_them(scribe: Evening) -> None:
    scribe.tap_number(3)
    assert all(page.title != say("check.against") for page in checked(scribe) if isinstance(page, GlancePage))
