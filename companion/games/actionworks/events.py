"""What became true. A field says who may see it; `seat` is always the one who acted or to whom it happened."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from companion.core.ids import PieceId, PlaceId, SeatId
from companion.core.rules import Event
from companion.core.secrets import Guarded, Hidden, Public

from .state import Cards


class FirstNamed(Event, frozen=True):
    reveals: ClassVar[bool] = True
    seat: Public[SeatId]


class DemandDealt(Event, frozen=True):
    reveals: ClassVar[bool] = True
    seat: Public[SeatId]
    card: Public[PieceId]


class Flipped(Event, frozen=True):
    """A Part of the deck lies on the workbench."""

    reveals: ClassVar[bool] = True
    card: Public[PieceId]


class Drawn(Event, frozen=True):
    """A Part of the deck is in a hand."""

    reveals: ClassVar[bool] = True
    seat: Public[SeatId]
    card: Guarded[Hidden[PieceId]]


class RanOut(Event, frozen=True):
    """A card was due from the deck, and there is none."""


class Played(Event, frozen=True):
    """One card, alone."""

    seat: Public[SeatId]
    card: Public[PieceId]


class Declared(Event, frozen=True):
    """The first card of several at the same time."""

    seat: Public[SeatId]
    card: Public[PieceId]


class Added(Event, frozen=True):
    seat: Public[SeatId]
    card: Public[PieceId]


class WentAhead(Event, frozen=True):
    """The declaration is complete; its cards act."""

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
    seat: Public[SeatId]
    card: Guarded[Hidden[PieceId]]


class Took(Event, frozen=True):
    seat: Public[SeatId]
    card: Public[PieceId]


class HandShown(Event, frozen=True):
    """To all, and no list of it is kept: while it is shown, the state shows it (A.u)."""

    reveals: ClassVar[bool] = True
    seat: Public[SeatId]
    by: Public[SeatId]


class HandHidden(Event, frozen=True):
    seat: Public[SeatId]


class Borrowed(Event, frozen=True):
    """With the card taken, the lender's hand is secret again."""

    seat: Public[SeatId]
    card: Public[PieceId]
    lender: Public[SeatId]


class LookBegun(Event, frozen=True):
    """A Plan looks at the next card of the deck."""

    seat: Public[SeatId]


class LookedAtDeck(Event, frozen=True):
    reveals: ClassVar[bool] = True
    seat: Public[SeatId]
    card: Guarded[Hidden[PieceId]]


class PutBackOnTop(Event, frozen=True):
    """Next from the top down."""

    seat: Public[SeatId]
    card: Guarded[Hidden[PieceId]]


class Scrapped(Event, frozen=True):
    seat: Public[SeatId]
    card: Public[PieceId]


class Salvaged(Event, frozen=True):
    """The top of the scrap heap is in the hand."""

    seat: Public[SeatId]
    card: Public[PieceId]


class TurnEnded(Event, frozen=True):
    seat: Public[SeatId]


class Cleared(Event, frozen=True):
    """One card less on the workbench."""

    seat: Public[SeatId]
    card: Public[PieceId]


class TurnPassed(Event, frozen=True):
    """The workbench is clear; the turn of `seat` begins with two new Parts."""

    seat: Public[SeatId]


class PilesShown(Event, frozen=True):
    """The round is over: hands went to the piles, and the piles were turned up."""

    reveals: ClassVar[bool] = True
    piles: Public[tuple[Cards, ...]]


class Scored(Event, frozen=True):
    seat: Public[SeatId]
    points: Public[int]


class RoundEnded(Event, frozen=True):
    round: Public[int]


class RoundBegun(Event, frozen=True):
    round: Public[int]
    types: Public[int]
    first: Public[SeatId]


class GameEnded(Event, frozen=True):
    pass


class TotalSet(Event, frozen=True):
    seat: Public[SeatId]
    number: Public[int]


class TurnSet(Event, frozen=True):
    seat: Public[SeatId]


class CardMoved(Event, frozen=True):
    """The card was named aloud, so all know it."""

    reveals: ClassVar[bool] = True
    card: Public[PieceId]
    place: Public[PlaceId]


class DemandSet(Event, frozen=True):
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
