"""The one list of rules: it refuses, offers, explains and is checked."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any, Final

from companion.core.rules import Verb
from companion.games.timeline.state import State

from .chance import CHANCE
from .corrections import CORRECTIONS
from .forced import forced
from .local import LOCAL_MOVES, NEW_CARD, PLACEMENT
from .market import MARKET, STOP
from .travel import TRAVEL

VERBS: Final[tuple[Verb[State, Any], ...]] = (*CHANCE, *PLACEMENT, *LOCAL_MOVES, *TRAVEL, *NEW_CARD, *MARKET, *STOP)

_RULINGS: Final = (*ascii_lowercase, *(f"a{letter}" for letter in "abcdefg"))
RULE_IDS: Final[tuple[str, ...]] = (*(f"T{n}" for n in range(1, 31)), *(f"T.{letter}" for letter in _RULINGS))
"""T1–T30, then T.a–T.ag: the numbers never change their meaning."""

__all__ = ["CORRECTIONS", "RULE_IDS", "VERBS", "forced"]
