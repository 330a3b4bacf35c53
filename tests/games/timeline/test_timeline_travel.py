"""Time travel: T10–T12, T14, T17, T27 and their rulings."""

from __future__ import annotations

import pytest

from companion.core import TABLE, PlaceId, legal
from companion.games.timeline import GAME
from companion.games.timeline.rules.intents import Drew, EnterMarket, Explore, GoAbove, Move, Travel
from companion.games.timeline.state import Drawing, State
from tests.games.timeline.board import ADA, BEN, act, at, board, broken, card, names, offered, tops


def column(number: int) -> PlaceId:
    return PlaceId(f"column/{number}")


def laid(state: State, number: int, name: str) -> State:
    """Ada travels into column `number`, where this card comes."""
    return act(act(state, Explore(ADA, column(number))), Drew(TABLE, card(name)))


@pytest.mark.rule("T10", "T.m")
def test_travel_follows_the_own_line_both_ways_and_any_distance() -> None:
    # 9a is 4123: a line that enters at slot 1 leaves at slot 4.
    state = board([("=1a", 0)], [("9a", 0)], [("=2a", 0)], [("=3a", 0)], pawns={0: (2, 0), 1: (4, 0)})
    assert {i.card for i in offered(state, ADA, Travel)} == {card("1a"), card("2a"), card("3a")}
    assert at(act(state, Travel(ADA, card("1a"))), ADA) == (1, -1)  # lane 0, then the column slid
    assert at(act(state, Travel(ADA, card("2a"))), ADA) == (3, 2)
    assert at(act(state, Travel(ADA, card("3a"))), ADA) == (4, 2)


@pytest.mark.rule("T10")
def test_a_card_beside_the_line_or_in_the_own_column_is_no_goal() -> None:
    state = board([("=1a", 0), ("=4a", 4)], [("9a", 0), ("=5a", 4)], pawns={0: (2, 0), 1: (4, 0)})
    assert broken(state, Travel(ADA, card("4a"))) == ["T10"]
    assert broken(state, Travel(ADA, card("5a"))) == ["T10"]
    assert broken(state, Travel(ADA, card("9a"))) == ["T10"]
    assert broken(state, Travel(ADA, card("17a"))) == ["T10"]
    assert broken(state, Explore(ADA, column(2))) == ["T10"]


@pytest.mark.rule("T11")
def test_in_open_space_a_card_is_laid_and_the_line_decides_the_waypoint() -> None:
    state = board([("=1a", 0)], [("=2a", 4)], pawns={0: (1, 1), 1: (4, 0)})
    assert [i.place for i in offered(state, ADA, Explore)] == ["column/2"]
    bound = act(state, Explore(ADA, column(2)))
    assert bound.steps[-1] == Drawing(ADA, 2, 0, "left", 1)
    done = act(bound, Drew(TABLE, card("9a")))
    assert tops(done, 2) == [-1, 3]
    assert at(done, ADA) == (2, 0)
    # 9a is BGYR: its second line is green.
    assert done.goods[0] == (0, 0, 0, 1)


@pytest.mark.rule("T11")
def test_where_a_card_lies_there_is_nothing_to_explore() -> None:
    state = board([("=1a", 0)], pawns={0: (1, 1), 1: (4, 0)})
    assert broken(state, Explore(ADA, column(2))) == ["T11"]


