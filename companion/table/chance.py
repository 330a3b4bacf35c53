"""The virtual dice and deck: what falls and is drawn where no real ones are tapped and typed."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TypeAlias

from companion.core.ids import TABLE
from companion.core.judge import legal, verb_of
from companion.core.rules import Intent

from .referee import Referee

Chance: TypeAlias = Callable[[tuple[Intent, ...], tuple[int, ...]], Intent | None]
"""Picks one of the candidates by weight. None leaves it to hands."""


def play(referee: Referee, chance: Chance, *, dice_only: bool = False) -> None:
    """Roll and draw as long as the game waits for it; what was taken back falls again.

    With `dice_only` cards are drawn by hand, and dice fall before anybody asks for them where nobody would do anything
    else first.
    """
    while _is_due(referee, dice_only):
        candidates = legal(referee.game, referee.at.state, TABLE)
        if dice_only and not all(verb_of(referee.game, each).is_typed for each in candidates):
            return
        lifted = referee.at.lifted
        if lifted and lifted[0] in candidates:
            intent: Intent | None = lifted[0]
        else:
            intent = chance(candidates, tuple(referee.game.weight(referee.at.state, c) for c in candidates))
        if intent is None:
            return
        referee.act(intent, None, on_box=True)


def _is_due(referee: Referee, dice_only: bool) -> bool:
    at = referee.at
    return bool(at.decisions) and (at.decisions[-1].is_chance or (dice_only and referee.game.rolls_on(at.state)))


def pick(candidates: tuple[Intent, ...], weights: tuple[int, ...]) -> Intent:
    """The virtual dice and deck: one of the candidates, by weight, from the system's randomness."""
    at = secrets.randbelow(sum(weights))
    for intent, weight in zip(candidates, weights, strict=True):
        at -= weight
        if at < 0:
            return intent
    raise AssertionError("weights add up")
