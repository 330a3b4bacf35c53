"""Setting up and placing: T1–T3, T5, T6, T24, T25, T30."""

from __future__ import annotations

from random import Random
from string import ascii_lowercase

import pytest

from companion.core import PUBLIC, TABLE, UNKNOWN, SeatId, Setup, SetupError, legal, mask
from companion.games.timeline import GAME
from companion.games.timeline.rules.intents import Drew, GoAbove, Move, NameFirst, Place, Stay
from companion.games.timeline.state import Pack, Placing, Turn, path_cards, start
from companion.games.timeline.state.cards import Face, Words
from tests.games.timeline.board import ADA, BEN, CHLOE, PACK, act, at, board, broken, card, events, opened, setup_for


@pytest.mark.rule("T1")
@pytest.mark.parametrize(("seats", "columns"), [(2, 4), (3, 4), (4, 5), (5, 6)])
def test_the_board_grows_with_the_seats(seats: int, columns: int) -> None:
    assert len(start(setup_for(seats)).columns) == columns


@pytest.mark.rule("T1")
@pytest.mark.parametrize("seats", [1, 6])
def test_nobody_plays_alone_or_with_five_others(seats: int) -> None:
    with pytest.raises(SetupError, match="2 to 5"):
        start(setup_for(seats))


@pytest.mark.rule("T1")
def test_a_pack_too_small_for_the_columns_says_so() -> None:
    few = Pack("few", Words("", ""), Words("", ""), (Face("2134", "BRYG"),))
    with pytest.raises(SetupError, match="has 2 Path cards, 2 seats need 4"):
        start(Setup(GAME.id, 1, 2, setup_for().options, few))


@pytest.mark.rule("T2", "T3")
def test_each_column_opens_with_one_full_card_in_line_with_start() -> None:
    state = opened(4, Random(3))
    assert [len(column) for column in state.columns] == [1] * 5
    assert {(one.top, one.counters) for column in state.columns for one in column} == {(0, 0b1111)}


@pytest.mark.rule("T25")
def test_the_other_cards_are_the_deck() -> None:
    state = opened(2, Random(1))
    lying = [one.card for column in state.columns for one in column]
    assert sorted((*lying, *state.deck)) == sorted(path_cards(PACK))
    assert len(state.deck) == 42


@pytest.mark.rule("T25")
def test_only_an_unseen_card_can_be_drawn() -> None:
    state = act(GAME.start(setup_for()), Drew(TABLE, card("9a")))
    assert broken(state, Drew(TABLE, card("9a"))) == ["T25"]
    assert broken(state, Drew(ADA, card("9b"))) == ["T25"]
    assert broken(state, Drew(TABLE, card("9b"))) == []


@pytest.mark.rule("T5")
def test_the_table_names_the_first_player_who_takes_column_1() -> None:
    state = GAME.start(setup_for(3))
    for name in ("1a", "9a", "13a", "23a"):
        state = act(state, Drew(TABLE, card(name)))
    assert broken(state, NameFirst(TABLE, SeatId(3))) == ["T5"]
    assert broken(state, Place(ADA, card("1a"), 1))[0] == "T5"
    state = act(state, NameFirst(TABLE, CHLOE))
    assert broken(state, NameFirst(TABLE, ADA)) == ["T5"]
    state = act(state, Place(CHLOE, card("1a"), 2))
    assert at(state, CHLOE) == (1, 1)
    state = act(state, Place(ADA, card("9a"), 4))
    state = act(state, Place(BEN, card("13a"), 1))
    # 1a is RBYG, so its second line is brown: Chloé has one Oilpetrol; nothing slid.
    assert state.goods == ((0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 0, 0))
    assert {one.top for column in state.columns for one in column} == {0}
    assert state.steps == (Turn(),)


