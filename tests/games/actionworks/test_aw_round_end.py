"""Clearing, the next turn, the end of a round and of the game."""

from __future__ import annotations

import pytest

from companion.core import TABLE
from companion.games.actionworks import GAME
from companion.games.actionworks import events as e
from companion.games.actionworks.rules.intents import ClearTake, EndTurn, Play, Ship
from tests.games.actionworks.play import ADA, BEN, CLEO, card, laid


@pytest.mark.rule("A17", "A.d", "A.aa")
def test_clearing_goes_round_from_the_left_and_the_player_of_the_turn_is_last() -> None:
    table = laid("make-4", "make-5", "make-6", bench="take-1a take-1b take-2a take-2b take-3a").ends(ADA)
    order = []
    while table.awaits()[0] == "clear":
        seat = table.awaits()[1][0]
        order.append(seat)
        table.do(table.legal(seat)[-1])
    assert order == [BEN, CLEO, ADA, BEN], "the fifth and last card needs no choice"
    assert [len(hand.value) for hand in table.now.hands] == [2, 3, 3]
    assert table.now.turn == BEN


@pytest.mark.rule("A17", "A.d")
def test_clearing_is_compulsory_and_the_card_is_free() -> None:
    table = laid("make-4", "make-5", "make-6", bench="take-1a take-1b").ends(ADA)
    assert table.legal(BEN) == (ClearTake(BEN, card("take-1a")), ClearTake(BEN, card("take-1b")))
    assert table.no(ClearTake(CLEO, card("take-1a"))).rule == "A17"
    assert table.no(ClearTake(BEN, card("make-5"))).rule == "A17"
    assert table.no(EndTurn(BEN)).rule == "A17"


@pytest.mark.rule("A.aa")
def test_with_fewer_cards_than_players_clearing_stops_at_the_last() -> None:
    table = laid("make-4", "make-5", "make-6", bench="take-1a").ends(ADA)
    assert (table.hand(BEN), table.hand(CLEO)) == ({"make-5", "take-1a"}, {"make-6"})


@pytest.mark.rule("A18", "A.ab")
def test_then_two_parts_are_flipped_and_the_next_begins_also_with_a_clear_workbench() -> None:
    table = laid("make-4", "make-5", "make-6").ends(ADA)
    assert table.happened(e.Cleared) == []
    assert table.now.turn == BEN
    assert table.awaits() == ("flip", (TABLE,))
    assert table.no(Play(BEN, card("make-5"))).rule == "A18"
    table.draws("take-4", "take-5")
    assert table.awaits() == ("turn", (BEN,))


@pytest.mark.rule("A.g")
@pytest.mark.parametrize("left", ["take-4", "take-4 take-5"])
def test_the_last_cards_are_flipped_and_the_turn_goes_on(left: str) -> None:
    table = laid("make-4", "make-5 plan-5", "make-6", deck=left).ends(ADA).draws(*left.split())
    assert table.awaits() == ("turn", (BEN,))
    table.ends(BEN)
    while table.awaits()[0] == "clear":
        table.do(table.legal(table.awaits()[1][0])[0])
    assert table.happened(e.RoundEnded)


@pytest.mark.rule("A19", "A.h", "A.ab")
def test_with_an_empty_deck_the_round_ends_without_a_further_turn() -> None:
    table = laid("make-4", "make-5", deck="").ends(ADA)
    assert table.happened(e.TurnPassed) == []
    assert table.happened(e.RoundEnded)


@pytest.mark.rule("A.x", "A19")
def test_a_turn_goes_on_after_the_deck_ran_out() -> None:
    table = laid("make-4 make-5 take-4", "plan-5", deck="take-5 take-6").plays(ADA, "make-4").draws("take-5", "take-6")
    assert table.awaits() == ("turn", (ADA,))
    table.plays(ADA, "make-5").do(Ship(ADA, card("take-4")))
    assert table.awaits() == ("clear", (BEN,))
    while table.awaits()[0] == "clear":
        table.do(table.legal(table.awaits()[1][0])[0])
    assert table.happened(e.RoundEnded)


@pytest.mark.rule("A20", "A25")
def test_hands_join_the_piles_and_wanted_parts_count_their_value_others_minus_one() -> None:
    table = laid("make-4 make-5 take-4", "plan-5 borrow-5", demands=("make", "take"), deck="", totals=(10, 1))
    table.do(Ship(ADA, card("make-5"))).ends(ADA)
    [shown] = table.happened(e.PilesShown)
    assert shown.piles == (("make-4", "make-5", "take-4"), ("borrow-5", "plan-5"))
    assert [event.points for event in table.happened(e.Scored)] == [4 + 5 - 1, -2]
    assert table.now.totals == (18, -1)


@pytest.mark.rule("A.k")
def test_with_several_demands_any_match_scores() -> None:
    table = laid("make-4 take-5 plan-5", "borrow-5", demands=("make take", "borrow"), deck="").ends(ADA)
    assert table.now.totals == (4 + 5 - 1, 5)


@pytest.mark.rule("A21")
@pytest.mark.parametrize(("seats", "enough"), [(2, 140), (3, 100), (4, 70), (6, 70)])
def test_the_game_ends_after_a_round_with_enough(seats: int, enough: int) -> None:
    hands = ("make-4", *("",) * (seats - 1))
    less = laid(*hands, deck="", totals=(enough - 5, *(0,) * (seats - 1))).ends(ADA)
    assert GAME.result(less.now) is None
    reached = laid(*hands, deck="", totals=(enough - 4, *(0,) * (seats - 1))).ends(ADA)
    result = GAME.result(reached.now)
    assert result is not None
    assert result.winners == (ADA,)
    assert GAME.decisions(reached.now) == ()
    assert reached.no(EndTurn(ADA)).rule == "A21"


@pytest.mark.rule("A.ai")
def test_of_several_past_the_limit_the_highest_wins() -> None:
    table = laid("make-4", "take-5", deck="", totals=(150, 160)).ends(ADA)
    result = GAME.result(table.now)
    assert result is not None
    assert result.winners == (BEN,)


@pytest.mark.rule("A.l")
def test_equal_totals_share_the_win() -> None:
    table = laid("make-4", "take-4", deck="", totals=(150, 150)).ends(ADA)
    result = GAME.result(table.now)
    assert result is not None
    assert result.winners == (ADA, BEN)


@pytest.mark.rule("A25")
def test_a_total_may_fall_below_zero() -> None:
    table = laid("take-4 take-5", "make-5", deck="", totals=(1, 0)).ends(ADA)
    assert table.now.totals == (-1, -1)
