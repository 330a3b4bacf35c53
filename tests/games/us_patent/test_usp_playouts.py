"""Random play: what the contract kit does not ask of every game."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core import PUBLIC, TABLE, Accepted, SeatId, allowed, judge, legal, mask
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.bot import choose
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import State, capacity, draw, known
from tests.games.us_patent.play import playout, setup_for
from tests.games.us_patent.test_usp_referee import wild

SEATS = st.integers(3, 8)
SEEDS = st.integers(0, 2**32)


@settings(max_examples=20)
@given(SEATS, SEEDS)
def test_gold_comes_from_the_bank_and_goes_there(seats: int, seed: int) -> None:
    for before, intent, after in playout(seats, seed, 250):
        verdict = judge(GAME, before, intent)
        assert isinstance(verdict, Accepted)
        change = 0
        for event in verdict.events:
            match event:
                case e.Earned(gold=gold) | e.Patented(gold=gold) | e.MachineDrawn(gold=gold):
                    change += gold
                case e.Bought(gold=gold) | e.MachineMended(gold=gold):
                    change -= gold
        assert sum(m.gold for m in after.machines) == sum(m.gold for m in before.machines) + change
        assert all(m.gold >= 0 for m in after.machines)


@settings(max_examples=20)
@given(SEATS, SEEDS)
def test_nobody_lacks_power_but_who_is_asked_about_it(seats: int, seed: int) -> None:
    for _, _, after in playout(seats, seed, 250):
        tables = known(after)
        short = tuple(s for s, m in enumerate(after.machines) if draw(tables, m) > capacity(tables, m))
        assert after.short == short
        assert len(short) <= 1
        for m in after.machines:
            slots = [tables.cards[c].slot for c in m.cards if c]
            assert slots == [at for at, c in enumerate(m.cards) if c], "each card in its own slot"
            assert all(c or not works for c, works in zip(m.cards, m.works, strict=True))


@pytest.mark.slow
@settings(max_examples=10)
@given(SEATS, SEEDS, st.sampled_from(["off", "on"]))
def test_everything_said_about_a_game_can_be_said_to_everyone(seats: int, seed: int, memory: str) -> None:
    for before, intent, _ in playout(seats, seed, 80, {"lab_memory": memory}):
        for audience in (PUBLIC, SeatId(0), SeatId(seats - 1)):
            view = mask(before, audience)
            GAME.headline(view), GAME.picture(view), GAME.layout(view), GAME.result(view), GAME.series(view)
            assert GAME.decisions(view) == GAME.decisions(before)
            findings = GAME.status(view).findings
            assert {finding.rule for finding in findings} <= ({"P10"} if before.short else set())
            for seat in range(seats):
                GAME.own(view, SeatId(seat))
            GAME.foresee(view, intent)


@settings(max_examples=10)
@given(SEATS, SEEDS)
def test_no_two_questions_of_a_game_look_alike_in_a_row(seats: int, seed: int) -> None:
    for before, _, after in playout(seats, seed, 200):
        old, new = GAME.decisions(before), GAME.decisions(after)
        if old and new:
            assert (old[-1].kind, old[-1].seats, old[-1].subject) != (new[-1].kind, new[-1].seats, new[-1].subject)


@pytest.mark.parametrize("seed", range(4))
def test_in_advise_wild_acts_stand_or_are_refused_but_nothing_breaks(seed: int) -> None:
    chance, stood = random.Random(seed), 0
    for at, (before, _, _) in enumerate(playout(4, seed, 300)):
        for intent in wild(chance, before) if at % 5 == 0 else ():
            verdict = judge(GAME, before, intent, advise=True)
            if isinstance(verdict, Accepted):
                stood += 1
                asked = GAME.decisions(verdict.after)
                assert not asked or legal(GAME, verdict.after, asked[-1].seats[0]), (intent, before.steps)
                assert not {f.rule for f in GAME.status(verdict.after).findings} - {"P10"}
    assert stood > 50


def bot_game(seats: int, seed: int, win: str = "end-of-turn") -> tuple[State, int]:
    chance, now, steps = random.Random(seed), GAME.start(setup_for(seats, win=win)), 0
    while asked := GAME.decisions(now):
        seat = asked[-1].seats[0]
        if seat == TABLE:
            intents = legal(GAME, now, TABLE)
            intent = chance.choices(intents, [GAME.weight(now, n) for n in intents])[0]
        else:
            view = mask(now, seat)
            intent = choose(view, seat, legal(GAME, view, seat), chance.randrange(1000))
        verdict = judge(GAME, now, intent)
        assert isinstance(verdict, Accepted)
        now, steps = verdict.after, steps + 1
        assert steps < 9000, f"seats {seats}, seed {seed}: the bots never finish"
    return now, steps


def test_a_sensible_player_always_chooses_alike_and_keeps_a_won_game() -> None:
    assert bot_game(3, 7) == bot_game(3, 7)
    last = [n for n in ("EndTurn", "TakeGold") if hasattr(i, n)]
    assert len(last) == 2


def test_the_verbs_offered_are_few_enough_to_list() -> None:
    """A move lists a board first: at most nine, then the spaces of that board."""
    for state, _, _ in playout(6, 1, 300):
        for verb in GAME.verbs:
            offered = [] if verb.chance else list(allowed(verb, state, state.turn))
            boards = {getattr(n, "board", "") for n in offered}
            per_board = max((sum(getattr(n, "board", "") == b for n in offered) for b in boards), default=0)
            assert len(boards) <= 9
            assert per_board <= 12
