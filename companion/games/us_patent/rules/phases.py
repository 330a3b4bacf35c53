"""When a verb can be open at all; saves testing the others whenever legal intents are listed."""

from __future__ import annotations

from itertools import product
from typing import Final, TypeAlias, get_args

from companion.core import Intent
from companion.games.us_patent.state import (
    Acting,
    Countering,
    Dealing,
    Dice,
    Drawing,
    Ending,
    Following,
    Going,
    Hit,
    Inventing,
    Kind,
    Loot,
    Moving,
    Numbering,
    Placing,
    Rolling,
    Short,
    State,
    Step,
    kind_at,
    top,
    workings_of,
)

from . import intents as i

Phase: TypeAlias = type[Step] | tuple[type[Step], Kind, bool]


def phase(state: State) -> Phase | None:
    """What kind of step the game waits at; in a turn also the kind of space, and whether a card's text could repair."""
    step = top(state)
    match step:
        case None:
            return None
        case Moving() | Going() | Acting() | Ending():
            return type(step), kind_at(state, state.turn), workings_of(state, state.turn).mends
        case _:
            return type(step)


_KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
_EITHER: Final = (True, False)


def _turn(*steps: type[Step], on: tuple[Kind, ...] = _KINDS, mends: tuple[bool, ...] = _EITHER) -> tuple[Phase, ...]:
    return tuple(product(steps, on, mends))


def phases_of(verb: type[Intent]) -> tuple[Phase, ...]:
    """The phases outside which a verb is never legal; () for none."""
    return _PHASES.get(verb, _ACTING)


_ACTING: Final = _turn(Acting)
_MENDING: Final = _turn(Moving, Going, Acting, Ending, mends=(True,))
_PHASES: Final[dict[type[Intent], tuple[Phase, ...]]] = {
    i.DrewMachine: (Dealing,),
    i.Drew: (Drawing,),
    i.MoveRolled: (Rolling, *_turn(Moving)),
    i.NumberRolled: (Numbering,),
    i.AttackRolled: (Dice,),
    i.DefenceRolled: (Dice,),
    i.TellPeriod: (Placing,),
    i.PlaceInLab: (Placing,),
    i.PlaceInMarket: (Placing,),
    i.Roll: _turn(Moving),
    i.Stay: _turn(Moving),
    i.Go: _turn(Going),
    i.Invent: (Inventing,),
    i.InventNothing: (Inventing,),
    i.SwitchOff: (Short,),
    i.Destroy: (Hit,),
    i.Disable: (Hit,),
    i.Steal: (Hit,),
    i.Spare: (Hit,),
    i.FinishText: (Following,),
    i.InstallLoot: (Loot,),
    i.ThrowAway: (Loot,),
    i.CounterAttack: (Countering,),
    i.LetGo: (Countering,),
    i.Buy: _turn(Acting, on=("market",)),
    i.LookInLab: _turn(Acting, on=("lab",)),
    i.Study: _turn(Acting, on=("library",)),
    i.Salvage: _turn(Acting, on=("junkyard",)),
    i.Mend: _turn(Acting, on=("mechanic",)),
    i.Patent: _turn(Acting, on=("office",)),
    i.TakeNumber: _turn(Acting, on=("office",)),
    i.ClaimPatent: _turn(Acting, on=("office",)),
    i.RepairOne: _MENDING,
    i.RepairAll: _MENDING,
    i.Revive: _MENDING,
    i.EndTurn: _turn(Acting, Ending),
    i.CloseLook: (),
}
"""Actions that are possible anywhere are not listed."""
