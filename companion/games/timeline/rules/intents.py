"""What an actor may want. Those of the table are chance: who is first, which card came.

Cards lie in the board, so an intent names the card (a tap) and then one of its waypoints (a number); where there is no
card to tap it names a place.
"""

from __future__ import annotations

from companion.core import Intent, PieceId, PlaceId, SeatId


class NameFirst(Intent, frozen=True):
    """The table: this seat places first."""

    seat: SeatId


class Drew(Intent, frozen=True, gc=False):
    """The table: this card came off the deck, or was under the blank that was flipped."""

    card: PieceId


class Place(Intent, frozen=True):
    """Put the pawn on a waypoint of the first board."""

    card: PieceId
    number: int


class Move(Intent, frozen=True, gc=False):
    """A local move to a waypoint of a card in the own column."""

    card: PieceId
    number: int


class GoAbove(Intent, frozen=True, gc=False):
    """Off the map above the own column, onto a new card."""


class GoBelow(Intent, frozen=True, gc=False):
    """Off the map below the own column, onto a new card."""


class Flip(Intent, frozen=True, gc=False):
    """A local move onto a blank of the own column."""

    place: PlaceId


class Travel(Intent, frozen=True, gc=False):
    """Time travel to the waypoint of a card on the own line."""

    card: PieceId


class Explore(Intent, frozen=True, gc=False):
    """Time travel into open space, or onto a blank, of another column."""

    place: PlaceId


class EnterMarket(Intent, frozen=True, gc=False):
    """Time travel to the market at the end of the own line."""


class StopOn(Intent, frozen=True, gc=False):
    """Stop on a waypoint of the card just laid or flipped."""

    number: int


class Sell(Intent, frozen=True, gc=False):
    """Sell so many of the good that is connected to the market."""

    number: int


class KeepGoods(Intent, frozen=True, gc=False):
    """Sell nothing after entering a market."""


class Stay(Intent, frozen=True, gc=False):
    """No move and no sale."""


class AgreeToStop(Intent, frozen=True, gc=False):
    """Stop the game without a winner, once everyone wants it in the same turn."""


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
    """The highest card of a column has its top on this lane, and all others moved as much."""

    place: PlaceId
    number: int


class SetCounter(Intent, frozen=True):
    """Turn round what the program believes of this waypoint: a counter lies there, or none."""

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
    """This card belongs back into the deck."""

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
