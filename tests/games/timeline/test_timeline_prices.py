"""Prices traced twice: by the game, and by an independent tracer on random boards."""

from __future__ import annotations

from random import Random

import pytest

from companion.core import PieceId
from companion.games.timeline.state import (
    COLOURS,
    Laid,
    connected,
    lines_of,
    markets,
    markets_in,
    onward,
    prices,
    worth,
)
from companion.games.timeline.state.lanes import backward
from tests.games.timeline.board import PACK, board, played
from tests.games.timeline.tracer import goods_by_market, random_column

FACES = tuple(lines_of(PACK, False).values())


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.rule("T4", "T26", "T.h")
def test_an_independent_tracer_agrees_on_random_boards(gaps: bool) -> None:
    rng = Random(20)
    for _ in range(1500):
        painted = [random_column(rng, FACES, gaps) for _ in range(rng.randint(4, 6))]
        columns = tuple(tuple(Laid(PieceId("x"), top, lines) for top, lines in column) for column in painted)
        lanes = markets_in(PACK, columns)
        assert {lane: COLOURS[good] for good, lane in enumerate(lanes)} == goods_by_market(painted, PACK.start)


@pytest.mark.rule("T4", "T21")
def test_the_tracer_agrees_on_every_position_of_random_games() -> None:
    for seed in range(4):
        for state, _, _ in played(Random(seed), 5, 200, slide=("column", "card-and-above")[seed % 2]):
            painted = [[(one.top, one.lines) for one in column] for column in state.columns]
            found = goods_by_market(painted, PACK.start, -120, 120)
            assert {lane: COLOURS[good] for good, lane in enumerate(markets(state))} == found
            for lane in range(-30, 30):
                good = connected(state, lane)
                assert (None if good is None else COLOURS[good]) == found.get(lane)
            assert prices(state) == tuple(worth(PACK, lane) for lane in markets(state))


@pytest.mark.rule("T.e", "T27")
def test_columns_lead_lanes_one_to_one_and_back() -> None:
    rng = Random(4)
    for _ in range(300):
        column = tuple(Laid(PieceId("x"), top, lines) for top, lines in random_column(rng, FACES, True))
        for lane in range(-20, 30):
            assert backward(column, onward(column, lane)) == lane


@pytest.mark.rule("T4")
def test_negative_lanes_and_blanks_by_hand() -> None:
    # Face 9 is 4123. At top −3 only lane 0 of Start enters it, at its slot 4, and leaves at slot 3: lane −1.
    state = board([("9a", -3)], [("?", -4), ("=1a", 0)])
    assert markets(state) == (-1, 1, 2, 3)
    assert prices(state) == (4, 2, 3, 4)
    # Then face 23 (4321) at top −2: lane −1 is slot 2 and leaves at slot 3, lane 0; lane 1 is slot 4, leaves at −2.
    further = board([("9a", -3)], [("?", -4), ("=1a", 0)], [("23a", -2)])
    assert markets(further) == (0, -2, 2, 3)
