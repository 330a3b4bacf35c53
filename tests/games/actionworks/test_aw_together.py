"""Several cards at the same time: Plans, and Copies of anything."""

from __future__ import annotations

import pytest

from companion.core import PUBLIC
from companion.games.actionworks import events as e
from companion.games.actionworks.rules.intents import (
    ActAs,
    Add,
    Declare,
    Go,
    PlanDeck,
    PlanHand,
    Play,
    PutBack,
    ScrapCard,
    Seen,
    Take,
)
from tests.games.actionworks.play import ADA, BEN, CLEO, Table, card, cards, laid


def declared(table: Table, *names: str) -> Table:
    first, *more = (card(name) for name in names)
    return table.do(Declare(ADA, first), *(Add(ADA, name) for name in more))


@pytest.mark.rule("A12", "A.p", "A.w")
def test_two_plans_at_once_see_two_cards_and_put_them_back_in_any_order() -> None:
    table = declared(laid("plan-5 plan-6 make-4", "make-5"), "plan-5", "plan-6").do(Go(ADA))
    table.do(PlanDeck(ADA)).draws("borrow-7")
    assert table.awaits()[0] == "plan", "the second choice is made after seeing the first card"
    table.do(PlanDeck(ADA)).draws("take-6")
    assert table.awaits() == ("order", (ADA,))
    assert table.no(PutBack(ADA, card("make-4"))).rule == "A12"
    table.do(PutBack(ADA, card("take-6")))
    assert [hidden.value for hidden in table.now.deck.top] == ["take-6", "borrow-7"]
    assert table.view(BEN).deck.top[0].value == table.view(PUBLIC).deck.top[1].value == "?"
    table.plays(ADA, "make-4").draws("take-6", "borrow-7")
    assert table.now.bench[-2:] == cards("take-6 borrow-7")


@pytest.mark.rule("A12", "A.p")
def test_plans_at_once_are_mixed_between_hands_and_deck() -> None:
    table = declared(laid("plan-5 plan-6 make-4", "make-5 make-6", "take-4"), "plan-5", "plan-6").do(Go(ADA))
    table.do(PlanHand(ADA, BEN), Seen(ADA), PlanDeck(ADA)).draws("borrow-7")
    assert table.awaits() == ("turn", (ADA,))


@pytest.mark.rule("A.v", "A12")
def test_three_plans_see_the_two_cards_that_are_there() -> None:
    table = laid("plan-5 plan-6 plan-8", "make-5", deck="take-4 take-5")
    declared(table, "plan-5", "plan-6", "plan-8")
    assert table.awaits()[0] == "plan", "an empty hand has nothing to add, so the cards act"
    table.do(PlanDeck(ADA)).draws("take-5").do(PlanDeck(ADA)).draws("take-4").do(PlanDeck(ADA))
    assert table.awaits() == ("order", (ADA,))
    assert table.legal(ADA) == (PutBack(ADA, card("take-5")), PutBack(ADA, card("take-4")))


@pytest.mark.rule("A.w")
def test_who_reorders_known_cards_is_the_only_one_to_know_them() -> None:
    known = (("take-4", BEN), ("take-5", BEN), ("take-6", BEN))
    table = declared(laid("plan-5 plan-6 make-4", "make-5", known=known), "plan-5", "plan-6").do(Go(ADA))
    table.do(PlanDeck(ADA), PlanDeck(ADA), PutBack(ADA, card("take-5")))
    assert [(h.value, h.known_by) for h in table.now.deck.top] == [
        ("take-5", (ADA,)),
        ("take-4", (ADA,)),
        ("take-6", (BEN,)),
    ]


@pytest.mark.rule("A14")
def test_a_copy_acts_as_a_demand_of_its_player() -> None:
    table = laid("copy-5 make-4", "make-5", bench="plan-5 plan-6", demands=("make take", "borrow"))
    table.plays(ADA, "copy-5")
    assert table.legal(ADA) == (ActAs(ADA, card("demand-make")), ActAs(ADA, card("demand-take")))
    assert table.no(ActAs(ADA, card("demand-borrow"))).rule == "A14"
    table.do(ActAs(ADA, card("demand-take")))
    assert table.awaits() == ("take", (ADA,))


