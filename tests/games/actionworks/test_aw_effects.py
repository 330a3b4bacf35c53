"""What a single played card does."""

from __future__ import annotations

import pytest

from companion.core import EVERYONE, PUBLIC, SeatId
from companion.games.actionworks import GAME
from companion.games.actionworks import events as e
from companion.games.actionworks.rules.intents import (
    Borrow,
    BorrowFrom,
    FromHeap,
    PlanDeck,
    PlanHand,
    Play,
    ScrapCard,
    ScrapNothing,
    Seen,
    Take,
)
from tests.games.actionworks.play import ADA, BEN, CLEO, card, cards, laid


@pytest.mark.rule("A9")
def test_make_flips_two_cards_onto_the_workbench() -> None:
    table = laid("make-4 take-4", "borrow-5").plays(ADA, "make-4")
    assert table.awaits()[0] == "flip"
    table.draws("plan-5", "make-6")
    assert table.now.bench == cards("make-4 plan-5 make-6")
    assert table.awaits() == ("turn", (ADA,))


@pytest.mark.rule("A9")
def test_make_flips_fewer_if_fewer_are_left() -> None:
    table = laid("make-4 take-4", "borrow-5", deck="plan-5").plays(ADA, "make-4").draws("plan-5")
    assert table.now.bench == cards("make-4 plan-5")
    assert table.awaits() == ("turn", (ADA,))


@pytest.mark.rule("A10", "A.b")
def test_take_gets_a_card_that_already_lay_there_not_itself() -> None:
    table = laid("take-4 take-5", "borrow-5", bench="make-4 make-5").plays(ADA, "take-4")
    assert table.legal(ADA) == (Take(ADA, card("make-4")), Take(ADA, card("make-5")))
    refusal = table.no(Take(ADA, card("take-4")))
    assert (refusal.rule, refusal.key) == ("A.b", "just-played")
    assert table.no(Take(ADA, card("make-6"))).rule == "A10"
    table.do(Take(ADA, card("make-5")))
    assert table.hand(ADA) == {"take-5", "make-5"}
    table.plays(ADA, "take-5")
    assert Take(ADA, card("take-4")) in table.legal(ADA), "played earlier this turn"


@pytest.mark.rule("A10", "A.t")
def test_the_only_card_is_taken_without_a_question() -> None:
    table = laid("take-4", "borrow-5", bench="make-4").plays(ADA, "take-4")
    assert table.hand(ADA) == {"make-4"}
    assert table.now.bench == ("take-4",)


@pytest.mark.rule("A11", "A24", "A.u")
def test_borrow_shows_a_hand_to_all_until_a_card_of_it_is_taken() -> None:
    table = laid("borrow-5", "make-4 make-5", "take-4").plays(ADA, "borrow-5")
    assert table.awaits() == ("borrow-from", (ADA,))
    assert table.legal(ADA) == (BorrowFrom(ADA, BEN), BorrowFrom(ADA, CLEO))
    table.do(BorrowFrom(ADA, BEN))
    assert table.view(PUBLIC).hands[BEN].value == cards("make-4 make-5")
    assert table.view(BEN).hands[CLEO].value == ("?",)
    assert table.no(Borrow(ADA, card("take-4"))).rule == "A11"
    table.do(Borrow(ADA, card("make-5")))
    assert (table.hand(ADA), table.hand(BEN)) == ({"make-5"}, {"make-4"})
    assert table.view(PUBLIC).hands[BEN].value == ("?",)
    assert table.view(CLEO).hands[BEN].value == ("?",)


@pytest.mark.rule("A11")
def test_with_two_players_and_one_card_a_borrow_asks_nothing() -> None:
    table = laid("borrow-5", "make-4").plays(ADA, "borrow-5")
    assert (table.hand(ADA), table.hand(BEN)) == ({"make-4"}, set())


@pytest.mark.rule("A.e")
def test_nobody_borrows_from_or_plans_on_themselves() -> None:
    table = laid("borrow-5 make-4", "make-5", "make-6").plays(ADA, "borrow-5")
    assert table.no(BorrowFrom(ADA, ADA)).rule == "A.e"
    assert table.no(BorrowFrom(ADA, SeatId(3))).rule == "A.e"
    table = laid("plan-5 make-4", "make-5", "make-6").plays(ADA, "plan-5")
    assert table.no(PlanHand(ADA, ADA)).rule == "A.e"


@pytest.mark.rule("A.t")
def test_an_empty_hand_may_be_chosen_although_it_is_useless() -> None:
    table = laid("borrow-5 make-4", "", "make-6").plays(ADA, "borrow-5").do(BorrowFrom(ADA, BEN))
    assert table.awaits() == ("turn", (ADA,))
    assert table.hand(ADA) == {"make-4"}


@pytest.mark.rule("A12", "A24", "A.u")
def test_plan_shows_a_hand_to_all_until_it_is_seen_and_no_list_is_kept() -> None:
    table = laid("plan-5 make-4", "make-5 make-6").plays(ADA, "plan-5").do(PlanHand(ADA, BEN))
    assert table.now.hands[BEN].known_by == EVERYONE
    assert not any("make-5" in repr(event) for event in table.events)
    assert table.awaits() == ("seen", (ADA,))
    assert table.no(Play(ADA, card("make-4"))).rule == "A.p"
    table.do(Seen(ADA))
    assert table.view(ADA).hands[BEN].value == ("?", "?")
    assert table.no(Seen(ADA)).rule == "A.u"


