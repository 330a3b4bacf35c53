"""What became true. All of it is public; `seat` is always whoever acted. Columns count from 1 at the left."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from companion.core import Concern, Event, PieceId, Public, SeatId

from .state import Come, Good


class Dealt(Event, frozen=True, gc=False):
    """The first card of a column, with a counter on each waypoint."""

    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    column: Public[int]
    card: Public[PieceId]
    lines: Public[str]


class FirstNamed(Event, frozen=True, gc=False):
    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class Placed(Event, frozen=True, gc=False):
    """A pawn on the board, and its first counter; nothing slides."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    column: Public[int]
    card: Public[PieceId]
    number: Public[int]
    lane: Public[int]
    good: Public[Good]


class Moved(Event, frozen=True, gc=False):
    """A pawn stopped on waypoint `number` of a card, by a local move or through time."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    column: Public[int]
    card: Public[PieceId]
    number: Public[int]
    lane: Public[int]


class Took(Event, frozen=True, gc=False):
    """The counter on the waypoint where the pawn stands."""

    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    good: Public[Good]


class Slid(Event, frozen=True, gc=False):
    """The `n` highest cards of a column went up one lane, along with the pawns and counters on them."""

    concerns: ClassVar[Concern] = "hands"
    column: Public[int]
    n: Public[int]


class SetOut(Event, frozen=True, gc=False):
    """A pawn goes where a card must be laid or flipped; from then on the move is binding (T.n)."""

    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]
    column: Public[int]
    top: Public[int]
    come: Public[Come]
    lane: Public[int]


class BlankLaid(Event, frozen=True, gc=False):
    concerns: ClassVar[Concern] = "hands"
    column: Public[int]
    top: Public[int]


class CardLaid(Event, frozen=True, gc=False):
    """A new card lies face up, in open space or in place of a blank, with a counter on each waypoint."""

    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    card: Public[PieceId]
    column: Public[int]
    top: Public[int]
    lines: Public[str]


class EnteredMarket(Event, frozen=True, gc=False):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    lane: Public[int]
    value: Public[int]


class Sold(Event, frozen=True, gc=False):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    n: Public[int]
    good: Public[Good]
    gold: Public[int]


class KeptGoods(Event, frozen=True, gc=False):
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class Stayed(Event, frozen=True, gc=False):
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class TurnPassed(Event, frozen=True, gc=False):
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class AgreedToStop(Event, frozen=True, gc=False):
    seat: Public[SeatId]


class Won(Event, frozen=True, gc=False):
    concerns: ClassVar[Concern] = "course"
    seat: Public[SeatId]


class Stopped(Event, frozen=True, gc=False):
    """All agreed: the game ends without a winner."""

    concerns: ClassVar[Concern] = "course"


class Resumed(Event, frozen=True, gc=False):
    """A correction undid the win; it is the next seat's turn."""

    concerns: ClassVar[Concern] = "course"


class GoldSet(Event, frozen=True, gc=False):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    number: Public[int]


class GoodsSet(Event, frozen=True, gc=False):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    good: Public[Good]
    number: Public[int]


class TurnSet(Event, frozen=True, gc=False):
    seat: Public[SeatId]


class ColumnSet(Event, frozen=True, gc=False):
    """The whole column lies with its highest card at `top`; pawns and counters moved with it."""

    concerns: ClassVar[Concern] = "hands"
    column: Public[int]
    top: Public[int]


class CounterSet(Event, frozen=True, gc=False):
    """A counter lies on the waypoint (1) or does not (0)."""

    concerns: ClassVar[Concern] = "hands"
    card: Public[PieceId]
    number: Public[int]
    lies: Public[int]


class PawnSet(Event, frozen=True, gc=False):
    concerns: ClassVar[Concern] = "hands"
    seat: Public[SeatId]
    column: Public[int]
    lane: Public[int]


class CardPut(Event, frozen=True, gc=False):
    """A card lies here; one from the board brings its pawns and counters, one from the deck gets new counters."""

    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    card: Public[PieceId]
    column: Public[int]
    top: Public[int]
    lines: Public[str]


class CardGone(Event, frozen=True, gc=False):
    """A card is back in the deck."""

    concerns: ClassVar[Concern] = "hands"
    card: Public[PieceId]


class BlankPut(Event, frozen=True, gc=False):
    concerns: ClassVar[Concern] = "hands"
    column: Public[int]
    top: Public[int]


class BlankGone(Event, frozen=True, gc=False):
    concerns: ClassVar[Concern] = "hands"
    column: Public[int]
    at: Public[int]


class FaceSet(Event, frozen=True, gc=False):
    """The card at this position of a column, counted from the top, is really this one."""

    reveals: ClassVar[bool] = True
    concerns: ClassVar[Concern] = "hands"
    column: Public[int]
    at: Public[int]
    card: Public[PieceId]
    lines: Public[str]


AnyEvent: TypeAlias = (
    Dealt
    | FirstNamed
    | Placed
    | Moved
    | Took
    | Slid
    | SetOut
    | BlankLaid
    | CardLaid
    | EnteredMarket
    | Sold
    | KeptGoods
    | Stayed
    | TurnPassed
    | AgreedToStop
    | Won
    | Stopped
    | Resumed
    | GoldSet
    | GoodsSet
    | TurnSet
    | ColumnSet
    | CounterSet
    | PawnSet
    | CardPut
    | CardGone
    | BlankPut
    | BlankGone
    | FaceSet
)