@pytest.mark.rule("T.aa")
def test_each_placer_takes_the_next_column_and_any_of_its_waypoints() -> None:
    state = act(opened(2, Random(5)), first := legal(GAME, opened(2, Random(5)), opened(2, Random(5)).turn)[2])
    assert isinstance(first, Place)
    own, other = state.columns[1][0].card, state.columns[2][0].card
    assert [(i.card, i.number) for i in legal(GAME, state, state.turn) if isinstance(i, Place)] == [
        (own, 1),
        (own, 2),
        (own, 3),
        (own, 4),
    ]
    assert broken(state, Place(state.turn, other, 1)) == ["T.aa"]
    assert broken(state, Place(state.turn, state.columns[0][0].card, 1)) == ["T.aa"]
    done = act(state, Place(state.turn, own, 3))
    assert [one.counters for column in done.columns for one in column][2:] == [0b1111, 0b1111]


@pytest.mark.rule("T5")
def test_a_pawn_is_placed_on_one_of_four_waypoints_and_once() -> None:
    state = opened(2, Random(5))
    own = state.columns[0][0].card
    assert broken(state, Place(state.turn, own, 0)) == ["T5"]
    assert broken(state, Place(state.turn, own, 5)) == ["T5"]
    assert isinstance(state.steps[-1], Placing)
    assert broken(board(pawns={0: (1, 0), 1: (2, 0)}), Place(ADA, card("23b"), 1))[0] == "T5"


@pytest.mark.rule("T6")
def test_who_placed_first_moves_first_and_turns_pass_to_the_left() -> None:
    state = opened(3, Random(8))
    first = state.turn
    for _ in range(3):
        state = act(state, next(i for i in legal(GAME, state, state.turn) if isinstance(i, Place)))
    order = []
    for _ in range(4):
        order.append(state.turn)
        for other in {ADA, BEN, CHLOE} - {state.turn}:
            assert broken(state, Stay(other)) == ["T6"]
        state = act(state, Stay(state.turn))
    assert order == [(first + n) % 3 for n in range(4)]


@pytest.mark.rule("T30")
def test_nobody_begins_with_gold_or_goods() -> None:
    state = opened(5, Random(2))
    assert state.gold == (0,) * 5
    assert state.goods == ((0, 0, 0, 0),) * 5
    assert len(state.pawns) == 5
    while isinstance(state.steps[-1], Placing):
        state = act(state, legal(GAME, state, state.turn)[0])
    assert [sum(goods) for goods in state.goods] == [1] * 5


@pytest.mark.rule("T24")
def test_the_number_of_counters_is_no_limit() -> None:
    state = board([("=1a", 0)], pawns={0: (1, 1), 1: (2, 0)}, goods={0: (25, 0, 0, 0)})
    assert act(state, Move(ADA, card("1a"), 1)).goods[0] == (26, 0, 0, 0)


@pytest.mark.rule("T.ab")
def test_only_the_faces_of_deck_and_blanks_are_secret() -> None:
    state = board([("1a", 0), ("?", 4)], pawns={0: (1, 0), 1: (2, 0)})
    for audience in (PUBLIC, ADA, BEN):
        view = mask(state, audience)
        assert view.deck == (UNKNOWN,) * len(state.deck)
        assert (view.columns, view.goods, view.gold, view.pawns) == (
            state.columns,
            state.goods,
            state.gold,
            state.pawns,
        )
    assert state.columns[0][1].card == UNKNOWN


@pytest.mark.rule("T3")
def test_every_new_card_is_filled() -> None:
    state = act(board(pawns={0: (1, 0), 1: (2, 0)}), GoAbove(ADA))
    drawn = events(state, Drew(TABLE, card("9a")))
    assert type(drawn[0]).__name__ == "CardLaid"
    assert act(state, Drew(TABLE, card("9a"))).columns[0][0].counters == 0b1111


def test_the_rules_are_the_numbered_ones() -> None:
    rulings = [f"T.{letter}" for letter in ascii_lowercase] + [f"T.a{letter}" for letter in "abcdefg"]
    assert list(GAME.rules) == [*(f"T{number}" for number in range(1, 31)), *rulings]
