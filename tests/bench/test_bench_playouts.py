"""How fast the rules are: random playouts against RLCard's uno, a whole referee step against python-chess.

Both sides are measured in one run, in alternating slices, in CPU time of this process, since the machine may be busy.
A playout is what either side calls one: RLCard's `env.run` with its own random agents; here decisions, legal intents
and their outcome. A referee step is selection from taps, verdict, fold, and all audiences' views as bytes; no disk.
"""

from __future__ import annotations

import platform
import random
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import chess
import msgspec
import pytest

from companion.core import (
    PUBLIC,
    Accepted,
    Game,
    GameId,
    Ready,
    SeatId,
    Setup,
    judge,
    known_pieces,
    legal,
    mask,
    mentions,
    select,
    verb_of,
)
from companion.core.legality import carry_out
from companion.library import shelf
from companion.table.record import bare

AnyGame = Game[Any, Any]
SLICES, WARM = 15, 2
ACTIONS, STEPS = 3000, 600
SEATS = 3


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


def playout(game: AnyGame, setup: Setup[Any], chance: random.Random) -> int:
    state = game.start(setup)
    for _ in range(ACTIONS):
        asked = game.decisions(state)
        if not asked:
            state = game.start(setup)
            continue
        intents = legal(game, state, asked[-1].seats[0])
        intent = intents[int(chance.random() * len(intents))]
        _, state = carry_out(game, state, verb_of(game, intent), intent)
    return ACTIONS


def rlcard_uno() -> Callable[[], int]:
    """One slice of RLCard's own random play, by its public API; None of it is ours."""
    with warnings.catch_warnings(action="ignore"):
        import rlcard
        from rlcard.agents import RandomAgent

        env = rlcard.make("uno", config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def some_games() -> int:
        before = env.timestep
        while env.timestep - before < ACTIONS // 2:
            env.run(is_training=False)
        return int(env.timestep - before)

    return some_games


def referee_steps(game: AnyGame, setup: Setup[Any], chance: random.Random) -> float:
    """Referee steps per second; choosing what to do is not the referee's work and not counted."""
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


def test_random_playouts_are_three_times_as_fast_as_those_of_rlcards_uno(capsys: pytest.CaptureFixture[str]) -> None:
    """ActionWorks, which is a card game too; the others have anchors of their own kind (`test_bench_<game>.py`)."""
    game = shelf.open(GameId("actionworks"))
    uno, setup, chance = rlcard_uno(), setup_of(game), random.Random(1)
    slices = [(cpu(lambda: playout(game, setup, chance)), cpu(uno)) for _ in range(SLICES + WARM)][WARM:]
    tell(capsys, f"{game.id} playouts / RLCard uno playouts", "actions", slices, 3.0)


def test_a_whole_referee_step_costs_a_few_random_chess_moves(game: AnyGame, capsys: pytest.CaptureFixture[str]) -> None:
    """Two with a hand of cards, four with a map, a Bank and trades beside every question."""
    setup, chance = setup_of(game), random.Random(1)
    slices = [(referee_steps(game, setup, chance), cpu(chess_playout)) for _ in range(SLICES + WARM)][WARM:]
    tell(
        capsys,
        f"{game.id} referee steps / python-chess random moves",
        "steps",
        slices,
        0.5 if game.id == "actionworks" else 0.25,
    )


def tell(
    capsys: pytest.CaptureFixture[str], what: str, unit: str, slices: list[tuple[float, float]], limit: float
) -> None:
    ratios = sorted(ours / theirs for ours, theirs in slices)
    ours, theirs = (statistics.median(column) for column in zip(*slices, strict=True))
    with capsys.disabled():
        print(
            f"\n{what}: {statistics.median(ratios):.2f} (at least {limit}; slices {ratios[0]:.2f}–{ratios[-1]:.2f}; "
            f"{ours:,.0f} against {theirs:,.0f} {unit}/s of CPU; {platform.machine()}, "
            f"Python {platform.python_version()})"
        )
    # The printed ratio is the proof; a busy machine may take half of it before it counts as a regression.
    assert statistics.median(ratios) >= limit / 2
