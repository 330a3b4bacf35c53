"""Random play: what the contract kit does not ask of every game."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core import PUBLIC, TABLE, Accepted, SeatId, allowed, judge, legal, mask
from companion.games.actionworks import GAME
from companion.games.actionworks.bot import choose
from companion.games.actionworks.state import State
from tests.games.actionworks.play import playout, setup_for

SEATS = st.integers(2, 6)
SEEDS = st.integers(0, 2**32)


@pytest.mark.slow
@settings(max_examples=20)
@given(SEATS, SEEDS)
def test_everything_said_about_a_game_can_be_said_to_everyone(seats: int, seed: int) -> None:
    for before, intent, _ in playout(seats, seed, 60):
        for audience in (PUBLIC, *(SeatId(s) for s in range(seats))):
            view = mask(before, audience)
            GAME.headline(view), GAME.picture(view), GAME.layout(view), GAME.result(view), GAME.series(view)
            assert GAME.decisions(view) == GAME.decisions(before)
            assert GAME.status(view).findings == ()
            for seat in range(seats):
                GAME.own(view, SeatId(seat))
            GAME.foresee(view, intent)


@settings(max_examples=20)
@given(SEATS, SEEDS)
def test_no_two_questions_of_a_game_look_alike_in_a_row(seats: int, seed: int) -> None:
    for before, _, after in playout(seats, seed, 200):
        old, new = GAME.decisions(before), GAME.decisions(after)
        if old and new and old[-1].kind not in {"turn", "new-type"}:
            assert (len(old), old[-1].kind, old[-1].subject) != (len(new), new[-1].kind, new[-1].subject)


def bot_game(seats: int, seed: int) -> tuple[State, int]:
    import random

    chance, now, steps = random.Random(seed), GAME.start(setup_for(seats)), 0
    while asked := GAME.decisions(now):
        seat = asked[-1].seats[0]
        if seat == TABLE:
            intent = chance.choice(legal(GAME, now, TABLE))
        else:
            view = mask(now, seat)
            intent = choose(view, seat, legal(GAME, view, seat), chance.randrange(1000))
        verdict = judge(GAME, now, intent)
        assert isinstance(verdict, Accepted)
        now, steps = verdict.after, steps + 1
        assert steps < 5000, f"seats {seats}, seed {seed}: the bots never finish"
    return now, steps


def test_a_sensible_player_ships_what_it_wants_and_always_chooses_alike() -> None:
    state, _ = bot_game(3, 7)
    again, _ = bot_game(3, 7)
    assert state == again


def test_the_verbs_offered_are_few_enough_to_list() -> None:
    most = max(
        len(list(allowed(v, s, SeatId(0)))) for s, _, _ in playout(2, 1, 300) for v in GAME.verbs if not v.chance
    )
    assert most < 40
