"""How fast U.S. Patent plays at random, against catanatron's own random players, in the same run.

Both sides are measured in alternating slices of CPU time of this process, since the machine may be busy. An action is
what either side calls one: an entry of catanatron's list of actions; here an accepted intent, dice and draws included.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import pytest

from companion import shelf
from companion.core.judge import carry_out, legal, verb_of
from tests.bench.test_bench_playouts import setup_of

catanatron = pytest.importorskip("catanatron", reason="the bench dependency group is not installed")

SLICES, WARM = 9, 2
ACTIONS = 1500
TIMES = 0.5
"""What must not get lost. The aim is 2: twelve rules about power, space and cards are asked for each of its actions."""


GAME = shelf.open("us-patent")
SETUP = setup_of(GAME)


def ours(chance: random.Random) -> int:
    game, setup, done = GAME, SETUP, 0
    while done < ACTIONS:
        state = game.start(setup)
        while done < ACTIONS and (asked := game.decisions(state)):
            intent = chance.choice(legal(game, state, asked[-1].seats[0]))
            _, state = carry_out(game, state, verb_of(game, intent), intent)
            done += 1
    return done


def theirs(_chance: random.Random) -> int:
    colors = (catanatron.Color.RED, catanatron.Color.BLUE, catanatron.Color.WHITE)
    game = catanatron.Game([catanatron.RandomPlayer(color) for color in colors])
    game.play()
    return len(game.state.actions)


def per_second(work: Callable[[random.Random], int], seed: int) -> float:
    begun = time.process_time()
    done = work(random.Random(seed))
    return done / (time.process_time() - begun)


def test_random_playouts_keep_pace_with_catanatrons() -> None:
    slices = [(per_second(ours, seed), per_second(theirs, seed)) for seed in range(SLICES + WARM)][WARM:]
    mine, other = (statistics.median(side) for side in zip(*slices, strict=True))
    print(f"us-patent {mine:,.0f} actions/s, catanatron {other:,.0f}: {mine / other:.2f} times")
    assert mine >= TIMES * other