@pytest.mark.rule("A14")
def test_a_copy_with_one_demand_asks_nothing() -> None:
    table = laid("copy-5 make-4", "make-5", demands=("make", "borrow")).plays(ADA, "copy-5")
    assert table.awaits()[0] == "flip"


@pytest.mark.rule("A14", "A.p")
def test_copy_and_plan_are_two_plans() -> None:
    table = laid("plan-5 copy-5 make-4", "make-5", demands=("make", "take"))
    declared(table, "copy-5", "plan-5").do(Go(ADA), PlanDeck(ADA)).draws("borrow-7").do(PlanDeck(ADA)).draws("take-6")
    assert table.awaits() == ("order", (ADA,))


@pytest.mark.rule("A14", "A9")
def test_make_and_copy_flip_four() -> None:
    table = declared(laid("make-4 copy-5 take-4", "make-5", demands=("take", "borrow")), "make-4", "copy-5").do(Go(ADA))
    table.draws("plan-5", "plan-6", "plan-8", "take-6")
    assert table.awaits() == ("turn", (ADA,))
    assert len(table.now.bench) == 6


@pytest.mark.rule("A.m")
def test_all_cards_of_a_declaration_leave_the_hand_before_any_acts() -> None:
    table = declared(laid("plan-5 plan-6 make-4", "make-5"), "plan-5", "plan-6")
    assert table.hand(ADA) == {"make-4"}
    assert table.now.bench == cards("plan-5 plan-6")
    assert table.awaits() == ("declare", (ADA,))
    assert table.no(Play(ADA, card("make-4"))).rule == "A.p"
    table.do(Go(ADA))
    assert table.awaits()[0] == "plan"


@pytest.mark.rule("A.o")
def test_only_cards_that_act_as_one_type_are_declared_together() -> None:
    table = laid("take-4 take-5 plan-5 copy-5", "make-5", bench="make-4 make-6")
    table.do(Declare(ADA, card("take-4")))
    assert table.no(Add(ADA, card("take-5"))).rule == "A.o", "two Takes lose nothing one by one"
    assert table.no(Add(ADA, card("plan-5"))).rule == "A.o"
    assert Add(ADA, card("copy-5")) in table.legal(ADA)


@pytest.mark.rule("A.o")
def test_a_declaration_is_open_where_cards_can_go_together() -> None:
    early = laid("take-4 make-4", "make-5", types=3)
    assert early.no(Declare(ADA, card("take-4"))).rule == "A.o", "neither Plan nor Copy is in use"
    alone = laid("plan-5", "make-5")
    assert alone.no(Declare(ADA, card("plan-5"))).rule == "A.o"
    offered = [intent for intent in laid("take-4 make-4", "make-5").legal(ADA) if isinstance(intent, Declare)]
    assert len(offered) == 2, "whatever is in the hand: that it is open tells nobody which cards are"


@pytest.mark.rule("A.m")
def test_a_declaration_of_one_card_is_a_play() -> None:
    table = laid("take-4 make-4", "make-5", bench="plan-5 plan-6").do(Declare(ADA, card("take-4")), Go(ADA))
    assert table.awaits() == ("take", (ADA,))
    assert table.no(Take(ADA, card("take-4"))).rule == "A.b"


@pytest.mark.rule("A.o")
def test_a_copy_played_with_a_card_acts_as_that_type_only() -> None:
    table = laid("copy-5 copy-6 make-4", "make-5", bench="plan-5 plan-6", demands=("make take copy", "borrow"))
    declared(table, "copy-5", "copy-6").do(Go(ADA), ActAs(ADA, card("demand-take")))
    assert table.awaits() == ("take", (ADA,)), "the second has nothing to decide any more"
    assert next((event.card, event.like) for event in table.happened(e.ActedAs)) == ("copy-5", "demand-take")
    assert len(table.happened(e.ActedAs)) == 2


