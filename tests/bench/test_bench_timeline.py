"""TimeLine's list of legal intents with their what-if, against a list of chess moves: alternately in one run, in
CPU time.

The target is printed beside the result; only results far from it fail, since the machine may be busy.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

import chess
import pytest

from companion.core import legal
from companion.games.timeline import GAME
from companion.games.timeline.state import Turn
from tests.games.timeline.board import played

SLICE, ROUNDS = 0.15, 12


def per_second(act: Callable[[], Any]) -> float:
    count, start = 0, process_time()
    while process_time() - start < SLICE:
        for _ in range(20):
            act()
        count += 20
    return count / (process_time() - start)


def by_turns(first: Callable[[], Any], second: Callable[[], Any]) -> float:
    """The median ratio of alternating slices."""
    ratios = sorted(per_second(first) / per_second(second) for _ in range(ROUNDS))
    return ratios[ROUNDS // 2]


@pytest.mark.parametrize("seats", [2, 5])
def test_legal_list_with_what_if_against_a_list_of_chess_moves(seats: int) -> None:
    states = [s for s, _, _ in played(Random(2), seats, 200) if isinstance(s.steps[-1], Turn)][:60]
    boards, rng = [chess.Board()], Random(3)
    for _ in range(60):
        after = boards[-1].copy()
        after.push(rng.choice(list(after.legal_moves)))
        boards.append(after)
    turn, move = iter(range(10**9)), iter(range(10**9))

    def ours() -> None:
        state = states[next(turn) % len(states)]
        for intent in legal(GAME, state, state.turn):
            GAME.foresee(state, intent)

    ratio = by_turns(lambda: list(boards[next(move) % 60].legal_moves), ours)
    print(f"\nlegal list with what-if, {seats} seats: {ratio:.1f} × the time of a list of chess moves (aim: 5)")
    assert ratio < 15
