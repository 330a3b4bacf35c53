"""One False Step against catanatron: random playouts, in one run and by turns, in CPU time of this process."""

from __future__ import annotations

import random

import pytest

from companion.core import GameId
from companion.library import shelf
from tests.bench.catan import Settlers
from tests.bench.test_bench_playouts import SLICES, WARM, cpu, playout, setup_of, tell

ACTIONS = 1500


def test_random_playouts_are_at_least_as_fast_as_those_of_catanatron(capsys: pytest.CaptureFixture[str]) -> None:
    game = shelf.open(GameId("one-false-step"))
    setup, chance, settlers = setup_of(game), random.Random(1), Settlers()

    def theirs() -> int:
        return settlers.actions(ACTIONS)

    slices = [(cpu(lambda: playout(game, setup, chance)), cpu(theirs)) for _ in range(SLICES + WARM)][WARM:]
    tell(capsys, f"{game.id} playouts / catanatron random play", "actions", slices, 1.0)
