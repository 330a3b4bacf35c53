"""A sensible player that reads only its view: collect a powered set, take a number, be in the Office when called.

Every choice is scored; the best wins, `tie` decides between equals.
"""

from __future__ import annotations

from companion.core import Intent, SeatId
from companion.games.us_patent.state import State

from .mind import Mind


def choose(view: State, seat: SeatId, legal: tuple[Intent, ...], tie: int) -> Intent:
    """One of `legal`, the best in the bot's judgement."""
    if len(legal) == 1:
        return legal[0]
    mind = Mind(view, seat)
    best: list[Intent] = []
    most = float("-inf")
    for intent in legal:
        worth = mind.worth(intent)
        if worth > most:
            best, most = [intent], worth
        elif worth == most:
            best.append(intent)
    return best[tie % len(best)]