@pytest.mark.rule("T12")
@pytest.mark.parametrize(
    ("lane", "blanks", "top"),
    [(-1, 0, -4), (-4, 0, -4), (-5, 1, -8), (-8, 1, -8), (-9, 2, -12), (4, 0, 4), (7, 0, 4), (8, 1, 8), (12, 2, 12)],
)
def test_blanks_fill_a_gap_of_more_than_a_card(lane: int, blanks: int, top: int) -> None:
    state = board([("=1a", lane)], [("=2a", 0)], pawns={0: (1, lane), 1: (4, 0)})
    bound = act(state, Explore(ADA, column(2)))
    assert sum(not one.lines for one in bound.columns[1]) == blanks == bound.blanks
    step = bound.steps[-1]
    assert isinstance(step, Drawing)
    assert step.top == top
    done = act(bound, Drew(TABLE, card("9a")))
    lanes = [lane for one in done.columns[1] for lane in range(one.top, one.top + 4)]
    assert lanes == list(range(lanes[0], lanes[0] + len(lanes))), "in contact, no overlap, no gap (T.o)"
    assert names(state, Explore(ADA, column(2))) == ["BlankLaid"] * blanks + ["SetOut"]


@pytest.mark.rule("T14")
@pytest.mark.parametrize("place", ["column/0", "column/5", "column/-1", "column/99", "market/0", "deck", ""])
def test_start_and_what_lies_beyond_finish_are_no_columns(place: str) -> None:
    state = board([("=1a", 0)], pawns={0: (1, 1), 1: (4, 0)})
    assert broken(state, Explore(ADA, PlaceId(place)))[0] == "T14"


@pytest.mark.rule("T17", "T.w")
def test_pawns_and_counters_on_the_way_do_not_matter_but_a_held_waypoint_is_no_stop() -> None:
    state = board([("=1a", 0)], [("=2a", 0)], [("=3a", 0)], pawns={0: (1, 1), 1: (2, 1)})
    assert broken(state, Travel(ADA, card("2a"))) == ["T.w"]
    past = act(state, Travel(ADA, card("3a")))
    assert at(past, ADA) == (3, 0)
    assert at(past, BEN) == (2, 1)
    assert past.columns[1] == state.columns[1]


@pytest.mark.rule("T27")
def test_open_space_is_straight_for_pawns_and_crossing_it_adds_nothing() -> None:
    state = board([("=1a", 0)], [("=2a", 8)], [("?", 0), ("=3a", 4)], [("9a", 0)], pawns={0: (1, 0), 1: (1, 1)})
    crossed = act(state, EnterMarket(ADA))
    assert crossed.columns == state.columns
    assert crossed.deck == state.deck
    assert at(crossed, ADA) == (5, 3)


@pytest.mark.rule("T.e")
def test_a_blank_is_straight() -> None:
    state = board([("=1a", 0)], [("?", 0), ("=2a", 4)], pawns={0: (1, 2), 1: (4, 0)})
    assert at(act(state, EnterMarket(ADA)), ADA) == (5, 2)


@pytest.mark.rule("T13", "T.l")
@pytest.mark.parametrize(("name", "from_left", "from_right"), [("9a", 2, 3), ("23a", 2, 1), ("18a", 2, 1)])
def test_on_a_new_card_the_near_edge_of_the_line_decides(name: str, from_left: int, from_right: int) -> None:
    """Lane 2 of a card at top 0: entry slot 3 from the left; from the right the line that leaves at slot 3.

    9a is 4123, so slot 4 leaves at 3; 23a is 4321, so slot 2 does; 18a is 2341, so slot 2 does.
    """
    before = board([("=1a", 0)], [("?", 0), ("=2a", 4)], pawns={0: (1, 2), 1: (4, 0)})
    after = board([("=1a", 4)], [("?", 0), ("=2a", 4)], [("=3a", 0)], pawns={0: (3, 2), 1: (4, 0)})
    left, right = laid(before, 2, name), laid(after, 2, name)
    assert at(left, ADA) == (2, from_left - 1)  # the column slid up once
    assert at(right, ADA) == (2, from_right - 1)


@pytest.mark.rule("T.l")
def test_coming_from_the_right_into_open_space() -> None:
    state = board([("=1a", 0)], [("=2a", 4)], [("=3a", 0)], pawns={0: (3, 2), 1: (4, 0)})
    assert at(laid(state, 2, "9a"), ADA) == (2, 2)


