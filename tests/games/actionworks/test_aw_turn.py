"""On your turn: play, ship, keep, end."""

from __future__ import annotations

import pytest

from companion.core import NOBODY, PUBLIC, Accepted, judge
from companion.games.actionworks import GAME
from companion.games.actionworks import events as e
from companion.games.actionworks.rules.intents import Add, Borrow, BorrowFrom, ClearTake, EndTurn, Go, Play, Ship, Take
from companion.games.actionworks.state import Dealing, Turn
from tests.games.actionworks.play import ADA, BEN, CLEO, card, laid


@pytest.mark.rule("A6")
def test_each_hand_card_is_played_shipped_or_kept_in_any_order() -> None:
    table = laid("make-4 take-4 take-5", "borrow-5", bench="borrow-6 plan-5")
    table.do(Ship(ADA, card("take-5"))).plays(ADA, "take-4").do(Take(ADA, card("plan-5")))
    assert table.hand(ADA) == {"make-4", "plan-5"}
    table.do(Ship(ADA, card("plan-5"))).ends(ADA)
    assert table.hand(ADA) >= {"make-4"}


@pytest.mark.rule("A6")
@pytest.mark.parametrize("name", ["borrow-5", "borrow-6", "make-6", "nonsense", "?"])
def test_only_a_card_of_the_own_hand_is_played_or_shipped(name: str) -> None:
    table = laid("make-4", "borrow-5", bench="borrow-6")
    for intent in (Play(ADA, card(name)), Ship(ADA, card(name))):
        assert (table.no(intent).rule, table.no(intent).key) == ("A6", "in-hand")


@pytest.mark.rule("A7", "A.ah", "A26")
def test_a_shipped_card_is_sealed_even_to_its_owner_and_stays_shipped() -> None:
    table = laid("make-4 take-4", "borrow-5").do(Ship(ADA, card("make-4")))
    assert table.pile(ADA) == {"make-4"}
    for audience in (ADA, BEN, PUBLIC):
        assert table.view(audience).piles[ADA].value == ("?",)
    [shipped] = table.happened(e.Shipped)
    assert shipped.card.known_by == NOBODY
    refused = [table.no(intent(ADA, card("make-4"))) for intent in (Play, Ship)]
    assert {refusal.rule for refusal in refused} == {"A6"}
    assert not any("make-4" in repr(intent) for intent in table.legal(ADA))


@pytest.mark.rule("A8")
def test_a_played_card_lies_on_the_workbench_and_only_its_type_matters() -> None:
    low, high = laid("make-1a take-4", "borrow-5"), laid("make-7 take-4", "borrow-5")
    low.plays(ADA, "make-1a")
    high.plays(ADA, "make-7")
    assert (low.now.bench, high.now.bench) == (("make-1a",), ("make-7",))
    assert low.awaits() == high.awaits()


@pytest.mark.rule("A15")
@pytest.mark.parametrize("name", ["make-4", "take-4", "scrap-6"])
def test_a_card_may_be_played_for_nothing(name: str) -> None:
    table = laid(f"{name} plan-5", "borrow-5", deck="").plays(ADA, name)
    assert table.awaits() == ("turn", (ADA,))
    assert table.now.bench == (name,)


@pytest.mark.rule("A15")
def test_a_borrow_from_an_empty_hand_gets_nothing() -> None:
    table = laid("borrow-5 make-4", "").plays(ADA, "borrow-5")
    assert table.hand(ADA) == {"make-4"}
    assert table.happened(e.HandHidden)


@pytest.mark.rule("A16")
def test_a_turn_ends_when_announced_or_with_an_empty_hand() -> None:
    announced = laid("make-4", "borrow-5", bench="take-4 take-5").ends(ADA)
    assert announced.awaits() == ("clear", (BEN,))
    emptied = laid("make-4", "borrow-5", bench="take-4 take-5").do(Ship(ADA, card("make-4")))
    assert emptied.awaits() == ("clear", (BEN,))
    assert announced.no(EndTurn(ADA)).rule == "A17"
    assert announced.no(Play(ADA, card("make-4"))).rule == "A17"


@pytest.mark.rule("A.y")
def test_a_turn_begun_with_an_empty_hand_is_over_at_once() -> None:
    table = laid("take-4", "", bench="", types=3).ends(ADA)
    assert table.now.turn == BEN
    table.draws("make-4", "make-5")
    assert table.awaits() == ("clear", (ADA,))
    assert [event.seat for event in table.happened(e.TurnEnded)] == [BEN]


