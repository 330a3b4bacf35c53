"""The three options, each in both settings: T.i, T.j, T.p."""

from __future__ import annotations

import pytest

from companion.core import TABLE, PieceId, PlaceId
from companion.games.timeline import GAME
from companion.games.timeline.rules.intents import Drew, Explore, Flip, GoAbove, Move
from companion.games.timeline.state import Pack, lines_of
from companion.games.timeline.state.cards import Face, Words, turned
from tests.games.timeline.board import ADA, BEN, PACK, act, at, board, broken, card, setup_for, tops

THREE = [("=1a", -4), ("=2a", 0), ("=3a", 4)]


@pytest.mark.rule("T.i")
def test_the_whole_column_slides_or_the_card_and_those_above() -> None:
    pawns = {0: (1, 4), 1: (1, -4)}
    whole = act(board(THREE, pawns=pawns), Move(ADA, card("2a"), 1))
    assert tops(whole, 1) == [-5, -1, 3]
    part = act(board(THREE, pawns=pawns, slide="card-and-above"), Move(ADA, card("2a"), 1))
    assert tops(part, 1) == [-5, -1, 4]
    assert (at(part, ADA), at(part, BEN)) == ((1, -1), (1, -5))


@pytest.mark.rule("T.i", "T.a")
def test_pawns_below_the_card_do_not_ride_in_the_older_rule() -> None:
    state = board(THREE, pawns={0: (1, 0), 1: (1, 5)}, slide="card-and-above")
    after = act(state, Move(ADA, card("1a"), 4))
    assert tops(after, 1) == [-5, 0, 4]
    assert at(after, BEN) == (1, 5)


@pytest.mark.rule("T.j")
def test_a_card_turned_by_180_degrees() -> None:
    # 9a is 4123 BGYR. Turned, the line from 1 to 4 (brown) goes from 1 to 4 again, the one from 2 to 1 (green) goes
    # from 4 to 3, from 3 to 2 (yellow) goes from 3 to 2, from 4 to 3 (red) goes from 2 to 1.
    assert turned("4123BGYR") == "4123BRYG"
    assert all(turned(turned(lines)) == lines for lines in lines_of(PACK, False).values())


@pytest.mark.rule("T.j")
@pytest.mark.parametrize(("choice", "lines"), [("as-drawn", "4123BGYR"), ("turned", "4123BRYG")])
def test_the_second_copy_lies_as_the_option_says(choice: str, lines: str) -> None:
    state = GAME.start(setup_for(2, second_copies=choice))
    state = act(act(state, Drew(TABLE, card("9a"))), Drew(TABLE, card("9b")))
    assert state.columns[0][0].lines == "4123BGYR"
    assert state.columns[1][0].lines == lines


@pytest.mark.rule("T.p")
def test_a_blank_is_an_unseen_card_of_the_deck_and_counts_as_a_card_of_the_column() -> None:
    state = board([("=1a", 0)], [("=2a", 8)], pawns={0: (1, 0), 1: (4, 0)})
    bound = act(state, Explore(ADA, PlaceId("column/2")))
    blank = bound.columns[1][0]
    assert (blank.card, blank.lines, blank.counters, blank.top) == (PieceId("?"), "", 0, 4)
    assert bound.deck == state.deck, "nobody knows which one it is"
    assert len(bound.deck) - bound.blanks == len(state.deck) - 1
    above = board([("?", 0), ("=1a", 4)], pawns={0: (1, 4), 1: (2, 0)})
    assert act(act(above, GoAbove(ADA)), Drew(TABLE, card("9a"))).columns[0][0].top == -4


@pytest.mark.rule("T.p")
def test_stand_ins_leave_the_deck_alone_until_someone_stops() -> None:
    far = [("=1a", 0)], [("=2a", 9)]
    state = board(*far, pawns={0: (1, 0), 1: (4, 0)}, deck=1, blanks="stand-ins")
    bound = act(state, Explore(ADA, PlaceId("column/2")))
    assert (len(bound.deck), bound.blanks) == (1, 0)
    done = act(bound, Drew(TABLE, bound.deck[0]))
    assert done.deck == ()
    assert sum(not one.lines for one in done.columns[1]) == 2


@pytest.mark.rule("T.p", "T.q")
def test_a_stand_in_is_swapped_for_a_card_of_the_deck() -> None:
    pawns = {0: (1, 4), 1: (2, 0)}
    empty = board([("?", 0), ("=1a", 4)], pawns=pawns, deck=0, blanks="stand-ins")
    assert broken(empty, Flip(ADA, PlaceId("card/1/1"))) == ["T.p"]
    one = board([("?", 0), ("=1a", 4)], pawns=pawns, deck=1, blanks="stand-ins")
    flipped = act(act(one, Flip(ADA, PlaceId("card/1/1"))), Drew(TABLE, one.deck[0]))
    assert flipped.deck == ()
    travelled = board([("=1a", 0)], [("?", 0), ("=2a", 4)], pawns={0: (1, 0), 1: (4, 0)}, deck=0, blanks="stand-ins")
    assert broken(travelled, Explore(ADA, PlaceId("column/2"))) == ["T.p"]
    own_card = board([("?", 0), ("=1a", 4)], pawns=pawns, deck=0)
    assert broken(own_card, Flip(ADA, PlaceId("card/1/1"))) == []


@pytest.mark.rule("T.j")
def test_of_more_than_two_copies_every_second_one_is_turned() -> None:
    words = Words("", "")
    four = Pack("four", words, words, (Face("4123", "BGYR", 4),))
    assert list(lines_of(four, True).values()) == ["4123BGYR", "4123BRYG"] * 2
    assert set(lines_of(four, False).values()) == {"4123BGYR"}