@pytest.mark.rule("A.q")
def test_no_card_of_the_same_declaration_is_taken_or_scrapped() -> None:
    table = laid("take-4 copy-5 make-4", "make-5", bench="plan-5 plan-6 plan-8")
    declared(table, "take-4", "copy-5").do(Go(ADA))
    assert {table.no(Take(ADA, card(name))).rule for name in ("take-4", "copy-5")} == {"A.q"}
    table.do(Take(ADA, card("plan-5")))
    assert table.no(Take(ADA, card("copy-5"))).rule == "A.q"
    table = laid("scrap-6 copy-5 make-4", "make-5", bench="plan-5 plan-6")
    declared(table, "scrap-6", "copy-5").do(Go(ADA))
    assert table.no(ScrapCard(ADA, card("copy-5"))).rule == "A.q"
    assert ScrapCard(ADA, card("plan-5")) in table.legal(ADA)


@pytest.mark.rule("A.i")
def test_a_copy_of_a_copy_demand_has_no_effect() -> None:
    table = laid("copy-5 make-4", "make-5", bench="take-4 take-5", demands=("copy", "borrow")).plays(ADA, "copy-5")
    assert table.awaits() == ("turn", (ADA,))
    assert table.now.bench == cards("take-4 take-5 copy-5")


@pytest.mark.rule("A.j", "A.s")
def test_each_copy_chooses_and_one_may_act_as_another_that_has_chosen() -> None:
    table = laid("copy-5 copy-6 make-4", "make-5", bench="plan-5 plan-6 plan-8", demands=("take copy", "borrow"))
    declared(table, "copy-5", "copy-6").do(Go(ADA), ActAs(ADA, card("demand-copy")))
    assert table.awaits() == ("act-as", (ADA,)), "the first acts as nothing, the second still chooses"
    assert ActAs(ADA, card("copy-5")) in table.legal(ADA)
    table.do(ActAs(ADA, card("demand-take")), Take(ADA, card("plan-5")))
    assert table.awaits() == ("turn", (ADA,)), "one Take, not two"


@pytest.mark.rule("A.s")
def test_a_copy_of_a_copy_without_a_type_has_no_effect() -> None:
    table = laid("copy-5 copy-6 make-4", "make-5", bench="plan-5 plan-6", demands=("take copy", "borrow"))
    declared(table, "copy-5", "copy-6").do(Go(ADA), ActAs(ADA, card("demand-copy")), ActAs(ADA, card("copy-5")))
    assert table.awaits() == ("turn", (ADA,))
    assert len(table.now.bench) == 4


@pytest.mark.rule("A.j")
def test_copies_played_one_after_another_act_as_different_types() -> None:
    table = laid("copy-5 copy-6 make-4", "make-5", bench="plan-5 plan-6", demands=("take make", "borrow"))
    table.plays(ADA, "copy-5").do(ActAs(ADA, card("demand-take")), Take(ADA, card("plan-5")))
    table.plays(ADA, "copy-6").do(ActAs(ADA, card("demand-make")))
    assert table.awaits()[0] == "flip"


@pytest.mark.rule("A.r")
def test_a_copy_is_a_copy_again_once_it_has_acted() -> None:
    table = laid("copy-5 take-4", "", "make-5", bench="plan-5", demands=("take", "copy", "make"), deck="")
    table.plays(ADA, "copy-5")
    assert table.hand(ADA) == {"plan-5", "take-4"}
    table.ends(ADA)
    [shown] = table.happened(e.PilesShown)
    assert shown.piles[BEN] == ("copy-5",)
    assert [event.points for event in table.happened(e.Scored)] == [4 - 1, 5, 5]


@pytest.mark.rule("A.z")
def test_a_whole_declaration_acts_before_an_empty_hand_ends_the_turn() -> None:
    table = declared(laid("take-4 copy-5", "make-5", bench="plan-5 plan-6 plan-8"), "take-4", "copy-5")
    table.do(Take(ADA, card("plan-5")), Take(ADA, card("plan-6")))
    assert table.awaits() == ("turn", (ADA,))


def test_in_advise_cards_of_two_types_act_one_after_the_other() -> None:
    table = laid("take-4 plan-5 make-4", "make-5", "make-6", bench="plan-6 plan-8", advise=True)
    table.do(Declare(ADA, card("take-4")), Add(ADA, card("plan-5")), Go(ADA))
    assert table.awaits() == ("take", (ADA,))
    table.do(Take(ADA, card("plan-8")))
    assert table.awaits() == ("plan", (ADA,))
    table.do(PlanHand(ADA, CLEO), Seen(ADA))
    assert table.awaits() == ("turn", (ADA,))
