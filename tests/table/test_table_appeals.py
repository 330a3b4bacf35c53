"""A strict table refuses, and people there may let it stand on the spot: by holding OK, or with the referee's phone."""

from __future__ import annotations

import msgspec
import pytest

from companion.core import (
    REFEREE,
    AcceptedPage,
    Act,
    Asked,
    ChoosePage,
    ConfirmPage,
    Intent,
    LetStand,
    Name,
    PieceId,
    Pressed,
    RefusedPage,
    Seat,
    SeatId,
    TurnPage,
    say,
)
from companion.journal import Did, Journal, TookBack, WasRefused
from companion.table import No, Referee, Snapshot
from companion.table.appeals import GRACE
from companion.table.wishes import Done
from tests.pick import GAME, Bet, C, Lay

from .conftest import Evening, Open, is_a

ADA, BEN = SeatId(0), SeatId(1)


def appeal(intent: Intent) -> Act:
    return Act(msgspec.Raw(msgspec.json.encode(intent)), appeals=True)


def refused_bet(evening: Evening) -> Snapshot:
    """Ada bets six of five chips at the box."""
    evening.press("next")
    evening.turn(2)
    evening.press("ok")
    return evening.tap_number(6)


# At the box


def test_a_refusal_says_how_it_may_stand(evening: Evening) -> None:
    flash = refused_bet(evening).flash
    assert isinstance(flash, RefusedPage)
    assert flash.leaves[0] is flash
    assert isinstance(flash.appeal, ConfirmPage)
    assert flash.appeal.foreseen == (say("appeal.against", rule=Name("X3")),)
    assert flash.appeal.takes == "stand"


def test_held_ok_lets_the_refused_act_stand_with_its_mark(evening: Evening) -> None:
    refused_bet(evening)
    now = evening.press("ok", held=True)
    assert now.state.chips[0] == -1
    assert (evening.did.marks, evening.entries[-1].cause) == (("X3",), Pressed("ok", held=True))
    assert isinstance(evening.entries[-2].body, WasRefused)


def test_lamp_and_page_say_what_it_stands_against(evening: Evening) -> None:
    refused_bet(evening)
    now = evening.press("ok", held=True)
    assert isinstance(now.flash, AcceptedPage)
    assert now.flash.lines[0] == say("stands", rule=Name("X3"))
    assert now.signal == "stands"


def test_a_short_ok_is_no_appeal(evening: Evening) -> None:
    seq = refused_bet(evening).seq
    now = evening.press("ok")
    assert (now.seq, now.state.chips[0]) == (seq, 5)
    assert isinstance(now.page, ChoosePage)


def test_once_anything_else_was_pressed_it_is_too_late(evening: Evening) -> None:
    seq = refused_bet(evening).seq
    evening.press("check")
    assert evening.press("ok", held=True).seq == seq


def test_only_while_it_is_shown(open_evening: Open) -> None:
    hours = [100.0]
    evening = open_evening(hours=lambda: hours[0])
    shown = 4.0 * len(is_a(RefusedPage, refused_bet(evening).flash).leaves)
    hours[0] += shown + GRACE + 0.1
    now = evening.press("ok", held=True)
    assert isinstance(now.page, ChoosePage), "what OK does at any other time"
    assert now.state.chips[0] == 5
    evening.press("back")
    refused_bet(evening)
    hours[0] += shown
    assert evening.press("ok", held=True).state.chips[0] == -1, "the hold began while it was shown"


def test_what_hands_cannot_do_does_not_stand_and_says_so(evening: Evening) -> None:
    flash = evening.tap("g").flash  # it lies in the deck
    assert isinstance(flash, RefusedPage)
    assert (flash.held, flash.appeal) == ("cannot", None)
    before = evening.now.seq
    now = evening.press("ok", held=True)
    assert now.seq == before
    assert is_a(RefusedPage, now.flash).refusal.rule == "C13"
    assert isinstance(evening.press("ok", held=True).page, ChoosePage), "there is no more to be said"


def test_where_taps_mean_several_acts_held_ok_lists_them_and_ok_lets_one_stand(evening: Evening) -> None:
    flash = evening.tap("c").flash  # Ben lays or seals it, in Ada's turn
    assert isinstance(flash, RefusedPage)
    assert flash.held == "which"
    page = evening.press("ok", held=True).page
    assert isinstance(page, ChoosePage)
    assert page.title == say("appeal.which")
    assert page.who == say("box.who", seat=Seat(BEN))
    now = evening.press("ok")
    assert now.state.open == ("c",)
    assert evening.did.marks == ("X1",)


def test_back_from_that_list_lets_nothing_stand(evening: Evening) -> None:
    seq = evening.tap("c").seq
    evening.press("ok", held=True)
    now = evening.press("back")
    assert isinstance(now.page, TurnPage)
    assert now.seq == seq


def test_it_is_taken_back_like_any_act(evening: Evening) -> None:
    refused_bet(evening)
    evening.press("ok", held=True)
    evening.press("back")
    now = evening.press("ok")
    assert isinstance(evening.entries[-1].body, TookBack)
    assert now.state.chips[0] == 5


def test_the_rule_holds_again_for_the_next_act(evening: Evening) -> None:
    refused_bet(evening)
    evening.press("ok", held=True)
    evening.phone(Bet(ADA, 1))
    assert isinstance(evening.entries[-1].body, WasRefused)


