"""The sensible player: it plays by a view, finishes games, and beats chance."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from companion.core import TABLE, Accepted, SeatId, judge, legal, mask
from companion.games.timeline import GAME
from companion.games.timeline.bot import STALL, choose
from companion.games.timeline.rules.intents import AgreeToStop, EnterMarket, Sell
from companion.games.timeline.state import State
from tests.games.timeline.board import ADA, act, board, setup_for


def bot_game(rng: Random, seats: int, random_seats: tuple[int, ...] = (), limit: int = 1500, **options: str) -> State:
    state = GAME.start(setup_for(seats, **options))
    for _ in range(limit):
        decisions = GAME.decisions(state)
        if not decisions:
            return state
        actor = decisions[-1].seats[0]
        if state.agreed and state.turns > STALL * seats:
            # Who would stop asks the others, who have not been asked yet.
            actor = next(SeatId(seat) for seat in range(seats) if seat not in state.agreed)
        intents = legal(GAME, state, actor)
        if actor == TABLE or actor in random_seats:
            intent = rng.choice(intents)
        else:
            intent = choose(mask(state, actor), actor, intents, rng.randrange(1 << 20))
        verdict = judge(GAME, state, intent)
        assert isinstance(verdict, Accepted), verdict
        state = verdict.after
    return state


@pytest.mark.rule("T.k")
@pytest.mark.parametrize("seats", [2, *(pytest.param(seats, marks=pytest.mark.slow) for seats in (3, 4, 5))])
@pytest.mark.parametrize(("slide", "blanks"), [("column", "deck"), ("card-and-above", "stand-ins")])
def test_sensible_games_come_to_an_end(seats: int, slide: str, blanks: str) -> None:
    ended = [GAME.result(bot_game(Random(seed), seats, slide=slide, blanks=blanks)) for seed in range(3)]
    assert None not in ended
    assert sum(bool(result and result.winners) for result in ended) >= 2


def test_it_beats_chance() -> None:
    wins = 0
    for seed in range(8):
        result = GAME.result(bot_game(Random(seed), 3, random_seats=(1, 2)))
        wins += result is not None and result.winners == (SeatId(0),)
    assert wins >= 7


def test_it_takes_the_win_in_front_of_it() -> None:
    state = board(pawns={0: (1, 3), 1: (2, 0)}, goods={0: (0, 0, 0, 3)}, gold=(10, 0))
    assert choose(state, ADA, legal(GAME, state, ADA), 0) == EnterMarket(ADA)
    entered = act(state, EnterMarket(ADA))
    assert choose(entered, ADA, legal(GAME, entered, ADA), 5) == Sell(ADA, 3)


@pytest.mark.rule("T.k")
def test_it_would_stop_when_nothing_comes_of_it() -> None:
    state = replace(board(pawns={0: (1, 3), 1: (2, 0)}), turns=1000)
    assert choose(state, ADA, legal(GAME, state, ADA), 0) == AgreeToStop(ADA)
