"""What became true on a Saturday, in trades, at the end, and in corrections."""

from __future__ import annotations

from typing import ClassVar

from companion.core import Concern, Event, PieceId, PlaceId, Public, SeatId
from companion.games.one_false_step.state import Colour


class CityTurned(Event, frozen=True):
    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    city: Public[PieceId]


class BidMade(Event, frozen=True):
    seat: Public[SeatId]
    number: Public[int]


class Passed(Event, frozen=True):
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class CityBought(Event, frozen=True):
    """`bank` chips to the Bank, `chips` on the city."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    city: Public[PieceId]
    bank: Public[int]
    chips: Public[int]


class GhostTown(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    city: Public[PieceId]


class ButtonOffered(Event, frozen=True):
    """The auction is now about the Button."""

    concerns: ClassVar[Concern] = "course"


class ButtonKept(Event, frozen=True):
    seat: Public[SeatId]


class ButtonBought(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    number: Public[int]


class ChipsPaid(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    colour: Public[Colour]
    number: Public[int]


class FoodOffered(Event, frozen=True):
    seat: Public[SeatId]
    to: Public[SeatId]
    number: Public[int]


class GoldOffered(Event, frozen=True):
    seat: Public[SeatId]
    to: Public[SeatId]
    number: Public[int]


class PriceNamed(Event, frozen=True):
    seat: Public[SeatId]
    to: Public[SeatId]
    number: Public[int]


class Traded(Event, frozen=True):
    """`seat` gave `food` to `to` for `gold`."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    to: Public[SeatId]
    food: Public[int]
    gold: Public[int]


class OfferGone(Event, frozen=True):
    """The offer of `seat` to `to` no longer stands."""

    seat: Public[SeatId]
    to: Public[SeatId]


class FoodBought(Event, frozen=True):
    """`number` Food from the Bank for `gold`."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    number: Public[int]
    gold: Public[int]


class GoldBought(Event, frozen=True):
    """`number` Gold from the Bank for `food`."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    number: Public[int]
    food: Public[int]


class Won(Event, frozen=True):
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]
    number: Public[int]


class AllGone(Event, frozen=True):
    """Nobody has anything left to play with: no chips, claims or cities, and no city left to buy."""

    concerns: ClassVar[Concern] = "course"


class ChipsSet(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    place: Public[PlaceId]
    number: Public[int]


class CountersSet(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    place: Public[PlaceId]
    number: Public[int]


class LevelSet(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    card: Public[PieceId]
    number: Public[int]


class ClaimSet(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    claim: Public[PlaceId]
    seat: Public[SeatId]


class ClaimCleared(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    claim: Public[PlaceId]


class KnowHowSet(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    card: Public[PieceId]
    seat: Public[SeatId]


class KnowHowBanked(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    card: Public[PieceId]


class CityGiven(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    city: Public[PieceId]
    seat: Public[SeatId]


class CityDropped(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    city: Public[PieceId]


class ButtonSet(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]


class TurnSet(Event, frozen=True):
    seat: Public[SeatId]


class WeekSet(Event, frozen=True):
    number: Public[int]
