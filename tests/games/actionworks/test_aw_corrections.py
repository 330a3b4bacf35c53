"""Corrections of facts at the table."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core import TABLE, PieceId, PlaceId, SeatId, allowed, verb_of
from companion.games.actionworks import GAME
from companion.games.actionworks import events as e
from companion.games.actionworks.rules.intents import (
    Add,
    Declare,
    Go,
    MoveCard,
    PlanDeck,
    SetDemand,
    SetTotal,
    SetTurn,
    Ship,
    Take,
)
from tests.games.actionworks.play import ADA, BEN, CLEO, PACK, Table, card, everywhere, laid, playout, setup_for


def moved(name: str, place: str) -> MoveCard:
    return MoveCard(ADA, card(name), PlaceId(place))


@pytest.mark.rule("A25")
def test_a_total_is_set_within_bounds() -> None:
    table = laid("make-4", "take-4").do(SetTotal(ADA, BEN, -7))
    assert table.now.totals == (0, -7)
    assert table.no(SetTotal(ADA, BEN, 400)).rule == "A25"
    assert table.no(SetTotal(ADA, BEN, -100)).rule == "A25"
    assert table.do(SetTotal(ADA, ADA, 399), SetTotal(ADA, BEN, -99)).now.totals == (399, -99)
    assert table.no(SetTotal(ADA, SeatId(2), 4)).rule == "A5"
    span = verb_of(GAME, SetTotal(ADA, BEN, 0)).span
    assert span is not None
    assert span(table.now, SetTotal(ADA, BEN, 0)) == (-99, 399)


def test_a_total_can_be_set_after_the_game_and_decides_it() -> None:
    table = laid("make-4", "take-4", deck="", totals=(150, 150)).ends(ADA).do(SetTotal(ADA, BEN, 200))
    result = GAME.result(table.now)
    assert result is not None
    assert result.winners == (BEN,)


def test_the_turn_is_set_only_while_a_turn_waits() -> None:
    table = laid("make-4", "take-4", "plan-5").do(SetTurn(BEN, CLEO))
    assert table.awaits() == ("turn", (CLEO,))
    table = laid("take-4", "make-4", bench="make-5 make-6").plays(ADA, "take-4")
    assert table.no(SetTurn(ADA, BEN)).rule == "A5"


@pytest.mark.parametrize(
    ("place", "where"),
    [("bench", "bench"), ("heap", "heap"), ("deck", "deck"), ("hand/1", "hand/1"), ("pile/0", "pile/0")],
)
@pytest.mark.parametrize("name", ["make-4", "take-4", "plan-5", "borrow-5", "make-5", "make-6"])
def test_a_card_lies_where_people_say(name: str, place: str, where: str) -> None:
    table = laid("make-4 copy-5", "take-4 copy-6", bench="plan-5", heap="make-6 borrow-5")
    before = sorted(everywhere(table.now))
    table.do(moved(name, place))
    lying = {lies.piece: lies.place for lies in GAME.layout(table.now)}
    assert lying[PieceId(name)] == where
    assert sorted(everywhere(table.now)) == before


@pytest.mark.rule("A26")
def test_a_card_shipped_by_mistake_is_found_in_its_pile() -> None:
    table = laid("make-4 take-4 copy-5", "plan-5").do(Ship(ADA, card("make-4")), Ship(ADA, card("take-4")))
    before = sorted(everywhere(table.now))
    table.do(moved("make-4", "hand/0"))
    assert (table.hand(ADA), table.pile(ADA)) == ({"copy-5", "make-4"}, {"take-4"})
    assert sorted(everywhere(table.now)) == before


def test_a_known_card_of_the_deck_can_be_moved_too() -> None:
    table = laid("make-4", "take-4", known=(("make-5", BEN),)).do(moved("make-5", "bench"))
    assert (table.now.deck.top, table.now.bench) == ((), ("make-5",))
    known = (("make-5", BEN), ("make-6", BEN), ("make-7", BEN))
    table = laid("make-4", "take-4", known=known, deck="take-5 take-6 take-7").do(moved("make-6", "bench"))
    assert [hidden.value for hidden in table.now.deck.top] == ["make-5", "make-7"]
    table.do(moved("take-6", "heap"))
    assert table.now.deck.unseen == ("take-5", "take-7")


def test_a_card_not_in_use_or_a_place_that_is_not_there_is_refused() -> None:
    table = laid("make-4", "take-4", types=3)
    assert table.no(moved("copy-5", "bench")).rule == "A27"
    assert table.no(moved("make-99", "bench")).rule == "A27"
    assert table.no(moved("make-4", "hand/2")).rule == "A4"
    assert table.no(moved("make-4", "box")).rule == "A4"


def test_only_cards_in_sight_are_listed_and_the_words_do_not_tell_where_a_card_is() -> None:
    table = laid("make-4", "take-4", bench="plan-5", heap="borrow-5 borrow-6")
    verb = verb_of(GAME, moved("plan-5", "bench"))
    assert {intent.card for intent in allowed(verb, table.now, ADA)} == {"plan-5", "borrow-6"}  # type: ignore[attr-defined]
    for name in ("make-4", "take-4", "make-6"):
        table.do(moved(name, "hand/0"))


@pytest.mark.rule("A.p")
def test_no_card_is_moved_while_someone_looks_at_the_deck() -> None:
    table = laid("plan-5 plan-6 make-4", "take-4")
    table.do(Declare(ADA, card("plan-5")))
    table.do(Go(ADA), PlanDeck(ADA))
    assert table.no(moved("make-4", "bench")).rule == "A.p"


@pytest.mark.rule("A.m")
def test_a_declared_card_that_is_carried_away_is_no_longer_declared() -> None:
    table = laid("copy-5 copy-6 take-4 make-4", "plan-5", bench="make-5 make-6", demands=("make", "take"))
    table.do(Declare(ADA, card("copy-5")), Add(ADA, card("take-4")), moved("copy-5", "hand/0"))
    assert table.awaits() == ("declare", (ADA,))
    table.do(Add(ADA, card("copy-5")), Go(ADA))
    assert table.awaits() == ("take", (ADA,)), "each card acts once"
    assert [event.card for event in table.happened(e.ActedAs)] == ["copy-5"]
    table = laid("plan-5 plan-6 make-4", "take-4").do(Declare(ADA, card("plan-5")), moved("plan-5", "bench"))
    assert table.awaits() == ("declare", (ADA,)), "it lies where it lay"
    table.do(moved("plan-5", "hand/0"))
    assert table.awaits() == ("turn", (ADA,)), "nothing is declared any more"
    assert table.hand(ADA) == {"plan-5", "plan-6", "make-4"}


def test_an_empty_workbench_after_a_correction_settles_the_effect() -> None:
    table = laid("take-4 make-4", "plan-5", bench="make-5 make-6").plays(ADA, "take-4").do(moved("make-5", "deck"))
    assert table.hand(ADA) == {"make-4", "make-6"}, "one card is left, so it is taken"
    table = laid("take-4", "plan-5", bench="make-5 make-6 make-7").plays(ADA, "take-4").do(Take(ADA, card("make-5")))
    table.ends(ADA).do(moved("make-6", "deck"), moved("make-7", "deck"))
    assert table.awaits()[0] == "flip"


def test_a_demand_is_given_to_another_seat() -> None:
    table = laid("make-4", "take-4", demands=("make", "take")).do(SetDemand(ADA, card("demand-make"), BEN))
    assert table.now.demands == ((), ("demand-take", "demand-make"))
    assert [finding.rule for finding in GAME.status(table.now).findings] == ["A3"]
    assert table.no(SetDemand(ADA, card("make-4"), BEN)).rule == "A27"
    fresh = Table(GAME.start(setup_for(2)))
    assert fresh.no(SetDemand(ADA, card("demand-make"), BEN)).rule == "A3"


def test_the_other_demands_stay_where_they_are() -> None:
    table = laid("make-4", "take-4", demands=("make take scrap", "borrow")).do(SetDemand(ADA, card("demand-take"), BEN))
    assert table.now.demands == (("demand-make", "demand-scrap"), ("demand-borrow", "demand-take"))


def test_a_copy_without_any_demand_has_no_effect() -> None:
    table = laid("copy-5 make-4", "take-4", demands=("", "take")).plays(ADA, "copy-5")
    assert table.awaits() == ("turn", (ADA,))


@settings(max_examples=40)
@given(st.integers(2, 6), st.integers(0, 2**32), st.data())
def test_corrections_at_any_moment_lose_nothing_and_leave_a_way_on(seats: int, seed: int, data: st.DataObject) -> None:
    *_, (_, _, now) = playout(seats, seed, data.draw(st.integers(1, 80)))
    offered = [intent for verb in GAME.corrections for intent in allowed(verb, now, ADA)]
    table, before = Table(now), sorted(everywhere(now))
    table.do(data.draw(st.sampled_from(offered)))
    assert sorted(everywhere(table.now)) == before == sorted(GAME.pieces(PACK))
    kind, asked = table.awaits()
    assert any(table.legal(seat) for seat in asked), kind
    assert asked == (TABLE,) or TABLE not in asked
