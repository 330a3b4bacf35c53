"""What tokens leave of a verb's intents is the same by the shortcut as by asking every intent about each token."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from companion.app.kit.kit import Kit
from companion.core import Token, Verb, mentions
from companion.core import selection as selecting
from companion.core.legality import allowed, in_phase
from companion.library import shelf

STEPS = 60


def asked_each(verb: Any, state: Any, intents: Any, tokens: tuple[Token, ...], several: bool) -> list[Any]:
    """The long way, in the contract's own words."""
    return [
        intent
        for intent in intents
        if all(selecting.points(t, intent, several, verb) or t in verb.things(state, intent) for t in tokens)
    ]


def differences(kit: Kit) -> int:
    """How often the short way and the long one differ, over everything that could be pointed at in a playout."""
    chance, differ = random.Random(3), 0
    for step in kit.playout(kit.seats()[-1], 7, STEPS):
        state, actor = step.before, step.intent.actor
        lists = [(verb, list(allowed(verb, state, actor))) for verb in in_phase(kit.game, state, kit.game.verbs)]
        tokens = sorted({t for verb, each in lists for i in each for t in verb.things(state, i)}, key=str)
        for token in chance.sample(tokens, min(12, len(tokens))):
            pointed = (token, *chance.sample(mentions(step.intent), 1))
            for verb, each in lists:
                for several in (False, True):
                    kinds = selecting._kinds(pointed)
                    can = verb in selecting._meaning(kit.game.verbs, kinds, several)
                    short = list(selecting._meant(verb, state, each, pointed, several)) if can else []
                    differ += short != asked_each(verb, state, each, pointed, several)
    return differ


@pytest.fixture(autouse=True)
def afresh() -> Iterator[None]:
    """Forget what a broken build has cached."""
    yield
    selecting._meaning.cache_clear()


@pytest.mark.parametrize("game_id", shelf.games())
def test_the_short_way_finds_what_the_long_one_finds(game_id: str) -> None:
    assert differences(Kit(shelf.open(game_id))) == 0


@pytest.mark.parametrize("game_id", ["timeline", "us-patent"])
def test_a_short_way_that_forgets_what_else_means_an_intent_is_caught(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    selecting._meaning.cache_clear()
    monkeypatch.setattr(Verb, "is_open_to", lambda _verb, _token: False)
    assert differences(Kit(shelf.open(game_id)))
