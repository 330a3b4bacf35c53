"""What is written in tables: which acts wait for OK, what is binding even in advise, what a pack may hold."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.actionworks import GAME
from companion.games.actionworks.rules.intents import SetTotal
from companion.games.actionworks.state import Effects, Pack, pieces
from companion.games.actionworks.state.parts import Lot, Words
from tests.games.actionworks.play import ADA, card, laid

VERBS = (*GAME.verbs, *GAME.corrections)

ASKING = """borrow-from declare end-turn go move-card new-type plan-hand play same-types set-demand set-total
set-turn ship"""
"""They show something, end something, or make a correction; the others are answers, for which a tap is enough."""

ALWAYS_LISTED = "dealt drew end-turn move-card name-first play set-demand set-total set-turn ship"
"""Answers to a question make no sense before it is asked."""

FOR_ADVICE = """
act-as:cleared act-as:copy-one-type act-as:dealt act-as:flipped act-as:round-chosen act-as:settled add:cleared
add:dealt add:flipped add:one-type add:plans-only add:round-chosen add:settled borrow-from:cleared borrow-from:dealt
borrow-from:flipped borrow-from:round-chosen borrow-from:settled borrow:cleared borrow:dealt borrow:flipped
borrow:round-chosen borrow:settled clear-take:clear-due clear-take:clear-turn clear-take:dealt clear-take:flipped
clear-take:round-chosen clear-take:settled clear-take:your-turn declare:cleared declare:dealt declare:flipped
declare:round-chosen declare:settled declare:something-joins declare:your-turn from-heap:cleared from-heap:dealt
from-heap:flipped from-heap:round-chosen from-heap:settled go:cleared go:dealt go:flipped go:round-chosen go:settled
plan-deck:cleared plan-deck:dealt plan-deck:flipped plan-deck:round-chosen plan-deck:settled plan-hand:cleared
plan-hand:dealt plan-hand:flipped plan-hand:round-chosen plan-hand:settled play:cleared play:dealt play:flipped
play:round-chosen play:settled play:your-turn put-back:cleared put-back:dealt put-back:flipped put-back:round-chosen
put-back:settled scrap-card:cleared scrap-card:dealt scrap-card:flipped scrap-card:just-played scrap-card:played-with
scrap-card:round-chosen scrap-card:scrap-due scrap-card:settled scrap-card:your-turn scrap-nothing:bench-bare
scrap-nothing:cleared scrap-nothing:dealt scrap-nothing:flipped scrap-nothing:round-chosen scrap-nothing:settled
seen:cleared seen:dealt seen:flipped seen:round-chosen seen:settled ship:cleared ship:dealt ship:flipped
ship:round-chosen ship:settled ship:your-turn take:cleared take:dealt take:flipped take:just-played take:played-with
take:round-chosen take:settled take:take-due take:your-turn"""
"""What hands can do against the rules: in advise these only warn."""


def test_what_shows_ends_or_corrects_waits_for_ok() -> None:
    assert sorted(verb.name for verb in VERBS if verb.asks) == ASKING.split()


def test_answers_are_listed_only_when_asked_for() -> None:
    assert sorted(verb.name for verb in VERBS if verb.listed) == ALWAYS_LISTED.split()


def test_advise_lets_hands_do_just_what_hands_can_do() -> None:
    soft = {f"{v.name}:{rule.key}" for v in VERBS for rule in (*v.guards, *v.rules) if not rule.physical}
    assert sorted(soft) == FOR_ADVICE.split()


@pytest.mark.rule("A1", "A2")
def test_the_game_is_for_two_to_six_in_its_first_version() -> None:
    assert (GAME.seats, GAME.version) == ((2, 6), 1)


@pytest.mark.parametrize(("value", "count", "fits"), [
    (0, 1, True), (99, 26, True), (-1, 1, False), (100, 1, False), (1, 0, False), (1, 27, False),
])  # fmt: skip
def test_values_and_counts_have_bounds(value: int, count: int, fits: bool) -> None:
    lot = {"type": "make", "value": value, "count": count}
    if fits:
        assert msgspec.convert(lot, Lot) == Lot("make", value, count)
    else:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(lot, Lot)


def test_a_lot_is_one_part_unless_it_says_more_and_equal_lots_add_up() -> None:
    words = Words("", "")
    assert Lot("make", 3).count == 1
    twice = Pack("twice", words, words, (Lot("make", 1, 3), Lot("make", 1, 1)))
    made = [piece for piece in pieces(twice) if piece.startswith("make-1")]
    assert len(made) == 4


@pytest.mark.rule("A25")
def test_totals_are_set_within_their_span() -> None:
    span = next(verb.span for verb in GAME.corrections if verb.intent is SetTotal)
    assert span is not None
    assert span(laid("make-4", "take-4").now, SetTotal(ADA, ADA, 0)) == (-99, 399)


@pytest.mark.rule("A.p")
def test_nothing_is_looked_at_before_the_first_look() -> None:
    assert Effects(ADA, "plan", (card("plan-5"),), (card("plan-5"),)).looked == 0