@pytest.mark.rule("A.z")
def test_an_empty_hand_is_looked_at_after_the_whole_effect() -> None:
    table = laid("take-4", "borrow-5", bench="make-4 make-5").plays(ADA, "take-4")
    assert table.awaits() == ("take", (ADA,))
    table.do(Take(ADA, card("make-4")))
    assert table.awaits() == ("turn", (ADA,))


@pytest.mark.rule("A.c")
def test_take_after_take_without_end_is_legal() -> None:
    table = laid("take-4", "borrow-5", bench="take-5 make-4")
    for _ in range(50):
        table.plays(ADA, "take-4").do(Take(ADA, card("take-5")))
        table.plays(ADA, "take-5").do(Take(ADA, card("take-4")))
    assert table.hand(ADA) == {"take-4"}


@pytest.mark.rule("A.ae")
def test_a_hand_has_no_limit() -> None:
    table = laid("take-4", "", bench="make-1a make-1b make-2a make-2b make-3a make-3b make-4 make-5 make-6").ends(ADA)
    while table.awaits()[0] == "clear":
        table.do(table.legal(table.awaits()[1][0])[0])
    assert len(table.hand(ADA)) + len(table.hand(BEN)) == 10


@pytest.mark.rule("A.p")
def test_an_open_effect_is_settled_before_anything_else() -> None:
    table = laid("take-4 make-4", "borrow-5", bench="make-5 make-6").plays(ADA, "take-4")
    for intent in (Play(ADA, card("make-4")), Ship(ADA, card("make-4")), EndTurn(ADA)):
        assert table.no(intent).rule == "A.p"


def test_answers_that_nobody_asked_for_are_refused_by_the_rule_of_their_question() -> None:
    table = laid("make-4", "borrow-5", bench="take-4")
    assert table.no(Take(ADA, card("take-4"))).rule == "A10"
    assert table.no(Borrow(ADA, card("borrow-5"))).rule == "A11"
    assert table.no(Add(ADA, card("make-4"))).rule == "A.m"
    assert table.no(Go(ADA)).rule == "A.m"
    assert table.no(ClearTake(ADA, card("take-4"))).rule == "A17"


def test_in_advise_a_play_out_of_turn_stands_with_a_mark_and_the_turn_goes_on() -> None:
    table = laid("make-4 make-5", "take-5 take-6", "plan-5", bench="borrow-5 borrow-6", advise=True)
    verdict = judge(GAME, table.now, Play(BEN, card("take-5")), advise=True)
    assert isinstance(verdict, Accepted)
    assert verdict.marks == ("A5",)
    table.plays(BEN, "take-5")
    assert table.awaits() == ("take", (BEN,))
    table.do(Take(BEN, card("borrow-5")))
    assert table.hand(BEN) == {"take-6", "borrow-5"}
    assert table.awaits() == ("turn", (ADA,))


def test_in_advise_who_plays_during_the_deal_can_end_what_that_began() -> None:
    """The deal waits below the effect: if nobody could answer, the game would be stuck."""
    table = laid("borrow-5", "make-5", "plan-5", bench="borrow-6", steps=(Turn(), Dealing(2)), advise=True)
    table.plays(ADA, "borrow-5")
    assert table.awaits() == ("borrow-from", (ADA,))
    verdict = judge(GAME, table.now, BorrowFrom(ADA, BEN), advise=True)
    assert isinstance(verdict, Accepted)
    assert verdict.marks == (), "what began it was marked"


def test_in_advise_a_card_taken_without_a_take_stands_with_a_mark() -> None:
    table = laid("make-4", "take-5", bench="borrow-5 borrow-6", advise=True)
    table.do(Take(BEN, card("borrow-5")), Take(ADA, card("borrow-6")))
    assert (table.hand(ADA), table.hand(BEN)) == ({"make-4", "borrow-6"}, {"take-5", "borrow-5"})
    assert table.awaits() == ("turn", (ADA,))
    assert table.no(Take(ADA, card("make-7"))).key == "on-bench"


def test_in_advise_clearing_out_of_order_keeps_the_order_of_the_others() -> None:
    table = laid("make-4", "take-5", "plan-5", bench="borrow-5 borrow-6 make-5", advise=True).ends(ADA)
    table.do(ClearTake(CLEO, card("make-5")))
    assert table.awaits() == ("clear", (BEN,))
