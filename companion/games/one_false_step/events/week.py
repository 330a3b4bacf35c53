"""What became true before the first week, and from Sunday to Friday."""

from __future__ import annotations

from typing import ClassVar

from companion.core import Concern, Event, PieceId, PlaceId, Public, SeatId
from companion.games.one_false_step.state import Day


class BoardLaid(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    board: Public[PieceId]
    place: Public[PlaceId]


class BoardTurned(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    board: Public[PieceId]


class BoardLifted(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    board: Public[PieceId]


class LayoutUsed(Event, frozen=True):
    """The boards lie as in suggestion `number` of the pack."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    number: Public[int]


class MapMade(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]


class SeatDrawn(Event, frozen=True):
    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    city: Public[PieceId]


class ButtonNamed(Event, frozen=True):
    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]


class Outbid(Event, frozen=True):
    """The chips and counter of `seat` came back."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    city: Public[PieceId]
    number: Public[int]


class SeatBid(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    city: Public[PieceId]
    number: Public[int]


class SeatBought(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    city: Public[PieceId]
    number: Public[int]


class ButtonMoved(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]


class DayCame(Event, frozen=True):
    concerns: ClassVar[Concern] = "course"
    day: Public[Day]
    week: Public[int]


class Populated(Event, frozen=True):
    """This many counters dropped into the middle of a seat's City cards: new ones and those from the trains."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    number: Public[int]


class Staked(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    city: Public[PieceId]
    claim: Public[PlaceId]


class Jumped(Event, frozen=True):
    """The counter has left its card; who holds the claim is settled next."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    city: Public[PieceId]
    claim: Public[PlaceId]
    defender: Public[SeatId]


class AttackFell(Event, frozen=True):
    """The attacker's die."""

    reveals: ClassVar[bool] = True
    seat: Public[SeatId]
    number: Public[int]
    total: Public[int]


class DefenceFell(Event, frozen=True):
    """The defender's die."""

    reveals: ClassVar[bool] = True
    seat: Public[SeatId]
    number: Public[int]
    total: Public[int]


class DisputeWon(Event, frozen=True):
    """The attacker holds the claim; the defender's counter left the board."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    claim: Public[PlaceId]
    loser: Public[SeatId]


class DisputeLost(Event, frozen=True):
    """The attacker's counter left the board."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    claim: Public[PlaceId]
    winner: Public[SeatId]


class ClaimFell(Event, frozen=True):
    """Nothing supported the claim, so it changed hands without dice."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    claim: Public[PlaceId]
    loser: Public[SeatId]


class Strengthened(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    city: Public[PieceId]


class SentByTrain(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    city: Public[PieceId]
    to: Public[PieceId]


class RocketBoarded(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    city: Public[PieceId]


class MondayDone(Event, frozen=True):
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class IncomePaid(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    food: Public[int]
    gold: Public[int]


class Fed(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    city: Public[PieceId]
    number: Public[int]


class Starved(Event, frozen=True):
    """Control is lost; the card waits beside the deck until all have answered."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    city: Public[PieceId]


class CityOnDeck(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    city: Public[PieceId]


class Upgraded(Event, frozen=True):
    """The whole price went to the Bank."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]
    level: Public[int]
    gold: Public[int]


class UpgradedForFee(Event, frozen=True):
    """1 Gold of the price went to the holder of the Know-how, `gold` to the Bank."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]
    level: Public[int]
    gold: Public[int]
    holder: Public[SeatId]


class KnowHowTaken(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class ShotTaken(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    food: Public[int]


class SystemHeld(Event, frozen=True):
    """The roll reached its target: 1 red."""

    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]
    number: Public[int]
    target: Public[int]


class SystemFailed(Event, frozen=True):
    reveals: ClassVar[bool] = True
    seat: Public[SeatId]
    card: Public[PieceId]
    number: Public[int]
    target: Public[int]


class MoonReached(Event, frozen=True):
    """All three held: 1 red for each counter on the rocket."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    number: Public[int]


class ShotEnded(Event, frozen=True):
    """The rocket is empty again."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    number: Public[int]


class ThursdayDone(Event, frozen=True):
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class ChipOff(Event, frozen=True):
    """Friday: a chip of an inactive city went to the Bank."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    city: Public[PieceId]
    left: Public[int]


class CityActive(Event, frozen=True):
    """The last chip went to the Bank; the card is face up."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    city: Public[PieceId]
