"""Beside “the game is over” nothing says what it takes to win: checks the texts of all four games, on every surface."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

import pytest

from companion.app.kit.kit import kit_of
from companion.app.opening import load_texts
from companion.core import PUBLIC, Name, Said, Seat, SeatId, mask, say, words_of
from companion.library import Names, Speaker

GAMES = ("us-patent", "timeline", "one-false-step", "actionworks")
NAMES = ("Ada", "Ben", "Chloé")
SURFACES: tuple[Literal["", "oled", "say"], ...] = ("", "oled", "say")

PROMISES = re.compile(
    r"wins (if|next|now|by)|(to|can) win\b|a win\b|\d+ wins|to reach|reaches \d|ends (now|after|at)", re.IGNORECASE
)
"""In English; the French texts have the same keys."""


@cache
def ends(game_id: str) -> tuple[Any, ...]:
    kit = kit_of(game_id)
    return tuple([step.verdict.after for step in kit.sensible(3, seed)][-1] for seed in (2, 4, 9))


def told(game_id: str, state: Any) -> Iterator[Said]:
    """Everything that a game says about how it stands, to everybody and to each seat."""
    game, view = kit_of(game_id).game, mask(state, PUBLIC)
    yield game.headline(view)
    yield from words_of(game.status(view).facts)
    yield from (finding.said for finding in game.status(view).findings)
    for seat in map(SeatId, range(3)):
        yield from words_of(game.own(mask(state, seat), seat))


def speaker(game_id: str, state: Any) -> Speaker:
    game = kit_of(game_id).game
    pack = game.pack_now(mask(state, PUBLIC))
    return Speaker(load_texts(game), "en", Names(NAMES, lambda piece: game.describe(pack, piece), game.place))


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
def test_no_line_of_the_end_says_how_to_win(game_id: str) -> None:
    for state in ends(game_id):
        assert kit_of(game_id).game.result(state) is not None
        spoken = speaker(game_id, state)
        lines = {spoken.say(said, surface) for said in told(game_id, state) for surface in SURFACES}
        assert [line for line in lines if PROMISES.search(line)] == []


STALE = [
    ("us-patent", "status.wins"),
    ("us-patent", "status.wins-next"),
    ("us-patent", "status.set"),
    ("timeline", "panel.can-win"),
    ("one-false-step", "status.goal"),
    ("actionworks", "status.limit"),
]


@pytest.mark.parametrize(("game_id", "key"), STALE)
def test_a_line_that_outlives_the_game_would_be_found(game_id: str, key: str) -> None:
    """The control: the test above recognises each line that used to be there."""
    state = ends(game_id)[0]
    line = speaker(game_id, state).say(say(key, seat=Seat(SeatId(0)), n=3, goal=30, at=Name("the market")))
    assert PROMISES.search(line), line
