"""The one list of rules: it refuses, offers, explains and is checked."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any, Final, TypeAlias, get_args

from msgspec.structs import replace

from companion.core.rules import Intent, Verb
from companion.games.us_patent.cards import Kind
from companion.games.us_patent.state import State, kind_at, top
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

Phase: TypeAlias = type[Step] | tuple[type[Step], Kind]


def _acting(*kinds: Kind) -> tuple[Phase, ...]:
    return tuple((Acting, kind) for kind in kinds)


_ACTING: Final = _acting(*get_args(Kind))
_AT: Final[dict[type[Intent], tuple[Phase, ...]]] = {
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
    i.Buy: _acting("market"),
    i.LookInLab: _acting("lab"),
    i.Study: _acting("library"),
    i.Salvage: _acting("junkyard"),
    i.Mend: _acting("mechanic"),
    i.Patent: _acting("office"),
    i.TakeNumber: _acting("office"),
    i.ClaimPatent: _acting("office"),
    i.EndTurn: (*_ACTING, Ending),
    i.RepairOne: (*_ACTING, Moving, Going, Ending),
    i.RepairAll: (*_ACTING, Moving, Going, Ending),
    i.Revive: (*_ACTING, Moving, Going, Ending),
    i.CloseLook: (),
}
"""When a verb can be open at all; wherever one acts if it is not named, at any step where the list is empty."""

_DICE: Final = (i.MoveRolled, i.NumberRolled, i.AttackRolled, i.DefenceRolled)
_SURE: Final = (i.DrewMachine, i.Drew, *_DICE, i.Go, i.Invent, i.SwitchOff, i.Salvage, i.LeapTo)
"""Whatever these verbs list keeps their rules."""


def phase(state: State) -> Phase | None:
    """What kind of step the game waits at; for an Action also on what kind of space. Most verbs belong to one."""
    step = top(state)
    if isinstance(step, Acting):
        return Acting, kind_at(state, state.turn)
    return None if step is None else type(step)


def _placed(verb: Verb[State, Any]) -> Verb[State, Any]:
    sure = not verb.rules or verb.intent in _SURE
    return replace(verb, sure=sure, phases=_AT.get(verb.intent, _ACTING))


_LISTED: Final = (*CHANCE, *TURN, *ANSWERS, *HITS, *ACTIONS, *FIGHT, *REPAIR, *AFTER)
VERBS: Final[tuple[Verb[State, Any], ...]] = tuple(_placed(verb) for verb in _LISTED)

_RULINGS: Final = (*ascii_lowercase, *(f"a{letter}" for letter in ascii_lowercase[:20]))
RULE_IDS: Final[tuple[str, ...]] = (*(f"P{n}" for n in range(1, 48)), *(f"P.{letter}" for letter in _RULINGS))
"""P1–P47, then P.a–P.at: the numbers never change their meaning."""

__all__ = ["CORRECTIONS", "RULE_IDS", "VERBS", "describing", "forced", "phase", "weight"]
