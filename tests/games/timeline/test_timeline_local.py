"""Local moves, taking and sliding: T7–T9, T13, T15, T16, T18 and their rulings."""

from __future__ import annotations

import pytest

from companion.core import TABLE, PieceId, PlaceId, legal
from companion.games.timeline import GAME
from companion.games.timeline.events import Moved
from companion.games.timeline.rules.intents import (
    Drew,
    EnterMarket,
    Explore,
    Flip,
    GoAbove,
    GoBelow,
    Move,
    Stay,
    StopOn,
    Travel,
)
from companion.games.timeline.state import Drawing, Stopping
from tests.games.timeline.board import ADA, BEN, act, at, board, broken, card, events, names, offered, tops

TWO = [("=1a", -4), ("=2a", 0, 0b0101)]
"""A column of two cards; the second has counters on waypoints 1 and 3 only."""
IN_TWO = {0: (1, 1), 1: (2, 0)}


@pytest.mark.rule("T7", "T.x")
def test_a_turn_is_one_move_or_none() -> None:
    state = board(TWO, pawns=IN_TWO)
    assert act(state, Stay(ADA)).turn == BEN
    moved = act(state, Move(ADA, card("1a"), 3))
    assert moved.turn == BEN
    assert broken(moved, Move(ADA, card("1a"), 1)) == ["T6"]
    drawing = act(state, GoAbove(ADA))
    assert broken(drawing, Stay(ADA)) == ["T.x"]
    assert broken(drawing, Travel(ADA, card("23b"))) == ["T.x"]


@pytest.mark.rule("T8")
def test_a_local_move_reaches_every_waypoint_of_the_column_filled_or_empty() -> None:
    state = board(TWO, pawns=IN_TWO)
    assert [(i.card, i.number) for i in offered(state, ADA, Move)] == [
        *((card("1a"), n) for n in (1, 2, 3, 4)),
        *((card("2a"), n) for n in (1, 3, 4)),
    ]
    assert at(act(state, Move(ADA, card("2a"), 4)), ADA) == (1, 3)


@pytest.mark.rule("T8")
def test_a_local_move_does_not_leave_its_column_nor_the_board() -> None:
    state = board(TWO, pawns=IN_TWO)
    assert broken(state, Move(ADA, card("23b"), 3)) == ["T8"]
    assert broken(state, Move(ADA, card("9a"), 1)) == ["T8"]
    assert broken(state, Move(ADA, card("1a"), 5)) == ["T8"]
    assert broken(state, Move(ADA, card("1a"), 0)) == ["T8"]
    # Hands can put a pawn into another column, but not onto a card that is not there.
    assert broken(state, Move(ADA, card("23b"), 3), advise=True) == []
    assert broken(state, Move(ADA, card("9a"), 1), advise=True) == ["T8"]


@pytest.mark.rule("T9", "T.n")
def test_off_the_map_a_card_is_laid_above_or_below_and_then_a_waypoint_chosen() -> None:
    state = board(TWO, pawns=IN_TWO)
    for wish, top in ((GoAbove(ADA), -8), (GoBelow(ADA), 4)):
        bound = act(state, wish)
        assert bound.steps[-1] == Drawing(ADA, 1, top, "local", top)
        assert [type(i) for i in legal(GAME, bound, ADA)] == []
        laid = act(bound, Drew(TABLE, card("9a")))
        assert laid.steps[-1] == Stopping(ADA, 1, top)
        assert sorted(tops(laid, 1)) == sorted([-4, 0, top])
        assert [i.number for i in offered(laid, ADA, StopOn)] == [1, 2, 3, 4]
        assert [type(i).__name__ for i in legal(GAME, laid, ADA)] == ["StopOn"] * 4
        done = act(laid, StopOn(ADA, 2))
        assert at(done, ADA) == (1, top + 1 - 1)
        assert sum(done.goods[0]) == 1


