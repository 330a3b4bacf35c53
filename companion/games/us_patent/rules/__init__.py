"""The one list of rules: it refuses, offers, explains and is checked."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any, Final

from msgspec.structs import replace

from companion.core import Verb
from companion.games.us_patent.state import State

from . import intents as i
from .actions import ACTIONS, FINISH
from .chance import CHANCE, rolls_on, weight
from .corrections import CORRECTIONS
from .describe import describing
from .fight import FIGHT
from .hits import HITS
from .phases import phase, phases_of
from .repair import REPAIR
from .research import RESEARCH
from .taking import ANSWERS
from .turn import AFTER, TURN

_DICE: Final = (i.MoveRolled, i.NumberRolled, i.AttackRolled, i.DefenceRolled)
_PLACES: Final = (i.TellPeriod, i.PlaceInLab, i.PlaceInMarket)
_SURE: Final = (i.DrewMachine, i.Drew, *_DICE, *_PLACES, i.Go, i.Invent, i.SwitchOff, i.Salvage, i.LeapTo)
"""Everything these verbs list keeps their rules."""


def _placed(verb: Verb[State, Any]) -> Verb[State, Any]:
    sure = not verb.rules or verb.intent in _SURE
    return replace(verb, sure=sure, phases=phases_of(verb.intent))


_LISTED: Final = (*CHANCE, *RESEARCH, *TURN, *ANSWERS, *FINISH, *HITS, *ACTIONS, *FIGHT, *REPAIR, *AFTER)
VERBS: Final[tuple[Verb[State, Any], ...]] = tuple(_placed(verb) for verb in _LISTED)

_RULINGS: Final = (*ascii_lowercase, *(f"a{letter}" for letter in ascii_lowercase[:20]))
RULE_IDS: Final[tuple[str, ...]] = (*(f"P{n}" for n in range(1, 48)), *(f"P.{letter}" for letter in _RULINGS))
"""P1–P47, then P.a–P.at: the numbers never change their meaning."""

__all__ = ["CORRECTIONS", "RULE_IDS", "VERBS", "describing", "phase", "rolls_on", "weight"]
