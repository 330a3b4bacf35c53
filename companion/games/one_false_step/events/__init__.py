"""What became true. Everything is public; `seat` is always whoever acted or was affected."""

from __future__ import annotations

from typing import TypeAlias

from .trade import (
    AllGone,
    BidMade,
    ButtonBought,
    ButtonKept,
    ButtonOffered,
    ButtonSet,
    ChipsPaid,
    ChipsSet,
    CityBought,
    CityDropped,
    CityGiven,
    CityTurned,
    ClaimCleared,
    ClaimSet,
    CountersSet,
    FoodBought,
    FoodOffered,
    GhostTown,
    GoldBought,
    GoldOffered,
    KnowHowBanked,
    KnowHowSet,
    LevelSet,
    OfferGone,
    Passed,
    PriceNamed,
    Traded,
    TurnSet,
    WeekSet,
    Won,
)
from .week import (
    AttackFell,
    BoardLaid,
    BoardLifted,
    BoardTurned,
    ButtonMoved,
    ButtonNamed,
    ChipOff,
    CityActive,
    CityOnDeck,
    ClaimFell,
    DayCame,
    DefenceFell,
    DisputeLost,
    DisputeWon,
    Fed,
    IncomePaid,
    Jumped,
    KnowHowTaken,
    LayoutUsed,
    MapMade,
    MondayDone,
    MoonReached,
    Outbid,
    Populated,
    RocketBoarded,
    SeatBid,
    SeatBought,
    SeatDrawn,
    SentByTrain,
    ShotEnded,
    ShotTaken,
    Staked,
    Starved,
    Strengthened,
    SystemFailed,
    SystemHeld,
    ThursdayDone,
    Upgraded,
    UpgradedForFee,
)

Layings: TypeAlias = BoardLaid | BoardTurned | BoardLifted | LayoutUsed | MapMade
Openings: TypeAlias = SeatDrawn | ButtonNamed | Outbid | SeatBid | SeatBought | ButtonMoved
Mondays: TypeAlias = Staked | Strengthened | SentByTrain | RocketBoarded | MondayDone | Populated
Disputes: TypeAlias = Jumped | AttackFell | DefenceFell | DisputeWon | DisputeLost | ClaimFell
Meals: TypeAlias = IncomePaid | Fed | Starved | CityOnDeck
Rockets: TypeAlias = Upgraded | UpgradedForFee | KnowHowTaken | ShotTaken | ShotEnded | ThursdayDone
Rolls: TypeAlias = SystemHeld | SystemFailed | MoonReached
Sales: TypeAlias = CityTurned | BidMade | Passed | CityBought | GhostTown | ChipOff | CityActive
Buttons: TypeAlias = ButtonOffered | ButtonKept | ButtonBought | ChipsPaid
Trades: TypeAlias = FoodOffered | GoldOffered | PriceNamed | Traded | OfferGone | FoodBought | GoldBought
Repairs: TypeAlias = ChipsSet | CountersSet | LevelSet | ClaimSet | ClaimCleared | KnowHowSet | KnowHowBanked
Moves: TypeAlias = CityGiven | CityDropped | ButtonSet | TurnSet | WeekSet
AnyEvent: TypeAlias = (
    Layings
    | Openings
    | DayCame
    | Mondays
    | Disputes
    | Meals
    | Rockets
    | Rolls
    | Sales
    | Buttons
    | Trades
    | Won
    | AllGone
    | Repairs
    | Moves
)

__all__ = [
    "AllGone",
    "AnyEvent",
    "AttackFell",
    "BidMade",
    "BoardLaid",
    "BoardLifted",
    "BoardTurned",
    "ButtonBought",
    "ButtonKept",
    "ButtonMoved",
    "ButtonNamed",
    "ButtonOffered",
    "ButtonSet",
    "Buttons",
    "ChipOff",
    "ChipsPaid",
    "ChipsSet",
    "CityActive",
    "CityBought",
    "CityDropped",
    "CityGiven",
    "CityOnDeck",
    "CityTurned",
    "ClaimCleared",
    "ClaimFell",
    "ClaimSet",
    "CountersSet",
    "DayCame",
    "DefenceFell",
    "DisputeLost",
    "DisputeWon",
    "Disputes",
    "Fed",
    "FoodBought",
    "FoodOffered",
    "GhostTown",
    "GoldBought",
    "GoldOffered",
    "IncomePaid",
    "Jumped",
    "KnowHowBanked",
    "KnowHowSet",
    "KnowHowTaken",
    "Layings",
    "LayoutUsed",
    "LevelSet",
    "MapMade",
    "Meals",
    "MondayDone",
    "Mondays",
    "MoonReached",
    "Moves",
    "OfferGone",
    "Openings",
    "Outbid",
    "Passed",
    "Populated",
    "PriceNamed",
    "Repairs",
    "RocketBoarded",
    "Rockets",
    "Rolls",
    "Sales",
    "SeatBid",
    "SeatBought",
    "SeatDrawn",
    "SentByTrain",
    "ShotEnded",
    "ShotTaken",
    "Staked",
    "Starved",
    "Strengthened",
    "SystemFailed",
    "SystemHeld",
    "ThursdayDone",
    "Traded",
    "Trades",
    "TurnSet",
    "Upgraded",
    "UpgradedForFee",
    "WeekSet",
    "Won",
]