@pytest.mark.rule("T9")
def test_a_stop_on_a_new_card_waits_for_one() -> None:
    state = board(TWO, pawns=IN_TWO)
    assert broken(state, StopOn(ADA, 1)) == ["T9"]
    laid = act(act(state, GoAbove(ADA)), Drew(TABLE, card("9a")))
    assert broken(laid, StopOn(ADA, 5)) == ["T9"]
    assert broken(laid, StopOn(BEN, 1)) == ["T6"]


@pytest.mark.rule("T15")
def test_a_counter_must_be_taken() -> None:
    state = board(TWO, pawns=IN_TWO)
    taken = act(state, Move(ADA, card("2a"), 3))
    assert taken.goods[0] == (0, 0, 1, 0)
    assert taken.columns[0][1].counters == 0b0001
    assert [type(i).__name__ for i in legal(GAME, taken, ADA)] == ["AgreeToStop"]


@pytest.mark.rule("T16")
def test_taking_slides_the_whole_column_up_one_lane_and_nothing_else() -> None:
    state = board(TWO, pawns=IN_TWO)
    after = act(state, Move(ADA, card("2a"), 1))
    assert tops(after, 1) == [-5, -1]
    assert [tops(after, n) for n in (2, 3, 4)] == [[0], [0], [0]]


@pytest.mark.rule("T16")
def test_an_empty_waypoint_slides_nothing() -> None:
    state = board(TWO, pawns=IN_TWO)
    after = act(state, Move(ADA, card("2a"), 4))
    assert after.columns == state.columns
    assert after.goods == state.goods


@pytest.mark.rule("T.a")
def test_pawns_and_counters_ride_on_sliding_cards() -> None:
    state = board(TWO, pawns={0: (1, 1), 1: (1, -3)})
    after = act(state, Move(ADA, card("2a"), 1))
    assert at(after, ADA) == (1, -1)
    assert at(after, BEN) == (1, -4)
    assert [one.counters for one in after.columns[0]] == [0b1111, 0b0100]


@pytest.mark.rule("T.t")
def test_a_slide_never_brings_two_pawns_together() -> None:
    for slide in ("column", "card-and-above"):
        state = board([("=1a", -4), ("=2a", 0)], pawns={0: (1, 1), 1: (1, -1)}, slide=slide)
        for number in (1, 3, 4):
            after = act(state, Move(ADA, card("2a"), number))
            assert at(after, ADA) != at(after, BEN)
            assert at(after, BEN)[1] - after.columns[0][0].top == 3


@pytest.mark.rule("T18")
def test_two_pawns_never_share_a_waypoint() -> None:
    state = board(TWO, pawns={0: (1, 1), 1: (1, 2)})
    assert broken(state, Move(ADA, card("2a"), 3)) == ["T18"]
    assert Move(ADA, card("2a"), 3) not in legal(GAME, state, ADA)


@pytest.mark.rule("T18")
def test_a_market_holds_any_number_of_pawns() -> None:
    state = board(pawns={0: (1, 1), 1: (5, 1)})
    assert at(act(state, EnterMarket(ADA)), ADA) == (5, 1)


@pytest.mark.rule("T.u")
def test_the_own_waypoint_is_no_goal() -> None:
    assert broken(board(TWO, pawns=IN_TWO), Move(ADA, card("2a"), 2)) == ["T.u"]


@pytest.mark.rule("T.v")
def test_a_card_full_of_pawns_is_no_goal_but_off_the_map_is_never_blocked() -> None:
    pawns = {0: (1, 4), 1: (1, 0), 2: (1, 1), 3: (1, 2), 4: (1, 3)}
    state = board([("=1a", 0), ("=2a", 4)], seats=5, pawns=pawns)
    assert [i.card for i in offered(state, ADA, Move)] == [card("2a")] * 3
    assert {broken(state, Move(ADA, card("1a"), n))[0] for n in (1, 2, 3, 4)} == {"T18"}
    assert offered(state, ADA, GoAbove)
    assert offered(state, ADA, GoBelow)


