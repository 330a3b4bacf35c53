"""What an actor may want. The table's intents are chance: who is first, which card came.

Cards lie on the board, so an intent names the card (a tap) and then one of its waypoints (a number); if there is no
card to tap, it names a place.
"""

from __future__ import annotations

from companion.core import Intent, PieceId, PlaceId, SeatId


class NameFirst(Intent, frozen=True):
    """The table: this seat places first."""

    seat: SeatId


class Drew(Intent, frozen=True, gc=False):
    """The table: this card came off the deck, or was under the flipped blank."""

    card: PieceId


class Place(Intent, frozen=True):
    """Put the pawn on a waypoint of the first board."""

    card: PieceId
    number: int


class Move(Intent, frozen=True, gc=False):
    """A local move to a waypoint of a card in the pawn's own column."""

    card: PieceId
    number: int


class GoAbove(Intent, frozen=True, gc=False):
    """Off the map above the pawn's column, onto a new card."""


class GoBelow(Intent, frozen=True, gc=False):
    """Off the map below the pawn's column, onto a new card."""


class Flip(Intent, frozen=True, gc=False):
    """A local move onto a blank in the pawn's column."""

    place: PlaceId


class Travel(Intent, frozen=True, gc=False):
    """Time travel to the waypoint of a card on the pawn's line."""

    card: PieceId


class Explore(Intent, frozen=True, gc=False):
    """Time travel into open space, or onto a blank, in another column."""

    place: PlaceId


class EnterMarket(Intent, frozen=True, gc=False):
    """Time travel to the market at the end of the pawn's line."""


class StopOn(Intent, frozen=True, gc=False):
    """Stop on a waypoint of the card just laid or flipped."""

    number: int


class Sell(Intent, frozen=True, gc=False):
    """Sell this many of the good that is connected to the market."""

    number: int


class KeepGoods(Intent, frozen=True, gc=False):
    """Sell nothing after entering a market."""


class Stay(Intent, frozen=True, gc=False):
    """Neither move nor sell."""


class AgreeToStop(Intent, frozen=True, gc=False):
    """End the game without a winner, once everyone wants that in the same turn."""


class SetGold(Intent, frozen=True):
    seat: SeatId
    number: int


class SetGoods(Intent, frozen=True):
    """`good` is the place of its counters: oil, milk, beet or nuc."""

    seat: SeatId
    good: PlaceId
    number: int


class SetTurn(Intent, frozen=True):
    seat: SeatId


class SetColumn(Intent, frozen=True):
    """The highest card of a column has its top on this lane, and all the others move with it."""

    place: PlaceId
    number: int


class SetCounter(Intent, frozen=True):
    """Reverse what the program believes about this waypoint: whether a counter lies there."""

    card: PieceId
    number: int


class SetPawn(Intent, frozen=True):
    seat: SeatId
    card: PieceId
    number: int


class PawnToMarket(Intent, frozen=True):
    seat: SeatId
    number: int


class PutCard(Intent, frozen=True):
    """This card lies in that column with its top on this lane."""

    card: PieceId
    place: PlaceId
    number: int


class RemoveCard(Intent, frozen=True):
    """This card belongs back in the deck."""

    card: PieceId


class PutBlank(Intent, frozen=True):
    place: PlaceId
    number: int


class RemoveBlank(Intent, frozen=True):
    place: PlaceId


class SetFace(Intent, frozen=True):
    """The card at that place is really this one."""

    place: PlaceId
    card: PieceId
