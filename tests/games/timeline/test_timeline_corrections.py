"""Every public fact can be corrected, and no correction makes a table that hands could not."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core import (
    PUBLIC,
    TABLE,
    UNKNOWN,
    Accepted,
    Piece,
    PieceId,
    PlaceId,
    SeatId,
    allowed,
    change_by,
    fold,
    judge,
    legal,
    mask,
    say,
)
from companion.games.timeline import GAME
from companion.games.timeline.rules import intents as i
from companion.games.timeline.state import State
from tests.games.timeline.board import ADA, BEN, act, at, board, broken, card, opened, played, tops


def place(text: str) -> PlaceId:
    return PlaceId(text)


def usual() -> State:
    return board(
        [("=1a", -4), ("=2a", 0, 0b1101)],
        [("?", -4), ("=3a", 0, 0b1110)],
        pawns={0: (1, 1), 1: (2, 0)},
        goods={0: (1, 0, 0, 0)},
    )


@pytest.mark.rule("T30")
def test_gold_and_goods_are_set() -> None:
    state = act(usual(), i.SetGold(BEN, ADA, 7))
    state = act(state, i.SetGoods(BEN, BEN, place("nuc"), 4))
    assert (state.gold, state.goods) == ((7, 0), ((1, 0, 0, 0), (0, 0, 0, 4)))
    assert broken(state, i.SetGold(ADA, SeatId(2), 7)) == ["T30"]
    assert broken(state, i.SetGold(ADA, ADA, -1)) == ["T30"]
    assert broken(state, i.SetGoods(ADA, ADA, place("gold"), 1)) == ["T30"]
    assert broken(state, i.SetGoods(ADA, ADA, place("oil"), 61)) == ["T30"]


@pytest.mark.rule("T6", "T.x")
def test_the_turn_is_set_while_a_turn_is_open() -> None:
    state = usual()
    assert act(state, i.SetTurn(ADA, BEN)).turn == BEN
    assert broken(act(state, i.GoAbove(ADA)), i.SetTurn(ADA, BEN)) == ["T.x"]


@pytest.mark.rule("T.a", "T1")
def test_a_column_is_pushed_with_its_pawns() -> None:
    state = act(usual(), i.SetColumn(ADA, place("column/1"), -7))
    assert tops(state, 1) == [-7, -3]
    assert at(state, ADA) == (1, -2)
    assert broken(state, i.SetColumn(ADA, place("column/5"), 0)) == ["T1"]
    assert broken(state, i.SetColumn(ADA, place("column/1"), 100)) == ["T26"]


@pytest.mark.rule("T15")
def test_a_counter_is_turned_round_but_never_under_a_pawn() -> None:
    state = act(usual(), i.SetCounter(ADA, card("1a"), 2))
    assert state.columns[0][0].counters == 0b1101
    assert act(state, i.SetCounter(ADA, card("1a"), 2)).columns[0][0].counters == 0b1111
    assert broken(state, i.SetCounter(ADA, card("2a"), 2)) == ["T15"]
    assert broken(state, i.SetCounter(ADA, card("17a"), 2)) == ["T3"]


@pytest.mark.rule("T18")
def test_a_pawn_is_set_on_a_waypoint_or_into_a_market() -> None:
    state = act(usual(), i.SetPawn(ADA, BEN, card("1a"), 4))
    assert at(state, BEN) == (1, -1)
    assert broken(state, i.SetPawn(ADA, ADA, card("1a"), 4)) == ["T18"]
    assert at(act(state, i.PawnToMarket(ADA, ADA, -3)), ADA) == (5, -3)


@pytest.mark.rule("T.o", "T2")
def test_a_card_is_moved_with_all_on_it_or_comes_from_the_deck() -> None:
    state = act(usual(), i.PutCard(ADA, card("2a"), place("column/3"), 4))
    assert (tops(state, 1), tops(state, 3)) == ([-4], [0, 4])
    assert at(state, ADA) == (3, 5)
    fresh = act(state, i.PutCard(ADA, card("17a"), place("column/1"), 0))
    assert fresh.columns[0][1].counters == 0b1111
    assert card("17a") not in fresh.deck
    assert broken(state, i.PutCard(ADA, card("17a"), place("column/1"), -2)) == ["T.o"]
    assert broken(state, i.PutCard(ADA, card("17a"), place("column/4"), 3)) == ["T.o"]
    assert broken(state, i.PutCard(ADA, card("17a"), place("column/4"), 4)) == []
    assert broken(state, i.PutCard(ADA, card("1a"), place("column/3"), 8)) == ["T2"]
    assert broken(state, i.PutCard(ADA, PieceId("face-77"), place("column/3"), 8)) == ["T25", "T.q"][:1]


@pytest.mark.rule("T25", "T.a")
def test_a_card_goes_back_to_the_deck_unless_a_pawn_stands_on_it() -> None:
    state = act(usual(), i.RemoveCard(ADA, card("1a")))
    assert card("1a") in state.deck
    assert broken(usual(), i.RemoveCard(ADA, card("2a"))) == ["T.a"]
    assert broken(state, i.RemoveCard(ADA, card("2a")))[0] == "T2"


@pytest.mark.rule("T.p")
def test_blanks_are_put_and_taken() -> None:
    state = act(usual(), i.PutBlank(ADA, place("column/1"), 4))
    assert (tops(state, 1), state.blanks) == ([-4, 0, 4], 2)
    gone = act(state, i.RemoveBlank(ADA, place("card/1/3")))
    assert (tops(gone, 1), gone.blanks) == ([-4, 0], 1)
    assert broken(gone, i.RemoveBlank(ADA, place("card/1/2"))) == ["T.p"]
    empty = board([("=1a", 0)], pawns={0: (1, 1), 1: (2, 0)}, deck=0)
    assert broken(empty, i.PutBlank(ADA, place("column/1"), 4)) == ["T.q"]
    one = board([("=1a", 0)], pawns={0: (1, 1), 1: (2, 0)}, deck=1)
    assert broken(one, i.PutBlank(ADA, place("column/1"), 4)) == []
    assert broken(one, i.PutCard(ADA, one.deck[0], place("column/1"), 4)) == []
    assert broken(empty, i.PutCard(ADA, card("9a"), place("column/1"), 4)) == ["T25"]
    spare = board([("=1a", 0)], pawns={0: (1, 1), 1: (2, 0)}, deck=0, blanks="stand-ins")
    assert act(spare, i.PutBlank(ADA, place("column/1"), 4)).blanks == 0


@pytest.mark.rule("T25", "T.p")
def test_a_card_that_was_named_wrongly_gets_its_name() -> None:
    state = act(usual(), i.SetFace(ADA, place("card/1/1"), card("9a")))
    assert (state.columns[0][0].card, state.columns[0][0].lines) == (card("9a"), "4123BGYR")
    assert card("1a") in state.deck
    looked = act(usual(), i.SetFace(ADA, place("card/2/1"), card("9a")))
    assert (looked.blanks, looked.columns[1][0].counters) == (0, 0b1111)
    assert broken(usual(), i.SetFace(ADA, place("card/1/1"), card("2a"))) == ["T25"]
    assert broken(usual(), i.SetFace(ADA, place("card/1/3"), card("9a"))) == ["T2"]


def test_the_face_that_was_believed_is_told_and_the_unseen_one_is_not() -> None:
    named = change_by(GAME, mask(usual(), PUBLIC), i.SetFace(TABLE, place("card/1/1"), card("9a")))
    assert named == say("fix.change", was=Piece(card("1a")), will=Piece(UNKNOWN))


@pytest.mark.rule("T2", "T.x")
def test_cards_are_set_right_between_moves_only() -> None:
    dealing = GAME.start(usual().setup)
    assert broken(dealing, i.SetColumn(ADA, place("column/1"), 0))[0] == "T2"
    drawing = act(usual(), i.GoAbove(ADA))
    assert broken(drawing, i.RemoveCard(ADA, card("1a"))) == ["T.x"]
    assert broken(drawing, i.SetGold(ADA, ADA, 3)) == []


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 6))])
def test_corrections_leave_a_game_that_goes_on(seed: int) -> None:
    """Random corrections in random games: nothing breaks, and the game can be continued."""
    rng = Random(seed)
    state = opened(3, rng)
    for _ in range(150):
        if GAME.result(state) is not None:
            state = act(state, i.SetGold(ADA, SeatId(state.gold.index(max(state.gold))), 5))
            continue
        actor = GAME.decisions(state)[-1].seats[0]
        intents: list[Any] = list(legal(GAME, state, actor))
        if rng.random() < 0.4 and actor != TABLE:
            fixes = [one for verb in GAME.corrections for one in list(allowed(verb, state, actor))[:40]]
            intents = fixes or intents
        verdict = judge(GAME, state, rng.choice(intents))
        assert isinstance(verdict, Accepted)
        assert fold(GAME, state, verdict.events) == verdict.after
        state = verdict.after
        GAME.status(state)
        GAME.picture(state)


def test_the_check_names_what_is_wrong_on_the_table() -> None:
    state = act(usual(), i.PutCard(ADA, card("1a"), place("column/1"), -9))
    assert [finding.rule for finding in GAME.status(state).findings] == ["T.o"]
    assert GAME.status(usual()).findings == ()
    for state, _, _ in played(Random(1), 4, 100):
        assert GAME.status(state).findings == ()


def test_a_correction_with_a_span_is_listed_once_with_its_lowest_number() -> None:
    for verb in GAME.corrections:
        if verb.span is not None:
            for intent in verb.arguments(usual(), ADA):
                assert intent.number == verb.span(usual(), intent)[0]
