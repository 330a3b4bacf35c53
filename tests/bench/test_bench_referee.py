"""How fast the referee is: a whole step against a random move of python-chess.

Both sides are measured in one run, in alternating slices, in CPU time of this process, since the machine may be busy.
A referee step is selection from taps, verdict, fold, and all audiences' views as bytes; no disk.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import chess
import msgspec
import pytest

from companion.core import (
    PUBLIC,
    Accepted,
    Game,
    Ready,
    SeatId,
    Setup,
    judge,
    known_pieces,
    legal,
    mask,
    mentions,
    select,
)
from companion.library import shelf
from companion.table.record import bare
from tests.bench.measured import Measured

AnyGame = Game[Any, Any]
SLICES, WARM = 8, 2
STEPS = 600
SEATS = 3
LIMITS = {"actionworks": 0.65, "one-false-step": 0.54, "timeline": 0.5, "us-patent": 0.46}


@pytest.fixture(params=shelf.games())
def game(request: pytest.FixtureRequest) -> AnyGame:
    return shelf.open(request.param)


def setup_of(game: AnyGame) -> Setup[Any]:
    seats = min(max(SEATS, game.seats[0]), game.seats[1])
    options = tuple((option.name, option.choices[0]) for option in game.options)
    return Setup(game.id, game.version, seats, options, shelf.pack(game))


def cpu(work: Callable[[], int]) -> float:
    """Things done per second of CPU."""
    begun = time.process_time()
    done = work()
    return done / (time.process_time() - begun)


def referee_steps(game: AnyGame, setup: Setup[Any], chance: random.Random) -> float:
    """Referee steps per second; choosing what to do isn't the referee's work and doesn't count."""
    encode, spent, state = msgspec.json.Encoder().encode, 0.0, game.start(setup)
    audiences = (PUBLIC, *setup.everyone())
    for _ in range(STEPS):
        asked = game.decisions(state)
        if not asked:
            state = game.start(setup)
            continue
        seat = asked[-1].seats[0]
        intents = legal(game, state, seat)
        intent = intents[int(chance.random() * len(intents))]
        taps = mentions(intent)
        begun = time.process_time()
        state = step(game, state, seat, taps, audiences, encode)
        spent += time.process_time() - begun
    return STEPS / spent


def step(game: AnyGame, state: Any, seat: SeatId, taps: Any, audiences: Any, encode: Callable[[Any], bytes]) -> Any:
    view = mask(state, PUBLIC)
    verbs, known = game.verbs, known_pieces(game, view)
    end = select(game, state, view, (seat,), taps, known=known, verbs=verbs)
    assert isinstance(end, Ready)
    verdict = judge(game, state, end.intent)
    assert isinstance(verdict, Accepted)
    for audience in audiences:
        encode(bare(mask(verdict.after, audience)))
    return verdict.after


def chess_playout() -> int:
    moves, board = 0, chess.Board()
    chance = random.Random(1)
    while moves < STEPS:
        if board.is_game_over():
            board = chess.Board()
        board.push(chance.choice(list(board.legal_moves)))
        moves += 1
    return moves


def test_a_whole_referee_step_costs_a_few_random_chess_moves(game: AnyGame, row: Measured) -> None:
    """Less than two."""
    setup, chance = setup_of(game), random.Random(1)

    def slices() -> list[float]:
        return [referee_steps(game, setup, chance) / cpu(chess_playout) for _ in range(SLICES + WARM)][WARM:]

    row.at_least(f"{game.id}, referee step", "python-chess random move", slices(), LIMITS[game.id], 0.6, slices)