@pytest.mark.rule("T.g")
def test_an_empty_deck_stops_every_stop_that_needs_a_card() -> None:
    state = board(TWO, [("=3a", 8)], pawns=IN_TWO, deck=0)
    assert broken(state, GoAbove(ADA)) == ["T.g"]
    assert broken(state, GoBelow(ADA)) == ["T.g"]
    assert broken(state, Explore(ADA, PlaceId("column/2"))) == ["T.q"]
    assert not offered(state, ADA, GoAbove)
    one_left = board(TWO, pawns=IN_TWO, deck=1)
    assert offered(one_left, ADA, GoAbove)


@pytest.mark.rule("T13", "T.f")
def test_a_blank_is_flipped_filled_and_stopped_on_anywhere() -> None:
    state = board([("=1a", 0), ("?", 4)], pawns={0: (1, 0), 1: (2, 0)})
    assert [i.place for i in offered(state, ADA, Flip)] == ["card/1/2"]
    assert not [i for i in offered(state, ADA, Move) if i.card == PieceId("?")]
    flipping = act(state, Flip(ADA, PlaceId("card/1/2")))
    flipped = act(flipping, Drew(TABLE, card("9a")))
    assert flipped.columns[0][1] == board([("9a", 4)], pawns={}).columns[0][0]
    assert [i.number for i in offered(flipped, ADA, StopOn)] == [1, 2, 3, 4]
    assert (len(flipped.deck), flipped.blanks) == (len(state.deck) - 1, 0)
    assert tops(act(flipped, StopOn(ADA, 4)), 1) == [-1, 3]


@pytest.mark.rule("T.f", "T8")
@pytest.mark.parametrize("place", ["card/1/1", "card/1/3", "card/2/2", "card/1/0", "column/1", "deck", ""])
def test_only_a_blank_of_the_own_column_is_flipped(place: str) -> None:
    state = board([("=1a", 0), ("?", 4)], [("?", 0), ("=2a", 4)], pawns={0: (1, 0), 1: (2, 4)})
    assert broken(state, Flip(ADA, PlaceId(place))) == ["T.f"]
    assert broken(state, Flip(ADA, PlaceId("card/2/1"))) == ["T8"]


@pytest.mark.rule("T13")
def test_a_blank_slides_like_a_card() -> None:
    state = board([("=1a", 0), ("?", 4)], pawns={0: (1, 0), 1: (2, 0)})
    assert tops(act(state, Move(ADA, card("1a"), 3)), 1) == [-1, 3]


@pytest.mark.rule("T.o")
def test_a_new_card_touches_the_column() -> None:
    state = board([("=1a", -7), ("=2a", -3)], pawns={0: (1, -7), 1: (2, 0)})
    above = act(act(state, GoAbove(ADA)), Drew(TABLE, card("9a")))
    below = act(act(state, GoBelow(ADA)), Drew(TABLE, card("9a")))
    assert tops(above, 1) == [-11, -7, -3]
    assert tops(below, 1) == [-7, -3, 1]


@pytest.mark.rule("T.x")
def test_a_move_lays_fills_stops_takes_slides_and_then_the_turn_passes() -> None:
    state = board(TWO, pawns=IN_TWO)
    assert names(state, Move(ADA, card("2a"), 1)) == ["Moved", "Took", "Slid", "TurnPassed"]
    assert names(state, Move(ADA, card("2a"), 4)) == ["Moved", "TurnPassed"]
    assert events(state, Move(ADA, card("2a"), 4))[0] == Moved(ADA, 1, card("2a"), 4, 3)
    away = board([("=1a", 0)], [("=2a", 4)], pawns={0: (1, 0), 1: (3, 0)})
    setting_out = act(away, Explore(ADA, PlaceId("column/2")))
    assert names(setting_out, Drew(TABLE, card("9a"))) == ["CardLaid", "Moved", "Took", "Slid", "TurnPassed"]


@pytest.mark.rule("T.ae")
def test_emptied_cards_stay_and_are_not_filled_again() -> None:
    state = board([("=1a", 0, 0b0001)], pawns={0: (1, 1), 1: (2, 0)})
    after = act(state, Move(ADA, card("1a"), 1))
    assert [(one.card, one.counters) for one in after.columns[0]] == [(card("1a"), 0)]
    back = act(act(after, Stay(BEN)), Move(ADA, card("1a"), 2))
    assert back.columns[0][0].counters == 0
