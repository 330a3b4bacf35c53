"""The one list of rules: it refuses, offers, explains and is checked."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any, Final

from msgspec.structs import replace

from companion.core import Intent, Verb
from companion.games.actionworks.state import (
    Between,
    Borrowing,
    Clearing,
    Copying,
    Dealing,
    DealingDemands,
    Declaring,
    Effects,
    Flipping,
    Looking,
    Naming,
    Ordering,
    Showing,
    State,
    Step,
    Turn,
)

from . import intents as i
from .chance import CHANCE
from .corrections import CORRECTIONS
from .effects import EFFECTS
from .turn import AFTER, TOGETHER, TURN

_STEPS: Final[dict[type[Intent], tuple[type[Step], ...]]] = {
    i.NameFirst: (Naming,),
    i.Dealt: (DealingDemands,),
    i.Drew: (Flipping, Dealing, Looking),
    i.Play: (Turn,),
    i.Declare: (Turn,),
    i.Ship: (Turn,),
    i.EndTurn: (Turn,),
    i.Add: (Declaring,),
    i.Go: (Declaring,),
    i.ActAs: (Copying,),
    i.Take: (Effects,),
    i.BorrowFrom: (Effects,),
    i.Borrow: (Borrowing,),
    i.PlanHand: (Effects,),
    i.PlanDeck: (Effects,),
    i.Seen: (Showing,),
    i.PutBack: (Ordering,),
    i.ScrapCard: (Effects,),
    i.FromHeap: (Effects,),
    i.ScrapNothing: (Effects,),
    i.ClearTake: (Clearing,),
    i.NewType: (Between,),
    i.SameTypes: (Between,),
}
"""The steps in which each verb may be legal."""


_ANSWERS: Final = tuple(replace(verb, listed=False) for verb in (*TOGETHER, *EFFECTS, *AFTER))
"""Each answers a question of its own step and makes no sense before it is asked."""

VERBS: Final[tuple[Verb[State, Any], ...]] = tuple(
    replace(verb, phases=_STEPS[verb.intent]) for verb in (*CHANCE, *TURN, *_ANSWERS)
)

_RULINGS: Final = (*ascii_lowercase, *(f"a{letter}" for letter in "abcdefghijk"))
RULE_IDS: Final[tuple[str, ...]] = (*(f"A{n}" for n in range(1, 29)), *(f"A.{letter}" for letter in _RULINGS))
"""A1–A28, then A.a–A.ak: the numbers never change their meaning."""

__all__ = ["CORRECTIONS", "RULE_IDS", "VERBS"]
