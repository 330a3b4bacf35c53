"""Reading what hands have moved, at the slowest position of each game, against a list of chess moves in the same run.

What may be done and what would lie there is found once for each position; then every movement is compared with it. Both
are measured in CPU time and by turns with python-chess. The aim is at most 20 ms where a list of chess moves takes
60 µs, as on the machine that this was written on; only what is far from it fails.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

import chess
import pytest

from companion.app.kit.kit import Kit
from companion.core import evidence
from companion.core.evidence import Watch
from companion.library import shelf

pytestmark = pytest.mark.bench
AIM, LIMIT = 330, 700
"""Lists of chess moves."""


def seconds(act: Callable[[], Any], times: int) -> float:
    start = process_time()
    for _ in range(times):
        act()
    return (process_time() - start) / times


def boards() -> list[chess.Board]:
    board, rng, found = chess.Board(), Random(3), []
    for _ in range(60):
        found.append(board.copy())
        board.push(rng.choice(list(board.legal_moves)))
    return found


def read_all(game: Any, state: Any, watch: Watch) -> None:
    """The full cost of a movement that is the first in its position."""
    asked = game.decisions(state)[-1].seats
    should = evidence.laid(game, state, watch)
    ways = evidence.ways(game, state, asked, watch)
    evidence.read(game, should, ways, ways[-1].laid.lying, watch)


@pytest.mark.parametrize("name", ["us-patent", "one-false-step", "actionworks"])
def test_reading_a_movement_against_a_list_of_chess_moves(name: str) -> None:
    kit = Kit(shelf.open(name))
    seats = kit.seats()[1]
    mat = max(kit.game.mats(seats), key=lambda each: len(each.zones()))
    places = list(mat.zones().values())
    watch = Watch({place: places.count(place) for place in places}, frozenset(kit.game.pieces(kit.pack)))
    states = [step.before for seed in range(4) for step in kit.playout(seats, seed, 150)]
    slowest = max(states, key=lambda state: seconds(lambda: read_all(kit.game, state, watch), 1))
    positions = boards()
    ratios = sorted(
        seconds(lambda: read_all(kit.game, slowest, watch), 5)
        / (seconds(lambda: [list(board.legal_moves) for board in positions], 2) / len(positions))
        for _ in range(7)
    )
    took = seconds(lambda: read_all(kit.game, slowest, watch), 5)
    print(f"\n{name}: {took * 1000:.1f} ms, {ratios[3]:.0f} lists of chess moves (aim: {AIM})")
    assert ratios[3] < LIMIT
