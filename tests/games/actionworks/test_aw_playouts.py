"""Random play: whatever is legal is accepted, nothing is lost, nothing is asked in vain."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.core.ids import PUBLIC, TABLE, SeatId
from companion.core.judge import Accepted, allowed, fold, judge, legal
from companion.core.secrets import mask
from companion.games.actionworks import GAME
from companion.games.actionworks.bot import choose
from companion.games.actionworks.parts import pieces
from companion.games.actionworks.state import NO_SETUP, State
from tests.games.actionworks.play import PACK, everywhere, playout, setup_for

SEATS = st.integers(2, 6)
SEEDS = st.integers(0, 2**32)
PIECES = sorted(pieces(PACK))


@settings(max_examples=30)
@given(SEATS, SEEDS)
def test_what_is_legal_is_accepted_and_what_is_not_is_refused(seats: int, seed: int) -> None:
    for before, _, _ in playout(seats, seed, 60):
        for seat in (TABLE, *(SeatId(s) for s in range(seats))):
            may = set(legal(GAME, before, seat))
            for verb in GAME.verbs:
                if verb.chance == (seat == TABLE):
                    assert {
                        i for i in verb.arguments(before, seat) if isinstance(judge(GAME, before, i), Accepted)
                    } == {i for i in may if type(i) is verb.intent}


@settings(max_examples=40)
@given(SEATS, SEEDS)
def test_no_piece_is_lost_or_doubled(seats: int, seed: int) -> None:
    for _, _, after in playout(seats, seed, 250):
        assert sorted(everywhere(after)) == PIECES


@settings(max_examples=30)
@given(SEATS, SEEDS)
def test_a_seat_knows_from_its_view_alone_what_it_may_do(seats: int, seed: int) -> None:
    for before, _, _ in playout(seats, seed, 120):
        for seat in (SeatId(s) for s in range(seats)):
            view = mask(before, seat)
            assert legal(GAME, view, seat) == legal(GAME, before, seat)


@settings(max_examples=30)
@given(SEATS, SEEDS)
def test_the_events_alone_lead_to_the_same_state_also_after_a_restart(seats: int, seed: int) -> None:
    decoder, events_of = msgspec.json.Decoder(State), msgspec.json.Decoder(GAME.event)
    for before, intent, after in playout(seats, seed, 120):
        verdict = judge(GAME, before, intent)
        assert isinstance(verdict, Accepted)
        kept = tuple(events_of.decode(msgspec.json.encode(event)) for event in verdict.events)
        assert fold(GAME, before, kept) == after
        bare = replace(after, setup=NO_SETUP)
        assert decoder.decode(msgspec.json.encode(bare)) == bare


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


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_random_games_end_or_run_on(seats: int) -> None:
    for seed in range(4):
        steps = sum(1 for _ in playout(seats, seed, 2000, new_type="by-choice" if seed % 2 else "every-round"))
        assert steps > 200


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


@pytest.mark.slow
@pytest.mark.rule("A.c")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_sensible_players_finish_their_games(seats: int) -> None:
    wins: Counter[int] = Counter()
    for seed in range(200):
        state, _ = bot_game(seats, seed)
        result = GAME.result(state)
        assert result is not None
        wins.update(result.winners)
    assert min(wins[seat] for seat in range(seats)) > 0, "every seat can win"


def test_a_sensible_player_ships_what_it_wants_and_always_chooses_alike() -> None:
    state, _ = bot_game(3, 7)
    again, _ = bot_game(3, 7)
    assert state == again


def test_the_verbs_offered_are_few_enough_to_list() -> None:
    most = max(
        len(list(allowed(v, s, SeatId(0)))) for s, _, _ in playout(2, 1, 300) for v in GAME.verbs if not v.chance
    )
    assert most < 40