@pytest.mark.rule("A12", "A.f", "A.w")
def test_plan_looks_at_the_top_card_for_that_player_alone_and_it_stays_on_top() -> None:
    table = laid("plan-5 make-4", "make-5").plays(ADA, "plan-5").do(PlanDeck(ADA))
    before = len(table.now.deck)
    assert table.awaits()[0] == "look"
    table.draws("borrow-7")
    assert len(table.now.deck) == before
    assert table.view(ADA).deck.top[0].value == "borrow-7"
    for audience in (BEN, PUBLIC):
        assert table.view(audience).deck.top[0].value == "?"
    [looked] = table.happened(e.LookedAtDeck)
    assert looked.card.known_by == (ADA,)
    assert table.awaits() == ("turn", (ADA,))
    table.plays(ADA, "make-4")
    assert [intent.card for intent in table.legal(SeatId(-1))] == ["borrow-7"]  # type: ignore[attr-defined]


@pytest.mark.rule("A12", "A.w")
def test_a_card_that_another_knows_is_looked_at_without_a_tap_and_both_know_it() -> None:
    table = laid("plan-5 make-4", "make-5", known=(("borrow-7", BEN),)).plays(ADA, "plan-5").do(PlanDeck(ADA))
    assert table.awaits() == ("turn", (ADA,))
    assert table.now.deck.top[0].known_by == (ADA, BEN)


@pytest.mark.rule("A28")
def test_a_single_plan_is_a_hand_or_the_deck_and_plans_in_a_row_see_the_same_card() -> None:
    table = laid("plan-5 plan-6 make-4", "make-5 make-6").plays(ADA, "plan-5").do(PlanDeck(ADA)).draws("borrow-7")
    assert table.no(PlanHand(ADA, BEN)).rule == "A12"
    table.plays(ADA, "plan-6").do(PlanDeck(ADA))
    assert [hidden.value for hidden in table.now.deck.top] == ["borrow-7"]
    assert table.no(PlanDeck(ADA)).rule == "A12"


@pytest.mark.rule("A.v")
def test_a_plan_on_an_empty_deck_has_no_effect() -> None:
    table = laid("plan-5 make-4", "make-5", deck="").plays(ADA, "plan-5").do(PlanDeck(ADA))
    assert table.happened(e.NoEffect)
    assert table.awaits() == ("turn", (ADA,))


@pytest.mark.rule("A13", "A.b")
def test_scrap_puts_a_workbench_card_on_the_heap_but_not_itself() -> None:
    table = laid("scrap-6 make-4", "make-5", bench="take-4 take-5", heap="plan-5").plays(ADA, "scrap-6")
    assert table.no(ScrapCard(ADA, card("scrap-6"))).rule == "A.b"
    assert table.no(ScrapCard(ADA, card("make-4"))).rule == "A13"
    table.do(ScrapCard(ADA, card("take-5")))
    assert (table.now.heap, table.now.under) == (("take-5",), ("plan-5",))
    assert table.now.bench == cards("take-4 scrap-6")


@pytest.mark.rule("A13", "A.ag")
def test_only_the_top_of_the_heap_is_seen_and_scrap_may_take_it() -> None:
    table = laid("scrap-6", "make-5", bench="take-4", heap="plan-5 plan-6").plays(ADA, "scrap-6")
    assert (table.view(ADA).heap, table.view(ADA).under) == (("plan-6",), ("?",))
    table.do(FromHeap(ADA))
    assert table.hand(ADA) == {"plan-6"}
    assert (table.now.heap, table.now.under) == (("plan-5",), ())


@pytest.mark.rule("A.aj")
def test_a_scrap_without_anything_to_scrap_has_no_effect() -> None:
    table = laid("scrap-6 make-4", "make-5").plays(ADA, "scrap-6")
    assert table.happened(e.NoEffect)
    assert table.awaits() == ("turn", (ADA,))


@pytest.mark.rule("A.t")
def test_the_useless_half_of_a_scrap_is_free_but_a_possible_scrap_happens() -> None:
    empty_heap = laid("scrap-6 make-4", "make-5", bench="take-4").plays(ADA, "scrap-6")
    assert empty_heap.legal(ADA) == (ScrapCard(ADA, card("take-4")), FromHeap(ADA))
    assert empty_heap.no(ScrapNothing(ADA)).rule == "A.t"
    empty_heap.do(FromHeap(ADA))
    assert empty_heap.hand(ADA) == {"make-4"}
    bare_bench = laid("scrap-6 make-4", "make-5", heap="plan-5").plays(ADA, "scrap-6")
    assert bare_bench.legal(ADA) == (FromHeap(ADA), ScrapNothing(ADA))
    bare_bench.do(ScrapNothing(ADA))
    assert bare_bench.now.heap == ("plan-5",)


@pytest.mark.rule("A.ag")
def test_everyone_sees_what_lies_open_and_how_many_lie_hidden() -> None:
    table = laid("make-4 take-4", "borrow-5", bench="plan-5", heap="take-5 take-6", totals=(7, -2))
    view = table.view(PUBLIC)
    assert (view.demands, view.bench, view.totals) == (table.now.demands, table.now.bench, (7, -2))
    assert view.heap == ("take-6",)
    assert len(view.deck) == len(table.now.deck)
    assert [len(hand.value) for hand in view.hands] == [2, 1]
    assert "make-4" not in repr(view.hands)


@pytest.mark.rule("A.ak")
def test_cards_change_hands_only_through_plays() -> None:
    names = {verb.name for verb in GAME.verbs}
    assert not names & {"trade", "give", "show"}
    table = laid("make-4", "make-5 make-6", "take-4")
    kinds = {type(intent).__name__ for intent in table.legal(ADA)}
    assert kinds == {"Play", "Ship", "EndTurn"}
    assert table.legal(BEN) == table.legal(CLEO) == ()
