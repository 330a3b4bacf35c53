"""The course of a turn. `seat` is always whoever acted or was affected."""

from __future__ import annotations

from typing import ClassVar

from companion.core import Concern, Event, Guarded, Hidden, PieceId, PlaceId, Public, SeatId
from companion.games.us_patent.state import Cards


class MachineDrawn(Event, frozen=True):
    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]
    place: Public[PlaceId]
    gold: Public[int]


class TurnBegan(Event, frozen=True):
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]
    round: Public[int]


class NumberTicked(Event, frozen=True):
    """Step 0, with the number that is left."""

    seat: Public[SeatId]
    number: Public[int]


class NumberCalled(Event, frozen=True):
    """Step 0 from 1: the counter lies on “!”."""

    seat: Public[SeatId]


class CardResearched(Event, frozen=True):
    """One seat sees the top card; it belongs to `board`, 0 if nobody has said so yet."""

    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Guarded[Hidden[PieceId]]
    board: Public[int] = 0


class PutInLab(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Guarded[Hidden[PieceId]]
    place: Public[PlaceId]


class PutInMarket(Event, frozen=True):
    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]
    place: Public[PlaceId]


class ResearchSkipped(Event, frozen=True):
    """The deck is empty: everything that can be invented has been."""

    seat: Public[SeatId]


class RollBegun(Event, frozen=True):
    """The dice of a move are due."""

    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class MoveKnown(Event, frozen=True):
    """The most spaces it may go, including what the Chassis adds."""

    reveals: ClassVar[bool] = True
    seat: Public[SeatId]
    reach: Public[int]


class Stayed(Event, frozen=True):
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class Went(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    place: Public[PlaceId]


class Leapt(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    place: Public[PlaceId]


class ResearchedAgain(Event, frozen=True):
    """The Action: one more card."""

    seat: Public[SeatId]


class MovedAgain(Event, frozen=True):
    """The Action: one more move."""

    seat: Public[SeatId]


class Earned(Event, frozen=True):
    """One Gold from the Bank."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    gold: Public[int]


class Bought(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]
    gold: Public[int]


class LabOpened(Event, frozen=True):
    """One seat looks at these cards."""

    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    place: Public[PlaceId]
    cards: Guarded[Hidden[Cards]]


class LabsStudied(Event, frozen=True):
    """From a Library, one seat looks at the Labs of all boards before `board`."""

    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    board: Public[int]
    cards: Guarded[Hidden[Cards]]


class LookClosed(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]


class Invented(Event, frozen=True):
    """A card of the Lab is now public, on a machine."""

    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]
    place: Public[PlaceId]


class InventedNothing(Event, frozen=True):
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class Salvaged(Event, frozen=True):
    """A card from the Junkyard is on a machine, disabled."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class Scrapped(Event, frozen=True):
    """A card that had to leave its slot is in the Junkyard (P7)."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class MachineMended(Event, frozen=True):
    """At the Mechanic, for this much Gold."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    gold: Public[int]


class CardRepaired(Event, frozen=True):
    """`source` made `card` work again."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]
    source: Public[PieceId]


class CardRevived(Event, frozen=True):
    """`card` made itself work again. Older records have a `CardRepaired` by the card itself."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class AllRepaired(Event, frozen=True):
    """`source` made everything work again."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    source: Public[PieceId]


class ActionSpent(Event, frozen=True):
    """The effect of `card` was this turn's Action."""

    seat: Public[SeatId]
    card: Public[PieceId]


class TextFollowed(Event, frozen=True):
    """The Action: the free text of `card`."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class TextDone(Event, frozen=True):
    """What the text says is done, and what it changed has been set right."""

    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class Patented(Event, frozen=True):
    """Sold for its rank; the card is in the Market of its period."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]
    gold: Public[int]
    place: Public[PlaceId]


class NumberWanted(Event, frozen=True):
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class NumberTaken(Event, frozen=True):
    reveals: ClassVar[bool] = True
    seat: Public[SeatId]
    number: Public[int]


class NumberLost(Event, frozen=True):
    """A “!” turn went by without a win (P31)."""

    seat: Public[SeatId]


class SwitchedOff(Event, frozen=True):
    """Switched off by its owner for lack of power (P10)."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class TurnEnded(Event, frozen=True):
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class Won(Event, frozen=True):
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]
