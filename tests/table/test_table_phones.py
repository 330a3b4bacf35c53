"""Phones: commands that name their question, carry their own id, and speak only for their own seat."""

from __future__ import annotations

import msgspec
import pytest

from companion.core import Act, AdmitPage, Claim, Enrol, Join, Leave, SeatId, Seq, TakeBack, TurnPage
from companion.table import No
from companion.table.wishes import Done
from tests.pick import A, Bet, C, Lay, Pass, Seal
from tests.table.conftest import Evening

ADA, BEN = SeatId(0), SeatId(1)


def test_a_phone_acts_for_its_seat(evening: Evening) -> None:
    assert evening.phone(Seal(ADA, A)) == Done(Seq(2))
    assert evening.now.state.sealed.value == ("a",)


def test_a_repeated_command_is_answered_again_and_not_done_again(evening: Evening) -> None:
    assert evening.phone(Bet(ADA, 2), command="same") == Done(Seq(2))
    assert evening.phone(Bet(ADA, 2), command="same") == Done(Seq(2), again=True)
    assert evening.now.state.chips[0] == 3


def test_a_command_is_one_wish_of_one_seat(evening: Evening) -> None:
    """Reusing an id never gets the answer to another wish, nor another seat's answer."""
    assert evening.phone(Bet(ADA, 2), command="same") == Done(Seq(2))
    for again in (
        evening.phone(Bet(ADA, 3), command="same"),
        evening.phone(Bet(ADA, 2), command="same", as_seat=1),
        evening.ask(ADA, TakeBack(Seq(1)), command="same"),
    ):
        assert isinstance(again, No)
        assert (again.refusal.rule, again.refusal.key) == ("C12", "command-reused")
    letters = msgspec.json.encode(Bet(ADA, 2))
    spaced = Act(msgspec.Raw(letters.replace(b",", b" ,\n ")))
    assert evening.ask(ADA, spaced, command="same") == Done(Seq(2), again=True), "only its letters differ"
    assert len(evening.entries) == 2


def test_a_refused_command_is_one_wish_of_one_seat_too(evening: Evening) -> None:
    first = evening.phone(Bet(BEN, 2), command="same")
    assert isinstance(first, No)
    assert evening.phone(Bet(BEN, 2), command="same") == first
    other = evening.phone(Bet(ADA, 2), command="same")
    assert isinstance(other, No)
    assert other.refusal.rule == "C12"


def test_a_command_that_left_no_entry_is_one_wish_too(evening: Evening) -> None:
    begin = Enrol("begin", "seats")
    assert isinstance(evening.ask(ADA, begin, command="same"), Done)
    assert evening.ask(ADA, begin, command="same") == Done(evening.now.seq, again=True)
    other = evening.ask(ADA, Enrol("end"), command="same")
    assert isinstance(other, No)
    assert other.refusal.rule == "C12"


def test_a_repeated_refused_command_gets_the_same_refusal_and_no_second_entry(evening: Evening) -> None:
    first = evening.phone(Bet(ADA, 9), command="same")
    assert isinstance(first, No)
    assert evening.phone(Bet(ADA, 9), command="same") == first
    assert evening.now.seq == 2


def test_two_phones_of_one_seat_cannot_both_answer_one_question(evening: Evening) -> None:
    asked = evening.now.asked[ADA]
    evening.phone(Bet(ADA, 2), asked=asked)
    answer = evening.phone(Bet(ADA, 2), asked=asked)
    assert isinstance(answer, No)
    assert answer.refusal.rule == "C1"
    assert evening.now.state.chips[0] == 3


def test_another_seats_act_is_refused_even_if_it_would_be_legal(evening: Evening) -> None:
    answer = evening.ask(BEN, Act(msgspec.Raw(msgspec.json.encode(Pass(ADA)))))
    assert isinstance(answer, No)
    assert answer.refusal.rule == "C3"
    assert evening.now.seq == 1


def test_rubbish_is_refused_and_nothing_is_lost(evening: Evening) -> None:
    for raw in (b"{}", b'{"verb":"castle","actor":0}', b'{"verb":"bet","actor":0,"number":"much"}'):
        answer = evening.ask(ADA, Act(msgspec.Raw(raw)))
        assert isinstance(answer, No)
        assert answer.refusal.rule == "C5"
    assert evening.now.seq == 1


def test_a_refusal_on_a_phone_is_not_shown_on_the_box(evening: Evening) -> None:
    answer = evening.phone(Lay(ADA, C))
    assert isinstance(answer, No)
    assert answer.refusal.rule == "X2"
    assert evening.now.flash is None
    assert evening.now.signal == "quiet"


def test_a_phone_gets_a_seat_only_when_someone_holds_ok(evening: Evening) -> None:
    evening.ask(BEN, Join(BEN, "Benoît", "KQX"))
    assert isinstance(evening.now.page, AdmitPage)
    assert isinstance(evening.ask(BEN, Claim("KQX", "hash")), No)
    evening.press("ok")
    assert isinstance(evening.ask(BEN, Claim("KQX", "hash")), No)
    evening.press("ok", held=True)
    assert isinstance(evening.ask(BEN, Claim("KQX", "hash")), Done)
    assert evening.now.chairs[BEN].name == "Benoît"
    assert evening.now.chairs[BEN].key == "hash"
    assert evening.now.joining == ()


def test_an_admitted_phone_claims_once(evening: Evening) -> None:
    evening.ask(BEN, Join(BEN, "Benoît", "KQX"))
    evening.press("ok", held=True)
    evening.ask(BEN, Claim("KQX", "hash"))
    assert isinstance(evening.ask(BEN, Claim("KQX", "thief")), No)
    assert evening.now.chairs[BEN].key == "hash"


def test_back_sends_an_asking_phone_away(evening: Evening) -> None:
    evening.ask(BEN, Join(BEN, "Mallory", "KQX"))
    assert isinstance(evening.press("back").page, TurnPage)
    assert evening.now.joining == ()


def test_a_phone_that_leaves_keeps_the_seat_in_the_game(evening: Evening) -> None:
    evening.ask(ADA, Join(ADA, "Ada", "KQX"))
    evening.press("ok", held=True)
    evening.ask(ADA, Claim("KQX", "hash"))
    evening.ask(ADA, Leave())
    assert evening.now.chairs[ADA].name == "Ada"
    assert evening.now.chairs[ADA].key == ""


@pytest.mark.parametrize(
    "raw",
    [b'{"verb":"seal","actor":0,"card":"\xff"}', b'{"verb":"bet","actor":0,"number":2,"x":"\xff"}', b"[" * 5000],
    ids=["in an argument", "in what no argument takes", "without end"],
)
def test_what_is_no_text_is_unreadable_and_troubles_nobody(evening: Evening, raw: bytes) -> None:
    """None of it reaches the record, which contains only text, and the box shows no trouble."""
    answer = evening.ask(ADA, Act(msgspec.Raw(raw)))
    assert isinstance(answer, No)
    assert (answer.refusal.rule, answer.refusal.key) == ("C5", "unreadable")
    assert evening.now.troubles == ()
    assert len(evening.entries) == 1
