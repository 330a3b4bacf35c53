"""The one list of rules: it refuses, offers, explains and is checked."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any, Final

from msgspec.structs import replace

from companion.core.rules import Intent, Verb
from companion.games.us_patent.state import State, top
from companion.games.us_patent.steps import (
    Acting,
    Countering,
    Dealing,
    Dice,
    Drawing,
    Ending,
    Going,
    Hit,
    Inventing,
    Loot,
    Moving,
    Numbering,
    Placing,
    Rolling,
    Short,
    Step,
)

from . import intents as i
from .actions import ACTIONS, ANSWERS
from .chance import CHANCE, weight
from .corrections import CORRECTIONS
from .describe import describing
from .fight import FIGHT, HITS
from .forced import forced
from .repair import REPAIR
from .turn import AFTER, TURN

_AT: Final[dict[type[Intent], tuple[type[Step], ...]]] = {
    i.DrewMachine: (Dealing,),
    i.Drew: (Drawing,),
    i.MoveRolled: (Rolling, Moving),
    i.NumberRolled: (Numbering,),
    i.AttackRolled: (Dice,),
    i.DefenceRolled: (Dice,),
    i.PlaceInLab: (Placing,),
    i.PlaceInMarket: (Placing,),
    i.Roll: (Moving,),
    i.Stay: (Moving,),
    i.Go: (Going,),
    i.Invent: (Inventing,),
    i.InventNothing: (Inventing,),
    i.SwitchOff: (Short,),
    i.Destroy: (Hit,),
    i.Disable: (Hit,),
    i.Steal: (Hit,),
    i.Spare: (Hit,),
    i.InstallLoot: (Loot,),
    i.ThrowAway: (Loot,),
    i.CounterAttack: (Countering,),
    i.LetGo: (Countering,),
    i.EndTurn: (Acting, Ending),
    i.RepairOne: (Acting, Moving, Going, Ending),
    i.RepairAll: (Acting, Moving, Going, Ending),
    i.Revive: (Acting, Moving, Going, Ending),
    i.CloseLook: (),
}
"""The steps at which a verb can be open at all; an Action where none is named, at any step where the list is empty."""

_DICE: Final = (i.MoveRolled, i.NumberRolled, i.AttackRolled, i.DefenceRolled)
_SURE: Final = (i.DrewMachine, i.Drew, *_DICE, i.Go, i.Invent, i.SwitchOff, i.Salvage, i.LeapTo)
"""Whatever these verbs list keeps their rules."""


def phase(state: State) -> type[Step] | None:
    """What kind of step the game waits at: most verbs belong to one."""
    step = top(state)
    return None if step is None else type(step)


def _placed(verb: Verb[State, Any]) -> Verb[State, Any]:
    sure = not verb.rules or verb.intent in _SURE
    return replace(verb, sure=sure, phases=_AT.get(verb.intent, (Acting,)))


_LISTED: Final = (*CHANCE, *TURN, *ANSWERS, *HITS, *ACTIONS, *FIGHT, *REPAIR, *AFTER)
VERBS: Final[tuple[Verb[State, Any], ...]] = tuple(_placed(verb) for verb in _LISTED)

_RULINGS: Final = (*ascii_lowercase, *(f"a{letter}" for letter in ascii_lowercase[:20]))
RULE_IDS: Final[tuple[str, ...]] = (*(f"P{n}" for n in range(1, 48)), *(f"P.{letter}" for letter in _RULINGS))
"""P1–P47, then P.a–P.at: the numbers never change their meaning."""

__all__ = ["CORRECTIONS", "RULE_IDS", "VERBS", "describing", "forced", "phase", "weight"]
