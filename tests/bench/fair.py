"""Fair playouts: on both sides every legal move is listed at every step, one is picked in the same cheap way, and it is
carried out; seats and options at random, one game after another.

What either side builds beside that for its own agents (observations, logs, checks of what it has itself listed) is left
out as far as its public API lets us.
"""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable
from typing import Any, TypeAlias

import chess
from catanatron import Color, RandomPlayer
from catanatron import Game as Settlers

from companion.core import Game, Setup, legal, verb_of
from companion.core.legality import carry_out
from companion.library import shelf

AnyGame: TypeAlias = Game[Any, Any]
Playing: TypeAlias = Callable[[int], int]
"""Plays at least this many actions, and returns how many."""
Anchor: TypeAlias = Callable[[], Playing]
LONGEST_CHESS, LONGEST_SETTLING = 200, 1000
"""Plies, and turns: catanatron itself ends a game that nobody wins at this number."""


def any_setup(game: AnyGame, chance: random.Random) -> Setup[Any]:
    """A random number of seats that the game allows, and a random choice for each option."""
    options = tuple((option.name, chance.choice(option.choices)) for option in game.options)
    return Setup(game.id, game.version, chance.randint(*game.seats), options, shelf.pack(game))


def ours(game: AnyGame) -> Playing:
    chance = random.Random(1)
    pick, state = chance.random, game.start(any_setup(game, chance))

    def play(least: int) -> int:
        nonlocal state
        for _ in range(least):
            while not (asked := game.decisions(state)):
                state = game.start(any_setup(game, chance))
            seats = asked[-1].seats
            intents = legal(game, state, seats[int(pick() * len(seats))])
            intent = intents[int(pick() * len(intents))]
            _, state = carry_out(game, state, verb_of(game, intent), intent)
        return least

    return play


def chess_moves() -> Playing:
    pick, board = random.Random(1).random, chess.Board()

    def play(least: int) -> int:
        nonlocal board
        for _ in range(least):
            while not (moves := list(board.legal_moves)) or board.ply() > LONGEST_CHESS:
                board = chess.Board()
            board.push(moves[int(pick() * len(moves))])
        return least

    return play


def settlers() -> Playing:
    chance = random.Random(1)

    def pick(_player: Any, _game: Any, actions: list[Any]) -> Any:
        return actions[int(chance.random() * len(actions))]

    def play(least: int) -> int:
        done = 0
        while done < least:
            colours = list(Color)[: chance.randint(2, 4)]
            game = Settlers([RandomPlayer(colour) for colour in colours], seed=chance.getrandbits(30))
            while game.winning_color() is None and game.state.num_turns < LONGEST_SETTLING and done < least:
                game.play_tick(pick)
                done += 1
        return done

    return play


def uno() -> Playing:
    """RLCard's environment, which is its public API; without its agents, which take longer to pick than it takes to
    play.
    """
    with warnings.catch_warnings(action="ignore"):
        import rlcard

        env = rlcard.make("uno", config={"seed": 1})
    pick, (seen, _) = random.Random(1).random, env.reset()

    def play(least: int) -> int:
        nonlocal seen
        for _ in range(least):
            if env.is_over():
                seen, _ = env.reset()
            moves = list(seen["legal_actions"])
            seen, _ = env.step(moves[int(pick() * len(moves))])
        return least

    return play


def per_second(play: Playing, least: int) -> float:
    """Actions per second of CPU."""
    begun = time.process_time()
    done = play(least)
    return done / (time.process_time() - begun)
