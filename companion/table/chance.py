"""The virtual dice and deck: what falls and is drawn where no real ones are tapped and typed."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TypeAlias

from companion.core import TABLE, Intent, legal

from .referee import Referee

Chance: TypeAlias = Callable[[tuple[Intent, ...], tuple[int, ...]], Intent | None]
"""Picks one of the candidates by weight. None leaves it to hands."""


def play(referee: Referee, chance: Chance) -> None:
    """Roll and draw as long as the game waits for it; what was taken back falls again."""
    while referee.at.decisions and referee.at.decisions[-1].is_chance:
        candidates = legal(referee.game, referee.at.state, TABLE)
        lifted = referee.at.lifted
        if lifted and lifted[0] in candidates:
            intent: Intent | None = lifted[0]
        else:
            intent = chance(candidates, tuple(referee.game.weight(referee.at.state, c) for c in candidates))
        if intent is None:
            return
        referee.act(intent, None, on_box=True)


def pick(candidates: tuple[Intent, ...], weights: tuple[int, ...]) -> Intent:
    """The virtual dice and deck: one of the candidates, by weight, from the system's randomness."""
    at = secrets.randbelow(sum(weights))
    for intent, weight in zip(candidates, weights, strict=True):
        at -= weight
        if at < 0:
            return intent
    raise AssertionError("weights add up")
