"""The one list of rules: it refuses, offers, explains and is checked."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any, Final

from companion.core.rules import Verb
from companion.games.us_patent.state import State

from .actions import ACTIONS, ANSWERS
from .chance import CHANCE, weight
from .corrections import CORRECTIONS
from .describe import describing
from .fight import FIGHT, HITS
from .forced import forced
from .repair import REPAIR
from .turn import AFTER, TURN

VERBS: Final[tuple[Verb[State, Any], ...]] = (*CHANCE, *TURN, *ANSWERS, *HITS, *ACTIONS, *FIGHT, *REPAIR, *AFTER)

_RULINGS: Final = (*ascii_lowercase, *(f"a{letter}" for letter in ascii_lowercase[:20]))
RULE_IDS: Final[tuple[str, ...]] = (*(f"P{n}" for n in range(1, 48)), *(f"P.{letter}" for letter in _RULINGS))
"""P1–P47, then P.a–P.at: the numbers never change their meaning."""

__all__ = ["CORRECTIONS", "RULE_IDS", "VERBS", "describing", "forced", "weight"]
