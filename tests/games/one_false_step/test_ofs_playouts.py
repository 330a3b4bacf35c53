"""Random play: what the contract kit does not ask of every game."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core import (
    PUBLIC,
    TABLE,
    Accepted,
    Intent,
    PieceId,
    PlaceId,
    SeatId,
    Verb,
    allowed,
    argument_kinds,
    judge,
    legal,
    mask,
)
from companion.games.one_false_step import GAME
from companion.games.one_false_step.state import Auction, State, Thursday, Wednesday, county, pieces
from tests.games.one_false_step.play import (
    ADA,
    BEN,
    CLEO,
    PACK,
    bot_game,
    chips_in,
    everywhere,
    laid,
    midgame,
    numbers,
    opened,
    own,
    playout,
)

SEATS = st.integers(3, 6)
SEEDS = st.integers(0, 2**32)
PIECES = sorted(pieces(PACK))
TABLES, LIMITS = st.sampled_from(["corrected", "printed"]), st.sampled_from(["off", "on"])


@pytest.mark.slow
@settings(max_examples=8)
@given(SEATS, SEEDS, TABLES, LIMITS)
def test_what_is_legal_is_accepted_and_what_is_not_is_refused(seats: int, seed: int, table: str, limit: str) -> None:
    for before, _, _ in playout(seats, seed, 60, rocket_table=table, population=limit):
        for seat in (TABLE, *(SeatId(s) for s in range(seats))):
            may = set(legal(GAME, before, seat))
            for verb in GAME.verbs:
                if verb.chance != (seat == TABLE):
                    continue
                candidates = [i for i in verb.arguments(before, seat) if seat != TABLE or not verb.span]
                accepted = {i for i in candidates if isinstance(judge(GAME, before, i), Accepted)}
                assert accepted == {i for i in may if type(i) is verb.intent}
                for intent in accepted:
                    inside = [isinstance(judge(GAME, before, i), Accepted) for i in numbers(verb, before, intent)]
                    assert inside in ([True], [False, True, True, False])


@settings(max_examples=15)
@given(SEATS, SEEDS)
def test_wild_wishes_are_judged_without_a_crash_and_accepted_only_if_legal(seats: int, seed: int) -> None:
    chance, start = random.Random(seed), midgame(seats, seed)
    for before, _, _ in playout(seats, seed, 40, start=start):
        for verb in (*GAME.verbs, *GAME.corrections):
            intent = wild(verb, chance, before)
            for advise in (False, True):
                verdict = judge(GAME, before, intent, advise=advise)
                if isinstance(verdict, Accepted):
                    assert min(*verdict.after.red, *verdict.after.food, *verdict.after.gold) >= 0


def wild(verb: Verb[State, Intent], chance: random.Random, state: State) -> Intent:
    claims = [*county(PACK, state.laid).claims, PlaceId("farm/9-z"), PlaceId("at/0/0"), PlaceId("red/1"), PlaceId("x")]
    pick = {
        "piece": lambda: PieceId(chance.choice([*PIECES, "?", "nonsense"])),
        "place": lambda: PlaceId(chance.choice(claims)),
        "seat": lambda: SeatId(chance.randint(-1, 6)),
        "number": lambda: chance.randint(-2, 30),
    }
    arguments = {name: pick[kind]() for name, kind in argument_kinds(verb.intent)}
    return verb.intent(SeatId(chance.randint(-1, len(state.red))), **arguments)


@settings(max_examples=15)
@given(SEATS, SEEDS)
def test_no_piece_and_no_chip_is_lost_or_doubled_by_any_event(seats: int, seed: int) -> None:
    for before, intent, after in playout(seats, seed, 250):
        verdict = judge(GAME, before, intent)
        assert isinstance(verdict, Accepted)
        state = before
        for event in verdict.events:
            state = GAME.apply(state, event)
            assert chips_in(state) == (20 * seats, 4 * seats, 0)
            assert min(*state.red, *state.food, *state.gold) >= 0
        assert sorted(everywhere(after)) == PIECES


@pytest.mark.slow
@settings(max_examples=10)
@given(SEATS, SEEDS)
def test_everything_said_about_a_game_can_be_said_to_everyone(seats: int, seed: int) -> None:
    for before, intent, _ in playout(seats, seed, 60):
        for audience in (PUBLIC, SeatId(0)):
            view = mask(before, audience)
            GAME.headline(view), GAME.picture(view), GAME.layout(view), GAME.result(view), GAME.series(view)
            assert GAME.decisions(view) == GAME.decisions(before)
            assert GAME.status(view).findings == ()
            for seat in range(seats):
                GAME.own(view, SeatId(seat))
            GAME.foresee(view, intent)


@settings(max_examples=10)
@given(SEATS, SEEDS)
def test_no_two_questions_of_an_ordered_day_look_alike_in_a_row(seats: int, seed: int) -> None:
    trades = {
        "OfferFood",
        "OfferGold",
        "NamePrice",
        "AcceptTrade",
        "DeclineTrade",
        "WithdrawOffer",
        "BuyFood",
        "BuyGold",
    }
    for before, intent, after in playout(seats, seed, 250):
        old, new = GAME.decisions(before), GAME.decisions(after)
        together = old[-1].kind in {"lay", "make-map", "feed"}
        if old and new and not together and type(intent).__name__ not in trades:
            assert (len(old), old[-1].kind, old[-1].subject) != (len(new), new[-1].kind, new[-1].subject)


def perft(state: State, depth: int) -> int:
    """How many ways there are to continue for this many acts, without trades."""
    if depth == 0 or not GAME.decisions(state):
        return 1
    total = 0
    for seat in GAME.decisions(state)[-1].seats:
        for intent in legal(GAME, state, seat):
            if type(intent).__name__.startswith(("Offer", "Buy", "Name", "Withdraw", "Lay", "Turn", "Lift")):
                continue
            verdict = judge(GAME, state, intent)
            assert isinstance(verdict, Accepted)
            total += perft(verdict.after, depth - 1)
    return total


def positions() -> list[tuple[State, int]]:
    """A Monday of tangled claims, a Wednesday, a Thursday, an auction, a Button, and the first bids."""
    held = (own("alba", ADA, middle=2), own("brio", BEN, counters=2, middle=1), own("cima", CLEO, middle=1))
    claims = {"farm 1a": ADA, "mine 1b": BEN, "mine 2a": CLEO}
    eating = (own("alba"), own("brio", BEN), own("dora", CLEO))
    due = tuple(PieceId(name) for name in ("alba", "brio", "dora"))
    inside = (SeatId(0), SeatId(1), SeatId(2))
    return [
        (laid(*held, claims=claims).now, 4),
        (laid(*eating, steps=(Wednesday(due),), day="wednesday", food=(1, 1, 9)).now, 4),
        (laid(*eating, steps=(Thursday(SeatId(0)),), gold=(5, 3, 0), day="thursday").now, 4),
        (laid(*held, steps=(Auction(PieceId("enno"), SeatId(0), inside),), day="saturday").now, 4),
        (laid(*held, steps=(Auction(PieceId(""), SeatId(0), inside),), day="saturday").now, 4),
        (opened(4).now, 4),
    ]


def test_perft_counts_stay() -> None:
    """A cheap, strong check on all rules at once: any change in what is legal changes these numbers."""
    assert [perft(state, depth) for state, depth in positions()] == PERFT


PERFT = [486, 54, 2204, 22, 15, 256]


def test_the_same_chance_gives_the_same_game() -> None:
    assert bot_game(3, 7) == bot_game(3, 7)


def test_lists_stay_short_enough() -> None:
    most = max(
        len(list(allowed(v, s, SeatId(0)))) for s, _, _ in playout(4, 1, 300, start=midgame(4, 6)) for v in GAME.verbs
    )
    assert most < 60
