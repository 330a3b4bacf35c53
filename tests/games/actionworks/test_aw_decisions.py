"""Who is asked what, with which facts, and how the end is told."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core import TABLE, Decision, Piece, Seat, SeatId, say
from companion.games.actionworks import GAME
from companion.games.actionworks import events as e
from companion.games.actionworks.fold import FOLDS, apply
from companion.games.actionworks.rules.intents import (
    Add,
    ClearTake,
    Declare,
    EndTurn,
    Go,
    PlanDeck,
    PutBack,
    SetTurn,
)
from companion.games.actionworks.state import Between
from tests.games.actionworks.play import ADA, BEN, CLEO, Table, card, laid, setup_for


def asked(table: Table) -> Decision:
    return GAME.decisions(table.now)[-1]


def test_the_table_is_asked_to_name_to_deal_and_to_draw() -> None:
    table = Table(GAME.start(setup_for(3)))
    assert (asked(table).kind, asked(table).seats, asked(table).facts) == ("name-first", (TABLE,), ())
    table.do(table.legal(TABLE)[1])
    assert asked(table).facts == (("seat", Seat(BEN)),), "Demands go round from the first player"
    table.do(table.legal(TABLE)[0])
    assert asked(table).facts == (("seat", Seat(CLEO)),)
    table.do(table.legal(TABLE)[0]).do(table.legal(TABLE)[0])
    assert (asked(table).kind, asked(table).facts) == ("flip", (("n", 2),))
    table.do(table.legal(TABLE)[0]).do(table.legal(TABLE)[0])
    dealt = []
    while asked(table).kind == "draw":
        dealt.append(dict(asked(table).facts)["seat"])
        table.do(table.legal(TABLE)[0])
    assert dealt == [Seat(seat) for seat in (BEN, BEN, CLEO, CLEO, ADA, ADA)]


def test_a_declaration_counts_its_cards_and_its_effects() -> None:
    table = laid("plan-5 plan-6 plan-8 make-4", "make-5").do(Declare(ADA, card("plan-5")), Add(ADA, card("plan-6")))
    assert asked(table).facts == (("seat", Seat(ADA)), ("n", 2))
    table.do(Add(ADA, card("plan-8")), Go(ADA))
    assert (asked(table).kind, asked(table).facts) == ("plan", (("seat", Seat(ADA)), ("n", 3)))
    table.do(PlanDeck(ADA))
    assert (asked(table).kind, asked(table).facts) == ("look", (("seat", Seat(ADA)),))


def test_putting_back_counts_down_and_asks_until_one_is_left() -> None:
    known = (("take-4", ADA), ("take-5", ADA), ("take-6", ADA), ("take-7", BEN))
    table = laid("plan-5 plan-6 plan-8 make-4", "make-5", known=known)
    table.do(Declare(ADA, card("plan-5")), Add(ADA, card("plan-6")), Add(ADA, card("plan-8")), Go(ADA))
    table.do(PlanDeck(ADA), PlanDeck(ADA), PlanDeck(ADA))
    assert (asked(table).kind, asked(table).facts) == ("order", (("seat", Seat(ADA)), ("n", 3)))
    table.do(PutBack(ADA, card("take-6")))
    assert asked(table).facts == (("seat", Seat(ADA)), ("n", 2))
    assert [hidden.value for hidden in table.now.deck.top] == ["take-6", "take-4", "take-5", "take-7"]
    table.do(PutBack(ADA, card("take-5")))
    assert len(table.happened(e.PutBackOnTop)) == 2, "the last one needs no choice"
    assert asked(table).kind == "turn"
    assert [hidden.value for hidden in table.now.deck.top] == ["take-6", "take-5", "take-4", "take-7"]


def test_four_cards_are_put_back_one_by_one() -> None:
    known = (("take-4", ADA), ("take-5", ADA), ("take-6", ADA), ("take-7", ADA))
    table = laid("plan-5 plan-6 plan-8 copy-5 make-4", "make-5", known=known, demands=("make", "take"))
    table.do(Declare(ADA, card("plan-5")), *(Add(ADA, card(name)) for name in ("plan-6", "plan-8", "copy-5")), Go(ADA))
    table.do(*(PlanDeck(ADA),) * 4)
    for left, name in ((4, "take-7"), (3, "take-6"), (2, "take-5")):
        assert (asked(table).kind, dict(asked(table).facts)["n"]) == ("order", left)
        table.do(PutBack(ADA, card(name)))
    assert len(table.happened(e.PutBackOnTop)) == 2, "the last one needs no choice"
    assert [hidden.value for hidden in table.now.deck.top] == ["take-7", "take-6", "take-5", "take-4"]
    assert asked(table).kind == "turn"


def test_a_copy_is_asked_by_name_and_a_lender_is_named() -> None:
    table = laid("copy-5 make-4", "make-5", demands=("make take", "borrow")).plays(ADA, "copy-5")
    assert asked(table).facts == (("seat", Seat(ADA)), ("card", Piece(card("copy-5"))))
    table = laid("borrow-5", "make-5 make-6", bench="").plays(ADA, "borrow-5")
    assert (asked(table).kind, asked(table).facts) == ("borrow", (("seat", Seat(ADA)), ("of", Seat(BEN))))
    table = laid("borrow-5", "make-5 make-6", "take-4").plays(ADA, "borrow-5")
    assert asked(table).kind == "borrow-from"
    for name, kind in (("take-4", "take"), ("scrap-6", "scrap"), ("plan-5", "plan")):
        assert asked(laid(f"{name} make-4", "make-5", bench="make-6 make-7").plays(ADA, name)).kind == kind


def test_clearing_counts_the_workbench() -> None:
    table = laid("make-4", "make-5", "make-6", bench="take-4 take-5 take-6").ends(ADA)
    assert (asked(table).kind, asked(table).facts) == ("clear", (("seat", Seat(BEN)), ("n", 3)))
    table.do(ClearTake(BEN, card("take-5")))
    assert asked(table).facts == (("seat", Seat(CLEO)), ("n", 2))


def test_everyone_is_asked_about_a_new_type() -> None:
    table = laid("make-4", "take-5", types=4, deck="", new_type="by-choice").ends(ADA)
    assert asked(table) == Decision("new-type", (ADA, BEN), "2", (("n", 4),))


def test_no_two_turns_look_alike() -> None:
    table = laid("make-4", "make-5")
    for turns in range(1, 5):
        while asked(table).kind != "turn":
            table.do(table.legal(asked(table).seats[0])[0])
        table.do(SetTurn(ADA, table.now.turn), SetTurn(ADA, table.now.turn))
        assert table.now.turns == 3 * turns - 1
        table.ends(table.now.turn)
        while asked(table).kind == "clear":
            table.do(table.legal(asked(table).seats[0])[0])
        assert table.now.turns == 3 * turns


@pytest.mark.parametrize("turns", [0, 1, 2, 5])
def test_a_new_round_begins_with_a_new_turn(turns: int) -> None:
    table = laid("make-4", "make-5", deck="")
    table.now = replace(table.now, turns=turns)
    assert table.ends(ADA).now.turns == turns + 1


@pytest.mark.rule("A.l", "A21")
def test_the_end_is_told_with_its_winner_or_winners() -> None:
    alone = laid("make-4", "take-5", deck="", totals=(150, 160)).ends(ADA)
    result = GAME.result(alone.now)
    assert result is not None
    assert result.said == say("result.won", seat=Seat(BEN), total=165)
    shared = laid("make-4", "take-4", "", deck="", totals=(150, 150, 0)).ends(ADA)
    result = GAME.result(shared.now)
    assert result is not None
    assert (result.winners, result.said) == ((ADA, BEN), say("result.shared", n=2, total=154))


def test_every_kind_of_event_has_its_fold_and_no_other() -> None:
    from typing import get_args

    assert set(FOLDS) == set(get_args(GAME.event))


@pytest.mark.parametrize(
    "event",
    [
        e.Added(ADA, card("plan-5")),
        e.WentAhead(ADA),
        e.ActedAs(ADA, card("copy-5"), card("demand-make")),
        e.NoEffect(ADA, card("take-4")),
    ],
)
def test_an_event_that_cannot_follow_names_itself(event: e.AnyEvent) -> None:
    with pytest.raises(ValueError, match="do not belong together"):
        apply(laid("plan-5 make-4", "make-5").now, event)


def test_a_game_that_is_over_asks_nothing() -> None:
    table = laid("make-4", "", deck="", totals=(150, 0)).ends(ADA)
    assert GAME.decisions(table.now) == ()
    assert GAME.phase(table.now) is None
    assert table.legal(ADA) == table.legal(TABLE) == ()
    assert not any(isinstance(step, Between) for step in table.now.steps)
    assert table.no(EndTurn(SeatId(0))).rule == "A21"
