"""What of a game can be printed and cut out: cards, boards, docks, counters. The app draws them; games only say them.

Everything is said of the pack alone: nothing printed knows a state, so no sheet can show the order of a deck.
"""

from __future__ import annotations

from msgspec import Struct

from .facts import Said
from .ids import PlaceId, RuleId, SeatId
from .pictures import Icon, Ink, Picture
from .rules import Token


class Front(Struct, frozen=True, kw_only=True):
    """The face of one card. Cards with one `back` are shuffled together, and look alike from behind.

    Its number and icon stand at the top, then its name; the `figure`, or else the icon drawn large; short `facts` side
    by side; sentences. One that `is_whole` is all figure: that is drawn from edge to edge. One that is still to be
    described has room to write instead of sentences.
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
    """A picture at true size, so many millimetres wide. Each place that it points at has its code beside it.

    Its own code, where it has one, stands in a corner.
    """

    name: Said
    picture: Picture
    width: int
    token: Token | None = None


class Slot(Struct, frozen=True):
    """Where one card is laid on a dock: so many cards from its left and upper edge.

    Its code lies where that of a card comes to lie: seen, the slot is empty; that of a card seen, it lies face up.
    """

    name: Said
    column: int
    row: int
    token: Token | None = None
    icon: Icon | None = None
    text: Said | None = None


class Dock(Struct, frozen=True):
    """What lies before one seat, three cards wide and two high: slots, and between them the seat with its track."""

    seat: SeatId
    slots: tuple[Slot, ...]
    track: tuple[str, ...]
    about: Said
    text: tuple[Said, ...] = ()


class Counter(Struct, frozen=True):
    """A small thing to cut out, so many times: a pawn, a coin, a good. A code makes it a thing that can be shown."""

    name: Said
    sign: str = ""
    icon: Icon | None = None
    ink: Ink = "ink"
    seat: SeatId | None = None
    token: Token | None = None
    copies: int = 1


class Prints(Struct, frozen=True, kw_only=True):
    """All that a game has to print. The `reference` are the rules that everybody wants beside the table."""

    fronts: tuple[Front, ...]
    boards: tuple[Board, ...] = ()
    docks: tuple[Dock, ...] = ()
    counters: tuple[Counter, ...] = ()
    reference: tuple[RuleId, ...] = ()


class SlotCode(Struct, frozen=True):
    """Where one card is laid: so many cards from the left and from the top of the sheet."""

    place: PlaceId
    column: int
    row: int


class Spread(Struct, frozen=True):
    """One sheet. `anchor` is the place of a card that stays uncovered, and so shows where the sheet lies."""

    anchor: PlaceId
    cells: tuple[SlotCode, ...]