def test_a_table_that_advises_says_what_stands(open_evening: Open) -> None:
    evening = open_evening(mode="advise")
    refused_bet(evening)
    now = evening.press("ok")
    assert is_a(AcceptedPage, now.flash).lines[0] == say("stands", rule=Name("X3"))
    assert now.signal == "stands"


# On phones


def test_a_phone_asks_and_held_ok_at_the_box_agrees(evening: Evening) -> None:
    answer = evening.ask(BEN, appeal(Lay(BEN, C)))
    assert isinstance(answer, Done)
    asked = evening.now.appeal
    assert asked is not None
    assert (asked.seat, asked.refusal.rule) == (BEN, "X1")
    page = evening.now.page
    assert isinstance(page, ConfirmPage)
    assert (page.foreseen, page.takes) == ((say("appeal.against", rule=Name("X1")),), "hold")
    assert evening.now.state.open == (), "nothing is done yet"
    now = evening.press("ok", held=True)
    assert now.state.open == ("c",)
    assert now.appeal is None
    entry = evening.entries[-1]
    assert evening.did.marks == ("X1",)
    assert isinstance(entry.cause, Asked)
    assert entry.cause.wish == appeal(Lay(BEN, C)), "the entry tells that it was appealed, and by whom"


def test_what_a_phone_asks_takes_the_place_of_an_older_refusal(evening: Evening) -> None:
    refused_bet(evening)
    evening.ask(BEN, appeal(Lay(BEN, C)))
    assert evening.now.flash is None
    now = evening.press("ok", held=True)
    assert (now.state.open, now.state.chips[0]) == (("c",), 5), "held OK answers what the box shows"


def test_what_a_phone_asks_names_no_card_that_only_its_seat_knows(evening: Evening) -> None:
    evening.ask(BEN, appeal(Lay(BEN, C)))
    assert b'"c"' not in msgspec.json.encode(evening.now.appeal)


def test_a_short_ok_agrees_to_nothing_and_back_says_no(evening: Evening) -> None:
    evening.ask(BEN, appeal(Lay(BEN, C)))
    assert evening.press("ok").appeal is not None
    now = evening.press("back")
    assert now.appeal is None
    assert isinstance(now.page, TurnPage)
    assert now.seq == 1


def test_the_referee_agrees_from_a_phone(evening: Evening) -> None:
    evening.ask(BEN, appeal(Lay(BEN, C)), command="mine")
    answer = evening.ask(REFEREE, LetStand("mine"))
    assert answer == Done(evening.now.seq)
    assert evening.now.state.open == ("c",)


def test_the_referee_says_no(evening: Evening) -> None:
    evening.ask(BEN, appeal(Lay(BEN, C)), command="mine")
    assert isinstance(evening.ask(REFEREE, LetStand("mine", yes=False)), Done)
    assert (evening.now.appeal, evening.now.seq) == (None, 1)


@pytest.mark.parametrize("seat", [ADA, BEN])
def test_no_seat_agrees_for_the_table(evening: Evening, seat: SeatId) -> None:
    evening.ask(BEN, appeal(Lay(BEN, C)), command="mine")
    answer = evening.ask(seat, LetStand("mine"))
    assert is_a(No, answer).refusal.rule == "C3"
    assert evening.now.seq == 1


def test_nobody_appeals_for_another_seat(evening: Evening) -> None:
    answer = evening.ask(ADA, appeal(Lay(BEN, C)))
    assert is_a(No, answer).refusal.rule == "C3"
    assert evening.now.appeal is None


def test_an_appeal_that_is_gone_is_answered_gently(evening: Evening) -> None:
    evening.ask(BEN, appeal(Lay(BEN, C)), command="mine")
    evening.phone(Bet(ADA, 1))
    assert evening.now.appeal is None, "the game went on"
    answer = evening.ask(REFEREE, LetStand("mine"))
    assert is_a(No, answer).refusal.rule == "C1"


def test_a_phone_is_told_that_hands_cannot_do_it(evening: Evening) -> None:
    answer = evening.ask(BEN, appeal(Lay(BEN, PieceId("a"))))
    assert is_a(No, answer).refusal.rule == "C13"
    assert evening.now.appeal is None


def test_what_no_rule_forbids_is_done_without_asking(evening: Evening) -> None:
    evening.ask(ADA, appeal(Bet(ADA, 2)))
    assert evening.now.state.chips[0] == 3
    assert evening.did.marks == ()


def test_asking_twice_by_one_command_asks_once(evening: Evening) -> None:
    evening.ask(BEN, appeal(Lay(BEN, C)), command="mine")
    assert evening.ask(BEN, appeal(Lay(BEN, C)), command="mine") == Done(evening.now.seq, again=True)
    evening.press("ok", held=True)
    seq = evening.now.seq
    assert evening.ask(BEN, appeal(Lay(BEN, C)), command="mine") == Done(seq, again=True)
    assert evening.now.seq == seq


# The record


def test_an_appealed_game_is_replayed_to_equal_states(evening: Evening, journal: Journal) -> None:
    refused_bet(evening)
    evening.press("ok", held=True)
    evening.ask(BEN, appeal(Lay(BEN, C)))
    evening.press("ok", held=True)
    again = Referee(GAME, journal, evening.referee.table, lambda: 0.0)
    assert again.at.state == evening.now.state
    assert [e.body.marks for e in again.history if isinstance(e.body, Did)] == [("X3",), ("X1",)]


def test_an_act_that_is_no_appeal_is_written_as_it_always_was() -> None:
    assert msgspec.json.encode(Act(msgspec.Raw(b"{}"))) == b'{"type":"act","intent":{}}'
