"""The one list of rules: it refuses, offers, explains and is checked."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any, Final

from msgspec.structs import replace

from companion.core import Intent, Verb
from companion.games.timeline.state import Dealing, Drawing, Naming, Placing, Selling, State, Step, Stopping, Turn

from . import intents as i
from .chance import CHANCE
from .corrections import CORRECTIONS
from .local import LOCAL_MOVES, NEW_CARD, PLACEMENT
from .market import MARKET, STOP
from .travel import TRAVEL

_STEPS: Final[dict[type[Intent], tuple[type[Step], ...]]] = {
    i.NameFirst: (Naming,),
    i.Drew: (Dealing, Drawing),
    i.Place: (Placing,),
    i.StopOn: (Stopping,),
    i.Sell: (Turn, Selling),
    i.KeepGoods: (Selling,),
}
"""The steps in which each verb may be legal; all others belong to a turn."""


VERBS: Final[tuple[Verb[State, Any], ...]] = tuple(
    replace(verb, phases=_STEPS.get(verb.intent, (Turn,)))
    for verb in (*CHANCE, *PLACEMENT, *LOCAL_MOVES, *TRAVEL, *NEW_CARD, *MARKET, *STOP)
)

_RULINGS: Final = (*ascii_lowercase, *(f"a{letter}" for letter in "abcdefg"))
RULE_IDS: Final[tuple[str, ...]] = (*(f"T{n}" for n in range(1, 31)), *(f"T.{letter}" for letter in _RULINGS))
"""T1–T30, then T.a–T.ag: the numbers never change their meaning."""

__all__ = ["CORRECTIONS", "RULE_IDS", "VERBS"]
