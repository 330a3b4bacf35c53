"""Edge cases: actors that aren't seats, acts that stand only in advise, packs that are just large enough."""

from __future__ import annotations

import pytest

from companion.core import TABLE, Intent, Refused, SeatId, SetupError, judge
from companion.games.actionworks import GAME
from companion.games.actionworks import events as e
from companion.games.actionworks.rules.intents import (
    ActAs,
    Add,
    Borrow,
    BorrowFrom,
    Declare,
    Drew,
    EndTurn,
    Go,
    PlanDeck,
    Play,
    ScrapCard,
    Take,
)
from companion.games.actionworks.rules.turn import can_join
from companion.games.actionworks.state import TYPES, Pack
from companion.games.actionworks.state.parts import Words, pack_from_counts
from tests.games.actionworks.play import ADA, BEN, CLEO, Table, card, cards, dealt, laid, setup_for

NOBODY_THERE = (SeatId(-2), SeatId(2), SeatId(9))


def broken(table: Table, intent: Intent) -> list[str]:
    verdict = judge(GAME, table.now, intent)
    assert isinstance(verdict, Refused)
    return [refusal.key for refusal in verdict.refusals]


@pytest.mark.rule("A5", "A21")
@pytest.mark.parametrize("actor", NOBODY_THERE)
def test_who_has_no_seat_does_nothing(actor: SeatId) -> None:
    table = laid("make-4 take-4", "plan-5")
    assert broken(table, EndTurn(actor))[0] == "seat-there"
    assert "in-hand" in broken(table, Play(actor, card("plan-5")))


@pytest.mark.rule("A6")
def test_the_table_has_no_hand() -> None:
    assert "in-hand" in broken(laid("make-4", "plan-5"), Play(TABLE, card("plan-5")))


@pytest.mark.parametrize("actor", [SeatId(-2), ADA])
def test_only_the_table_draws(actor: SeatId) -> None:
    flipping = laid("make-4 take-4", "plan-5", deck="take-5 take-6").plays(ADA, "make-4")
    assert flipping.no(Drew(actor, card("take-5"))).key == "by-chance"


@pytest.mark.rule("A4")
def test_while_cards_are_dealt_there_is_no_turn() -> None:
    table = Table(GAME.start(setup_for(2)))
    for _ in range(6):
        assert table.no(EndTurn(ADA)).key == "dealt", GAME.decisions(table.now)[-1].kind
        table.do(table.legal(TABLE)[0])
    assert dealt(2).awaits()[0] == "turn"


@pytest.mark.rule("A10", "A11")
@pytest.mark.parametrize(("on_turn", "other"), [(ADA, BEN), (BEN, ADA)])
def test_whose_effect_it_is_not_breaks_that_rule_alone(on_turn: SeatId, other: SeatId) -> None:
    hands = ("take-4 make-4", "make-5") if on_turn == ADA else ("make-5", "take-4 make-4")
    taking = laid(*hands, bench="plan-5 plan-6", turn=on_turn).plays(on_turn, "take-4")
    assert broken(taking, Take(other, card("take-4"))) == ["your-turn"], "for the other it is not the card just played"
    three = ("borrow-5", "make-5 make-6", "take-4") if on_turn == ADA else ("make-5 make-6", "borrow-5", "take-4")
    shown = laid(*three, turn=on_turn).plays(on_turn, "borrow-5").do(BorrowFrom(on_turn, other))
    assert broken(shown, Borrow(other, card("make-5"))) == ["your-turn"]


@pytest.mark.rule("A.b", "A.q")
def test_a_card_played_alone_was_not_played_with_another() -> None:
    table = laid("take-4 make-4", "make-5", bench="plan-5 plan-6").plays(ADA, "take-4")
    assert broken(table, Take(ADA, card("take-4"))) == ["just-played"]


@pytest.mark.rule("A5", "A.ac")
def test_the_next_round_starts_left_of_whoever_ended_the_last() -> None:
    for turn, first in ((ADA, BEN), (BEN, CLEO), (CLEO, ADA)):
        table = laid("make-4", "make-5", "make-6", deck="", turn=turn).ends(turn)
        assert next(event.first for event in table.happened(e.RoundBegun)) == first


