"""TimeLine against python-chess, in one run and by turns, in CPU time, so that a busy machine slows both alike.

Random playouts pick a verb that is open, then one of its legal intents, and carry it out; python-chess picks from its
list of legal moves. The second measure lists all legal intents with their what-if, against that list. The aims are
printed beside what was found; only what is far from them fails, for the machine may be busy.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

import chess
import pytest

from companion.core import SeatId, allowed, legal
from companion.core.legality import carry_out
from companion.games.timeline import GAME
from companion.games.timeline.state import State, Turn
from tests.games.timeline.board import played, setup_for

SLICE, ROUNDS = 0.15, 12
_OPEN = {
    kind: [verb for verb in GAME.verbs if kind in verb.phases]
    for kind in {phase for verb in GAME.verbs for phase in verb.phases}
}


def step(state: State, actor: SeatId, rnd: Callable[[], float]) -> State:
    """A verb that may be open now, then one of its legal intents and all that follows from it."""
    verbs = _OPEN[GAME.phase(state)]
    while True:
        verb = verbs[int(rnd() * len(verbs))]
        intents = tuple(allowed(verb, state, actor))
        if intents:
            return carry_out(GAME, state, verb, intents[int(rnd() * len(intents))])[1]


class Ours:
    def __init__(self) -> None:
        self.rng, self.state, self.left = Random(1), GAME.start(setup_for(4)), 300

    def act(self) -> None:
        decisions = GAME.decisions(self.state)
        if not decisions or not self.left:
            self.state, self.left = GAME.start(setup_for(2 + self.rng.randrange(4))), 300
            decisions = GAME.decisions(self.state)
        self.left -= 1
        self.state = step(self.state, decisions[-1].seats[0], self.rng.random)


class Chess:
    def __init__(self) -> None:
        self.rng, self.board = Random(1), chess.Board()

    def act(self) -> None:
        moves = list(self.board.legal_moves)
        if not moves or self.board.ply() > 200:
            self.board = chess.Board()
            moves = list(self.board.legal_moves)
        self.board.push(self.rng.choice(moves))


def per_second(act: Callable[[], Any]) -> float:
    count, start = 0, process_time()
    while process_time() - start < SLICE:
        for _ in range(20):
            act()
        count += 20
    return count / (process_time() - start)


def by_turns(first: Callable[[], Any], second: Callable[[], Any]) -> float:
    """The middle ratio of alternating slices."""
    ratios = sorted(per_second(first) / per_second(second) for _ in range(ROUNDS))
    return ratios[ROUNDS // 2]


def test_random_playouts_against_python_chess() -> None:
    ratio = by_turns(Ours().act, Chess().act)
    print(f"\nrandom playouts: {ratio:.2f} × python-chess (aim: 2)")
    assert ratio > 1.2


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
