"""The naive second referee agrees, position by position, in random games of every size and option."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from companion.app.kit.kit import plain
from companion.core import Intent, PlaceId, Refused, SeatId, judge
from companion.games.timeline import GAME
from companion.games.timeline.rules import intents as i
from companion.games.timeline.rules import meant
from companion.games.timeline.state import State, Turn, find
from tests.games.timeline import naive
from tests.games.timeline.board import played
from tests.games.timeline.naive_board import line, spot, stopped

SLIDES, BLANKS = ("column", "card-and-above"), ("deck", "stand-ins")


def thinkable(state: State, seat: SeatId) -> Iterator[Intent]:
    """Everything that a hand could do in a turn, and a little more."""
    on_board = (card for card in meant.every_card(state) if find(state, card) is not None)
    for card in (*on_board, *state.deck[:1]):
        yield i.Travel(seat, card)
        yield from (i.Move(seat, card, number) for number in range(6))
    yield from (i.Explore(seat, PlaceId(f"column/{at}")) for at in range(len(state.columns) + 2))
    for number, column in enumerate(state.columns, 1):
        yield from (i.Flip(seat, PlaceId(f"card/{number}/{at}")) for at in range(len(column) + 2))
    yield from (i.Sell(seat, number) for number in range(3))
    yield from (i.GoAbove(seat), i.GoBelow(seat), i.EnterMarket(seat), i.KeepGoods(seat), i.StopOn(seat, 1))
    yield from (i.Stay(seat), i.AgreeToStop(seat))


def goal(state: State, intent: Intent) -> tuple[int, int] | None:
    """Where a move or a travel ends."""
    match intent:
        case i.Move(card=card, number=number):
            return spot(plain(state), card, number)
        case i.Travel(actor=seat, card=card):
            found = find(state, card)
            assert found is not None
            return found[0], line(plain(state), seat)[found[0]][1]
        case _:
            return None


def checked(seed: int, seats: int, steps: int, slide: str, blanks: str) -> int:
    """Plays one random game and compares the turns; returns the number of questions."""
    questions = 0
    for number, (state, intent, verdict) in enumerate(played(Random(seed), seats, steps, slide=slide, blanks=blanks)):
        there = goal(state, intent)
        if there is not None:
            expected = stopped(plain(state), state.turn, *there, slide == "card-and-above")
            after = json.loads(json.dumps(plain(verdict.after)))
            for part in ("columns", "pawns", "goods", "gold", "turn", "deck"):
                assert after[part] == expected[part]
        if number % 8 == 0 and isinstance(state.steps[-1], Turn):
            questions += asked(state)
    return questions


def asked(state: State) -> int:
    setup, world = plain(state.setup), plain(state)
    wishes = tuple(thinkable(state, state.turn))
    for wish in wishes:
        verdict = judge(GAME, state, wish)
        refused = [refusal.rule for refusal in verdict.refusals] if isinstance(verdict, Refused) else []
        broken = naive.broken(setup, world, plain(wish))
        assert bool(refused) == bool(broken), (state, wish, broken)
        assert {*refused} <= {rule for _, rule in broken}, (state, wish, broken)
    return len(wishes)


@pytest.mark.parametrize(("slide", "blanks"), list(product(SLIDES, BLANKS)))
@pytest.mark.parametrize("seats", [3, *(pytest.param(seats, marks=pytest.mark.slow) for seats in (2, 4, 5))])
def test_the_naive_referee_agrees(slide: str, blanks: str, seats: int) -> None:
    assert sum(checked(seed, seats, 150, slide, blanks) for seed in range(2)) > 300


def test_a_wrong_referee_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a naive referee that forgets other people's pawns soon disagrees."""
    monkeypatch.setattr(naive, "free", lambda *_: True)
    with pytest.raises(AssertionError):
        sum(checked(seed, 5, 150, "column", "deck") for seed in range(20))
