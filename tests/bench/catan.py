"""The anchor for games of resources and a map: random play of the settlers in catanatron, by its public API."""

from __future__ import annotations

import random

from catanatron import Color, Game, RandomPlayer


class Settlers:
    """Four of catanatron's own random players; one game after another."""

    def __init__(self) -> None:
        self._chance = random.Random(1)

    def actions(self, least: int) -> int:
        """Play whole games until so many actions are done; gives how many."""
        done = 0
        while done < least:
            game = Game([RandomPlayer(color) for color in Color], seed=self._chance.getrandbits(30))
            game.play()
            done += len(game.state.actions)
        return done
