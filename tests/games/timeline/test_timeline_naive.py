"""The naive second referee agrees, position by position, in random games of every size and option."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.judge import legal
from companion.games.timeline import GAME
from companion.games.timeline.lanes import met_to_the_left, met_to_the_right
from companion.games.timeline.rules import intents as i
from companion.games.timeline.rules.market import stock
from companion.games.timeline.state import NO_SETUP, State, Turn, find
from tests.games.timeline import naive
from tests.games.timeline.board import PACK, played
from tests.games.timeline.naive_repairs import World

SLIDES, BLANKS = ("column", "card-and-above"), ("deck", "stand-ins")


def as_move(state: State, intent: Any) -> naive.Move | None:
    """An intent in the naive referee's words."""
    match intent:
        case i.Move(card=card, number=number):
            found = find(state, card)
            assert found is not None
            return "move", found[0], found[1].top + number - 1
        case i.Travel(card=card):
            found, spot = find(state, card), state.pawns[intent.actor]
            assert found is not None
            met = (*met_to_the_right(state, spot), *met_to_the_left(state, spot))
            return "travel", found[0], next(m.lane for m in met if m.column == found[0])
        case i.Explore(place=place):
            return "explore", int(place.split("/")[1])
        case i.Flip(place=place):
            _, column, at = place.split("/")
            return "flip", int(column), state.columns[int(column) - 1][int(at) - 1].top
        case i.Sell(actor=seat):
            return "sell", stock(state, seat)
        case _:
            return {"GoAbove": ("above",), "GoBelow": ("below",), "EnterMarket": ("market",), "Stay": ("stay",)}.get(
                type(intent).__name__
            )


def world_of(state: State) -> World:
    world: World = msgspec.json.decode(msgspec.json.encode(msgspec.structs.replace(state, setup=NO_SETUP)))
    return world


def checked(seed: int, seats: int, steps: int, slide: str, blanks: str) -> int:
    """Plays one random game and compares every turn; the number of positions."""
    positions = 0
    for state, intent, verdict in played(Random(seed), seats, steps, slide=slide, blanks=blanks):
        if not isinstance(state.steps[-1], Turn):
            continue
        positions += 1
        world = world_of(state)
        ours = {move for one in legal(GAME, state, state.turn) if (move := as_move(state, one)) is not None}
        theirs = naive.moves(world, state.turn, PACK.start, blanks == "stand-ins")
        assert ours == theirs, state
        move = as_move(state, intent)
        if move is not None and move[0] in ("move", "travel"):
            expected = naive.stopped(world, state.turn, move[1], move[2], slide == "card-and-above")
            after = world_of(verdict.after)
            for part in ("columns", "pawns", "goods", "gold", "turn", "deck"):
                assert after[part] == expected[part]
    return positions


@pytest.mark.parametrize(("slide", "blanks"), list(product(SLIDES, BLANKS)))
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_naive_referee_agrees(slide: str, blanks: str, seats: int) -> None:
    assert sum(checked(seed, seats, 150, slide, blanks) for seed in range(3)) > 150


def test_a_wrong_referee_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a naive referee that forgets the pawns of others disagrees soon."""
    monkeypatch.setattr(naive, "free", lambda *_: True)
    with pytest.raises(AssertionError):
        sum(checked(seed, 5, 150, "column", "deck") for seed in range(20))
