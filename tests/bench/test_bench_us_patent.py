"""U.S. Patent against catanatron: random playouts, in one run and by turns, in CPU time of this process.

An action, on either side, is one thing picked at random from the list of what is legal, and carried out. Catanatron
lists every choice of a player, also where there is no other one (to roll, to end a turn); its dice and draws are part
of them. Here whatever has no other way follows by itself and is not counted; dice and draws are the table's own, each
picked from a list. The stricter count, the choices of seats alone, is told beside it.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.core import GameId, legal, verb_of
from companion.core.legality import carry_out
from companion.library import shelf
from tests.bench.catan import Settlers
from tests.bench.test_bench_playouts import SLICES, WARM, cpu, setup_of, tell

ACTIONS = 1500
GAME = shelf.open(GameId("us-patent"))
SETUP = setup_of(GAME)


def playouts(chance: random.Random, counted: Counter[str]) -> int:
    """One game after another until so many actions are done."""
    done = 0
    while done < ACTIONS:
        state = GAME.start(SETUP)
        while done < ACTIONS and (asked := GAME.decisions(state)):
            intent = chance.choice(legal(GAME, state, asked[-1].seats[0]))
            _, state = carry_out(GAME, state, verb_of(GAME, intent), intent)
            counted["table" if asked[-1].is_chance else "seat"] += 1
            done += 1
    return done


def test_random_playouts_are_twice_as_fast_as_those_of_catanatron(capsys: pytest.CaptureFixture[str]) -> None:
    chance, settlers, counted = random.Random(1), Settlers(), Counter[str]()

    def theirs() -> int:
        return settlers.actions(ACTIONS)

    slices = [(cpu(lambda: playouts(chance, counted)), cpu(theirs)) for _ in range(SLICES + WARM)][WARM:]
    share = counted["seat"] / counted.total()
    chosen = [(ours * share, theirs) for ours, theirs in slices]
    tell(capsys, f"{GAME.id} playouts / catanatron random play", "actions", slices, 2.0)
    tell(capsys, f"{GAME.id} choices of seats / catanatron random play", "actions", chosen, 1.5)
