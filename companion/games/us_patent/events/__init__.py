"""What became true. Each field says who may see it."""

from __future__ import annotations

from typing import TypeAlias

from .corrections import (
    CardDescribed,
    CardMoved,
    CardTurned,
    DieSet,
    GoldSet,
    NumberRemoved,
    NumberSet,
    PawnSet,
    TurnSet,
)
from .fights import (
    AttackDeclared,
    AttackHit,
    AttackMissed,
    AttackStopped,
    AttackThrown,
    CardDestroyed,
    CardDisabled,
    CardStolen,
    CounterBarred,
    CounterMissed,
    CounterOpened,
    CounterWaived,
    DefenceThrown,
    LootInstalled,
    LootThrown,
    Spared,
)
from .turns import (
    ActionSpent,
    AllRepaired,
    Bought,
    CardRepaired,
    CardResearched,
    CardRevived,
    Earned,
    Invented,
    InventedNothing,
    LabOpened,
    LabsStudied,
    Leapt,
    LookClosed,
    MachineDrawn,
    MachineMended,
    MovedAgain,
    MoveKnown,
    NumberCalled,
    NumberLost,
    NumberTaken,
    NumberTicked,
    NumberWanted,
    Patented,
    PutInLab,
    PutInMarket,
    ResearchedAgain,
    ResearchSkipped,
    RollBegun,
    Salvaged,
    Scrapped,
    Stayed,
    SwitchedOff,
    TextDone,
    TextFollowed,
    TurnBegan,
    TurnEnded,
    Went,
    Won,
)

Opening: TypeAlias = MachineDrawn | TurnBegan | NumberTicked | NumberCalled | TurnEnded | Won
Researching: TypeAlias = (
    CardResearched | ResearchSkipped | PutInLab | PutInMarket | LabOpened | LabsStudied | LookClosed
)
Travelling: TypeAlias = RollBegun | MoveKnown | Stayed | Went | Leapt | ResearchedAgain | MovedAgain | Earned
Trading: TypeAlias = Bought | Invented | InventedNothing | Salvaged | Scrapped | Patented
Numbers: TypeAlias = NumberWanted | NumberTaken | NumberLost
Mending: TypeAlias = MachineMended | CardRepaired | CardRevived | AllRepaired | SwitchedOff
ByTexts: TypeAlias = ActionSpent | TextFollowed | TextDone
Attacking: TypeAlias = (
    AttackDeclared
    | AttackStopped
    | AttackThrown
    | DefenceThrown
    | AttackMissed
    | AttackHit
    | CounterBarred
    | CounterMissed
    | CounterOpened
    | CounterWaived
)
Hitting: TypeAlias = CardDisabled | CardDestroyed | CardStolen | Spared | LootInstalled | LootThrown
Correcting: TypeAlias = (
    GoldSet | NumberSet | NumberRemoved | PawnSet | TurnSet | DieSet | CardTurned | CardMoved | CardDescribed
)
AnyEvent: TypeAlias = (
    Opening | Researching | Travelling | Trading | Numbers | Mending | ByTexts | Attacking | Hitting | Correcting
)

__all__ = [
    "ActionSpent",
    "AllRepaired",
    "AnyEvent",
    "AttackDeclared",
    "AttackHit",
    "AttackMissed",
    "AttackStopped",
    "AttackThrown",
    "Attacking",
    "Bought",
    "ByTexts",
    "CardDescribed",
    "CardDestroyed",
    "CardDisabled",
    "CardMoved",
    "CardRepaired",
    "CardResearched",
    "CardRevived",
    "CardStolen",
    "CardTurned",
    "Correcting",
    "CounterBarred",
    "CounterMissed",
    "CounterOpened",
    "CounterWaived",
    "DefenceThrown",
    "DieSet",
    "Earned",
    "GoldSet",
    "Hitting",
    "Invented",
    "InventedNothing",
    "LabOpened",
    "LabsStudied",
    "Leapt",
    "LookClosed",
    "LootInstalled",
    "LootThrown",
    "MachineDrawn",
    "MachineMended",
    "Mending",
    "MoveKnown",
    "MovedAgain",
    "NumberCalled",
    "NumberLost",
    "NumberRemoved",
    "NumberSet",
    "NumberTaken",
    "NumberTicked",
    "NumberWanted",
    "Numbers",
    "Opening",
    "Patented",
    "PawnSet",
    "PutInLab",
    "PutInMarket",
    "ResearchSkipped",
    "ResearchedAgain",
    "Researching",
    "RollBegun",
    "Salvaged",
    "Scrapped",
    "Spared",
    "Stayed",
    "SwitchedOff",
    "TextDone",
    "TextFollowed",
    "Trading",
    "Travelling",
    "TurnBegan",
    "TurnEnded",
    "TurnSet",
    "Went",
    "Won",
]
