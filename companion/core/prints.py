"""What can be printed and cut out for a game: cards, boards, docks, counters. Games describe them, the app draws them.

Everything comes from the pack alone: nothing printed knows a state, so no sheet can reveal the order of a deck.
"""

from __future__ import annotations

from msgspec import Struct

from .facts import Said
from .ids import PlaceId, RuleId, SeatId
from .pictures import Icon, Ink, Picture
from .rules import Token


class Front(Struct, frozen=True, kw_only=True):
    """The face of one card. Cards that share a `back` are shuffled together and look alike from behind.

    Number and icon stand at the top, then the name; the `figure`, or else the icon drawn large; short `facts` side by
    side; sentences. One that `is_whole` is all figure, drawn edge to edge. One that is still to be described leaves
    room for writing instead of sentences.
    """

    token: Token | None
    name: Said
    back: str = "deck"
    kind: Said | None = None
    icon: Icon | None = None
    number: int | None = None
    figure: Picture | None = None
    facts: tuple[Said, ...] = ()
    text: tuple[Said, ...] = ()
    is_whole: bool = False
    is_described: bool = True


class Board(Struct, frozen=True):
    """A picture at true size, this many millimetres wide. Each place it points at has its code beside it.

    Its own code, if it has one, stands in a corner.
    """

    name: Said
    picture: Picture
    width: int
    token: Token | None = None


class Slot(Struct, frozen=True):
    """Where one card goes on a dock, counted in cards from its left and top edge.

    Its code lies where the card's would be. If it is seen, the slot is empty; if the card's is, the card lies face up.
    """

    name: Said
    column: int
    row: int
    token: Token | None = None
    icon: Icon | None = None
    text: Said | None = None


class Dock(Struct, frozen=True):
    """What lies in front of one seat, three cards wide and two high: slots, and between them the seat and its track."""

    seat: SeatId
    slots: tuple[Slot, ...]
    track: tuple[str, ...]
    about: Said
    text: tuple[Said, ...] = ()


class Counter(Struct, frozen=True):
    """A small thing to cut out this many times: a pawn, a coin, a good. With a code it can be shown to a camera."""

    name: Said
    sign: str = ""
    icon: Icon | None = None
    ink: Ink = "ink"
    seat: SeatId | None = None
    token: Token | None = None
    copies: int = 1


class Prints(Struct, frozen=True, kw_only=True):
    """Everything a game has to print. The `reference` are the rules people want within reach."""

    fronts: tuple[Front, ...]
    boards: tuple[Board, ...] = ()
    docks: tuple[Dock, ...] = ()
    counters: tuple[Counter, ...] = ()
    reference: tuple[RuleId, ...] = ()


class SlotCode(Struct, frozen=True):
    """Where one card goes, counted in cards from the left and top of the sheet."""

    place: PlaceId
    column: int
    row: int


class Spread(Struct, frozen=True):
    """One sheet. `anchor` is the place of a card that stays uncovered and so shows where the sheet lies."""

    anchor: PlaceId
    cells: tuple[SlotCode, ...]
