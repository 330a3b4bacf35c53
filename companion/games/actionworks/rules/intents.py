"""What an actor may want. The table's intents are chance: what was drawn, dealt or named."""

from __future__ import annotations

from companion.core import Intent, PieceId, PlaceId, SeatId


class NameFirst(Intent, frozen=True):
    """The table: this seat starts the first round."""

    seat: SeatId


class Dealt(Intent, frozen=True):
    """The table: this Demand came next."""

    card: PieceId


class Drew(Intent, frozen=True):
    """The table: this Part came off the deck."""

    card: PieceId


class Play(Intent, frozen=True):
    """Play one card, alone."""

    card: PieceId


class Declare(Intent, frozen=True):
    """Play the first of several cards together."""

    card: PieceId


class Add(Intent, frozen=True):
    """One more card to the declaration."""

    card: PieceId


class Go(Intent, frozen=True):
    """The declaration is complete."""


class Ship(Intent, frozen=True):
    card: PieceId


class EndTurn(Intent, frozen=True):
    pass


class ActAs(Intent, frozen=True):
    """The Copy acts as this Demand or this card played with it."""

    card: PieceId


class Take(Intent, frozen=True):
    card: PieceId


class BorrowFrom(Intent, frozen=True):
    seat: SeatId


class Borrow(Intent, frozen=True):
    card: PieceId


class PlanHand(Intent, frozen=True):
    seat: SeatId


class PlanDeck(Intent, frozen=True):
    pass


class Seen(Intent, frozen=True):
    """The shown hand may be hidden again."""


class PutBack(Intent, frozen=True):
    """This card goes back next, from the top down."""

    card: PieceId


class ScrapCard(Intent, frozen=True):
    card: PieceId


class FromHeap(Intent, frozen=True):
    """The top of the scrap heap, if there is one."""


class ScrapNothing(Intent, frozen=True):
    """The workbench half of a Scrap, although nothing there can be scrapped."""


class ClearTake(Intent, frozen=True):
    card: PieceId


class NewType(Intent, frozen=True):
    """The next round adds a type."""


class SameTypes(Intent, frozen=True):
    """The next round repeats the types in use."""


class SetTotal(Intent, frozen=True):
    seat: SeatId
    number: int


class SetTurn(Intent, frozen=True):
    seat: SeatId


class MoveCard(Intent, frozen=True):
    card: PieceId
    place: PlaceId


class SetDemand(Intent, frozen=True):
    card: PieceId
    seat: SeatId
