"""What became true. Each field says who may see it; `seat` is always whoever acted or was affected."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from companion.core import Concern, Event, Guarded, Hidden, PieceId, PlaceId, Public, SeatId

from .state import Cards


class FirstNamed(Event, frozen=True):
    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class DemandDealt(Event, frozen=True):
    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class Flipped(Event, frozen=True):
    """A Part from the deck lies on the workbench."""

    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    card: Public[PieceId]


class Drawn(Event, frozen=True):
    """A Part from the deck is in a hand."""

    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Guarded[Hidden[PieceId]]


class RanOut(Event, frozen=True):
    """A card was due from the deck, but there is none."""


class Played(Event, frozen=True):
    """One card, played alone."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class Declared(Event, frozen=True):
    """The first of several cards played together."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class Added(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class WentAhead(Event, frozen=True):
    """The declaration is complete; its cards act."""

    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class ActedAs(Event, frozen=True):
    """The Copy `card` acts as `like`: a Demand or a card of the same declaration."""

    seat: Public[SeatId]
    card: Public[PieceId]
    like: Public[PieceId]


class NoEffect(Event, frozen=True):
    seat: Public[SeatId]
    card: Public[PieceId]


class Shipped(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Guarded[Hidden[PieceId]]


class Took(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class HandShown(Event, frozen=True):
    """Shown to all. The event does not list it: the state shows it for as long as it is open (A.u)."""

    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    by: Public[SeatId]


class HandHidden(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]


class Borrowed(Event, frozen=True):
    """With the card taken, the lender's hand is secret again."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]
    lender: Public[SeatId]


class LookBegun(Event, frozen=True):
    """A Plan looks at the next card of the deck."""

    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class LookedAtDeck(Event, frozen=True):
    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Guarded[Hidden[PieceId]]


class PutBackOnTop(Event, frozen=True):
    """The next one from the top down."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Guarded[Hidden[PieceId]]


class Scrapped(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class Salvaged(Event, frozen=True):
    """The top of the scrap heap goes to the hand."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class TurnEnded(Event, frozen=True):
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class Cleared(Event, frozen=True):
    """One card less on the workbench."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    card: Public[PieceId]


class TurnPassed(Event, frozen=True):
    """The workbench is clear; the turn of `seat` begins with two new Parts."""

    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class PilesShown(Event, frozen=True):
    """The round is over: hands went to the piles, and the piles were turned up."""

    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    piles: Public[tuple[Cards, ...]]


class Scored(Event, frozen=True):
    seat: Public[SeatId]
    points: Public[int]


class RoundEnded(Event, frozen=True):
    concerns: ClassVar[Concern] = "course"
    round: Public[int]


class RoundBegun(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    round: Public[int]
    types: Public[int]
    first: Public[SeatId]


class GameEnded(Event, frozen=True):
    concerns: ClassVar[Concern] = "course"


class TotalSet(Event, frozen=True):
    seat: Public[SeatId]
    number: Public[int]


class TurnSet(Event, frozen=True):
    seat: Public[SeatId]


class CardMoved(Event, frozen=True):
    """The card was named aloud, so all know it."""

    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    card: Public[PieceId]
    place: Public[PlaceId]


class DemandSet(Event, frozen=True):
    concerns: ClassVar[Concern] = "hands"
    card: Public[PieceId]
    seat: Public[SeatId]


AnyEvent: TypeAlias = (
    FirstNamed
    | DemandDealt
    | Flipped
    | Drawn
    | RanOut
    | Played
    | Declared
    | Added
    | WentAhead
    | ActedAs
    | NoEffect
    | Shipped
    | Took
    | HandShown
    | HandHidden
    | Borrowed
    | LookBegun
    | LookedAtDeck
    | PutBackOnTop
    | Scrapped
    | Salvaged
    | TurnEnded
    | Cleared
    | TurnPassed
    | PilesShown
    | Scored
    | RoundEnded
    | RoundBegun
    | GameEnded
    | TotalSet
    | TurnSet
    | CardMoved
    | DemandSet
)
