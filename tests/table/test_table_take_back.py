"""Take back appends, asks hands to put things back, and is free until something was shown or another acted."""

from __future__ import annotations

from companion.core import ConfirmPage, Place, PlaceId, RefusedPage, Seat, SeatId, Seq, say
from companion.journal import TookBack
from companion.table import No
from companion.table.desk import Chance
from companion.table.wishes import Done
from tests.pick import A, B, Bet, Lay, Pass, Seal

from .conftest import Evening, Open, is_a

ADA, BEN = SeatId(0), SeatId(1)


def test_ada_takes_back_her_own_sealing(evening: Evening) -> None:
    evening.phone(Seal(ADA, A))
    assert evening.take_back(ADA, 1) == Done(Seq(3))
    assert evening.now.state == evening.referee.states[Seq(1)]
    assert evening.entries[-1].body == TookBack(Seq(1), ADA)


def test_take_back_then_redo_is_identity(evening: Evening) -> None:
    evening.phone(Seal(ADA, A))
    before = evening.now.state
    evening.take_back(ADA, 1)
    evening.phone(Seal(ADA, A))
    assert evening.now.state == before


def test_after_a_draw_it_is_the_tables_to_decide(open_evening: Open, always_first: Chance) -> None:
    evening = open_evening(chance=always_first)
    evening.phone(Lay(ADA, A))
    answer = evening.take_back(ADA, 1)
    assert isinstance(answer, No)
    assert (answer.refusal.rule, answer.refusal.key) == ("C6", "take-back-shown")
    evening.press("back")
    assert isinstance(evening.press("ok").flash, RefusedPage)
    evening.press("back")
    now = evening.press("ok", held=True)
    assert now.state.open == ()


def test_a_drawn_card_that_was_taken_back_comes_again(open_evening: Open) -> None:
    picks = iter((2, 0, 0))
    evening = open_evening(chance=lambda candidates, _weights: candidates[next(picks)])
    evening.phone(Lay(ADA, A))
    assert evening.now.state.hands[ADA].value == ("b", "g")
    evening.press("back")
    evening.press("ok", held=True)
    evening.phone(Lay(ADA, B))
    assert evening.now.state.hands[ADA].value == ("a", "g")


def test_another_seats_act_stands_between(evening: Evening) -> None:
    evening.phone(Pass(ADA))
    evening.phone(Bet(BEN, 1))
    answer = evening.take_back(ADA, 1)
    assert isinstance(answer, No)
    assert (answer.refusal.rule, answer.refusal.key) == ("C6", "take-back-other")


def test_what_no_longer_counts_cannot_be_taken_back(evening: Evening) -> None:
    evening.phone(Bet(ADA, 1))
    evening.take_back(ADA, 1)
    for to in (0, 1, 2, 3, 99):
        answer = evening.take_back(ADA, to)
        assert isinstance(answer, No)
        assert answer.refusal.rule == "C7"


def test_the_box_offers_the_last_act_and_ok_takes_it_back(evening: Evening) -> None:
    evening.phone(Bet(ADA, 2))
    page = evening.press("back").page
    assert isinstance(page, ConfirmPage)
    assert [said.key for said in page.foreseen] == ["intent.bet", "back.free"]
    assert evening.press("ok").state.chips[0] == 5


def test_hands_are_told_what_to_put_back_without_learning_a_secret(evening: Evening) -> None:
    evening.phone(Lay(ADA, A))
    for audience in (ADA, BEN):
        moves = evening.now.seen_by(audience).past.put_back(Seq(1)).moves
        assert dict(moves[0].facts)["place"] == Place(PlaceId("hand-0"))
    assert evening.now.seen_by(ADA).past.put_back(Seq(1)).moves[0].key == "put-back.piece"
    assert evening.now.seen_by(BEN).past.put_back(Seq(1)).moves[0].key == "put-back.count"


def test_history_marks_what_was_undone(evening: Evening) -> None:
    evening.phone(Bet(ADA, 1))
    evening.take_back(ADA, 1)
    told = evening.now.seen_by(BEN).past.told()
    assert [(t.kind, t.undone) for t in told] == [("opened", False), ("did", True), ("took-back", False)]


def test_a_correction_made_on_the_box_can_be_taken_back_there(evening: Evening) -> None:
    evening.press("check", held=True)
    evening.press("ok")
    evening.turn(3)
    assert evening.press("ok").state.chips[0] == 8
    evening.press("back")
    assert evening.press("ok").state.chips[0] == 5


def test_a_correction_does_not_reshuffle_what_was_taken_back(open_evening: Open) -> None:
    picks = iter((2, 0))
    evening = open_evening(chance=lambda candidates, _weights: candidates[next(picks)])
    evening.phone(Lay(ADA, A))
    evening.press("back")
    evening.press("ok", held=True)
    evening.press("check", held=True)
    evening.press("ok")
    evening.phone(Lay(ADA, A))
    assert evening.now.state.hands[ADA].value == ("b", "g")


def test_whose_act_would_be_taken_back_is_read_before_ok(evening: Evening) -> None:
    evening.phone(Pass(ADA))
    page = is_a(ConfirmPage, evening.press("back").page)
    assert (page.who, page.other) == (say("box.who", seat=Seat(ADA)), True), "Ben is awaited by now"
