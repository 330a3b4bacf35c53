"""How many positions are reachable in so many acts from a fixed one: the cheap, strong regression test."""

from __future__ import annotations

import pytest

from companion.core import TABLE, legal
from companion.games.timeline import GAME
from companion.games.timeline.rules.intents import AgreeToStop
from companion.games.timeline.state import State
from tests.games.timeline.board import act, board

WORKED = [("1a", 0)], [("9a", -1)], [("13a", 0)], [("23a", -2)]


def perft(state: State, depth: int) -> int:
    """Sequences of acts of the awaited seat, without agreeing to stop; of draws only the first is taken."""
    if depth == 0:
        return 1
    decisions = GAME.decisions(state)
    if not decisions:
        return 0
    actor = decisions[-1].seats[0]
    intents = [i for i in legal(GAME, state, actor) if not isinstance(i, AgreeToStop)]
    intents = intents[:1] if actor == TABLE else intents
    return sum(perft(act(state, intent), depth - 1) for intent in intents)


POSITIONS = {
    "worked": board(*WORKED, pawns={0: (1, 2), 1: (3, 1)}, goods={0: (1, 2, 0, 0), 1: (0, 0, 3, 1)}),
    "stacked": board(
        [("1a", -4), ("2a", 0)],
        [("9a", 3)],
        [("?", -5), ("13a", -1)],
        [("23a", 0), ("17a", 4)],
        seats=3,
        pawns={0: (1, -2), 1: (4, 5), 2: (5, 1)},
        goods={2: (1, 1, 1, 1)},
    ),
    "older": board(
        [("1a", -5), ("2a", 0)],
        [("9a", 0)],
        pawns={0: (1, 0), 1: (2, 0)},
        deck=1,
        slide="card-and-above",
    ),
}
COUNTS: dict[str, tuple[int, ...]] = {
    "worked": (10, 63, 403),
    "stacked": (14, 156, 615),
    "older": (13, 110, 1013),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_perft(name: str) -> None:
    assert tuple(perft(POSITIONS[name], depth) for depth in (1, 2, 3)) == COUNTS[name]