@pytest.mark.rule("A14", "A9")
def test_a_make_and_two_copies_flip_six() -> None:
    table = laid("make-4 copy-5 copy-6 take-4", "make-5", demands=("take", "plan"))
    table.do(Declare(ADA, card("make-4")), Add(ADA, card("copy-5")), Add(ADA, card("copy-6")), Go(ADA))
    table.draws("plan-5", "plan-6", "plan-8", "take-5", "take-6", "take-7")
    assert table.awaits() == ("turn", (ADA,))


@pytest.mark.rule("A14", "A11")
def test_a_copy_borrows_like_a_card_or_a_demand() -> None:
    hands = ("borrow-5 copy-5 make-4", "make-5 make-6 make-7", "take-4")
    table = laid(*hands, demands=("make", "take", "plan"))
    table.do(Declare(ADA, card("borrow-5")), Add(ADA, card("copy-5")), Go(ADA))
    assert (table.awaits(), [event.like for event in table.happened(e.ActedAs)]) == (
        ("borrow-from", (ADA,)),
        ["borrow-5"],
    )
    table.do(BorrowFrom(ADA, BEN), Borrow(ADA, card("make-5")))
    assert table.awaits() == ("borrow-from", (ADA,)), "two Borrows"
    table = laid("copy-5 make-4", "make-5", "take-4", demands=("make borrow", "take", "plan")).plays(ADA, "copy-5")
    assert table.do(ActAs(ADA, card("demand-borrow"))).awaits() == ("borrow-from", (ADA,))


@pytest.mark.rule("A.o")
def test_plans_do_not_join_a_declaration_that_has_another_type() -> None:
    assert not can_join(cards("take-4 plan-5"), card("plan-6"))
    assert can_join(cards("plan-5 copy-5"), card("plan-6"))


def test_in_advise_an_act_uses_up_no_effect_but_its_own() -> None:
    table = laid("scrap-6 make-4", "make-5", bench="plan-5 plan-6 plan-8", advise=True).plays(ADA, "scrap-6")
    assert table.do(Take(ADA, card("plan-5"))).awaits() == ("scrap", (ADA,))
    table = laid("take-4 make-4", "make-5", bench="plan-5 plan-6 plan-8", advise=True).plays(ADA, "take-4")
    assert table.do(ScrapCard(ADA, card("plan-5"))).awaits() == ("take", (ADA,))


@pytest.mark.parametrize(("on_turn", "other"), [(ADA, BEN), (BEN, ADA)])
def test_in_advise_another_seat_uses_up_nobodys_effect(on_turn: SeatId, other: SeatId) -> None:
    hands = ("take-4 make-4", "make-5") if on_turn == ADA else ("make-5", "take-4 make-4")
    table = laid(*hands, bench="plan-5 plan-6 plan-8", turn=on_turn, advise=True).plays(on_turn, "take-4")
    assert table.do(Take(other, card("plan-5"))).awaits() == ("take", (on_turn,))


def test_in_advise_effects_of_two_types_wait_for_each_other() -> None:
    table = laid("take-4 plan-5 copy-5 make-4", "make-5", bench="plan-6 plan-8 make-6", demands=("take", "make"))
    table.advise = True
    table.do(Declare(ADA, card("take-4")), Add(ADA, card("plan-5")), Add(ADA, card("copy-5")), Go(ADA))
    assert table.do(ActAs(ADA, card("take-4"))).awaits() == ("take", (ADA,)) if table.awaits()[0] == "act-as" else True
    table.do(Take(ADA, card("plan-6")), Take(ADA, card("plan-8")))
    assert table.awaits() == ("plan", (ADA,)), "the Plan still waits below the two Takes"
    assert PlanDeck(ADA) in table.legal(ADA)


def pack_of(parts: int) -> Pack:
    """This many Parts, all of the first rounds' types."""
    words = Words("", "")
    counts = [(TYPES[n % 3], n // 3 + 1, 1) for n in range(parts)]
    return pack_from_counts("small", words, words, counts)


@pytest.mark.rule("A4")
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_a_deck_must_last_for_the_first_flip(seats: int) -> None:
    needed = 2 + 2 * seats + 1
    GAME.start(setup_for(seats, pack=pack_of(needed)))
    with pytest.raises(SetupError, match=f"{seats} seats need {needed}"):
        GAME.start(setup_for(seats, pack=pack_of(needed - 1)))


@pytest.mark.rule("A5")
def test_the_table_itself_plays_no_card() -> None:
    table = laid("make-4 take-4", "make-5")
    assert broken(table, Play(TABLE, card("make-4")))[0] == "seat-there"
    assert broken(table, Play(BEN, card("make-5"))) == ["your-turn"]