@pytest.mark.rule("T.d", "T.ag")
def test_a_market_is_left_along_its_line_to_the_left() -> None:
    state = board([("=1a", 0)], [("=2a", 4)], [("9a", 0)], [("=3a", 0)], pawns={0: (5, 3), 1: (1, 0)})
    assert {i.card for i in offered(state, ADA, Travel)} == {card("3a"), card("9a")}
    # 9a is 4123: what leaves at slot 4 entered at slot 1.
    assert at(act(state, Travel(ADA, card("9a"))), ADA) == (3, -1)
    assert [i.place for i in offered(state, ADA, Explore)] == ["column/2"]
    done = laid(state, 2, "13a")
    # 13a is 2413: what leaves at slot 1 entered at slot 3.
    assert at(done, ADA) == (2, 1)
    assert not offered(state, ADA, GoAbove)


@pytest.mark.rule("T.q")
def test_the_deck_must_hold_the_blanks_and_the_card() -> None:
    far = [("=1a", 0)], [("=2a", 9)]
    assert broken(board(*far, pawns={0: (1, 0), 1: (4, 0)}, deck=2), Explore(ADA, column(2))) == ["T.q"]
    enough = board(*far, pawns={0: (1, 0), 1: (4, 0)}, deck=3)
    done = laid(enough, 2, enough.deck[0].removeprefix("face-"))
    assert len(done.deck) - done.blanks == 0
    assert [bool(one.lines) for one in done.columns[1]] == [True, False, False, True]


@pytest.mark.rule("T.q")
def test_flipping_a_blank_needs_no_card_of_the_deck() -> None:
    state = board([("=1a", 0)], [("?", 0), ("=2a", 4)], pawns={0: (1, 2), 1: (4, 0)}, deck=0)
    done = laid(state, 2, state.deck[0].removeprefix("face-"))
    assert (done.deck, done.blanks) == ((), 0)


@pytest.mark.rule("T.s")
def test_lines_beside_the_four_of_start_are_free_for_pawns() -> None:
    state = board([("=1a", -4), ("=4a", 0)], [("=2a", -4)], pawns={0: (1, -3), 1: (4, 0)})
    assert card("2a") in {i.card for i in offered(state, ADA, Travel)}
    assert at(act(state, EnterMarket(ADA)), ADA) == (5, -3)


@pytest.mark.rule("T.n")
def test_the_column_binds_before_the_card_is_seen() -> None:
    state = board([("=1a", 0)], [("=2a", 4)], pawns={0: (1, 1), 1: (4, 0)})
    bound = act(state, Explore(ADA, column(2)))
    assert legal(GAME, bound, ADA) == ()
    assert GAME.decisions(bound)[-1].is_chance


@pytest.mark.rule("T.ac")
def test_nobody_stops_in_a_gap_and_new_cards_go_outside() -> None:
    state = board([("=1a", 0)], [("=2a", -4), ("=3a", 4)], pawns={0: (1, 1), 1: (4, 0)}, slide="card-and-above")
    assert broken(state, Explore(ADA, column(2))) == ["T.ac"]
    assert at(act(state, EnterMarket(ADA)), ADA) == (5, 1)
    outside = board([("=1a", 8)], [("=2a", -4), ("=3a", 4)], pawns={0: (1, 8), 1: (4, 0)}, slide="card-and-above")
    assert [one.top for one in laid(outside, 2, "9a").columns[1]] == [-5, 3, 7]
    inside = board([("=2a", -4), ("=3a", 4)], pawns={0: (1, 5), 1: (4, 0)}, slide="card-and-above")
    assert act(inside, GoAbove(ADA)).steps[-1] == Drawing(ADA, 1, -8, "local", -8)
    # The gap stays: a counter of the lower card moves both, one of the upper card widens it.
    assert tops(act(inside, Move(ADA, card("3a"), 1)), 1) == [-5, 3]
    assert tops(act(inside, Move(ADA, card("2a"), 1)), 1) == [-5, 4]
