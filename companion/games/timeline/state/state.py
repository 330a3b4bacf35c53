"""Where everything lies, and what the game waits for.

A view is a `State` too, with `?` in place of the unseen cards; everything else of TimeLine lies open (T.ab).
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.core import GameId, PieceId, PlaceId, Public, Sealed, SeatId, Setup, SetupError, Static

from .cards import COLOURS, SEATS_AT_MOST, Four, Pack, Words, lines_of, path_cards
from .places import numbers_of

GAME_ID: Final = GameId("timeline")
VERSION: Final = 1
FEWEST, MOST = 2, SEATS_AT_MOST
WINNING: Final = 21
FULL: Final = 0b1111
"""A counter on each of the four waypoints."""
UNSEEN_LINES: Final = "1234" + COLOURS
"""What a view assumes about a card that it does not know."""

NO_SLIDE: Final = (0, 0)
NO_SETUP: Final[Setup[Pack]] = Setup(GAME_ID, VERSION, 0, (), Pack("", Words("", ""), Words("", ""), ()))
"""Stands in where a state is stored or sent without its setup."""

Come = Literal["local", "left", "right"]
"""How a pawn reaches a card still to be drawn: within its column, or along its line from the left or right."""


class Laid(Struct, frozen=True, gc=False):
    """A card in a column: it covers the lanes `top` to `top` + 3. Bit k of `counters` is waypoint k + 1.

    A blank has no lines and is unknown even to the program: it is any one of the unseen cards.
    """

    card: Public[PieceId]
    top: Public[int]
    lines: Public[str]
    counters: Public[int] = FULL


class Spot(Struct, frozen=True, gc=False):
    """Where a pawn stands: the waypoint whose left end is on `lane` of a column, or the market of that lane.

    Column 0 is beside the board, the column after the last is Finish.
    """

    column: Public[int]
    lane: Public[int]


BESIDE: Final = Spot(0, 0)


class Dealing(Struct, frozen=True, gc=False, tag="dealing"):
    """Columns are being dealt their first cards; `left` still have none."""

    left: Public[int]


class Naming(Struct, frozen=True, gc=False, tag="naming"):
    """The table names the first player."""


class Placing(Struct, frozen=True, gc=False, tag="placing"):
    """The seat on turn puts its pawn on the board."""


class Turn(Struct, frozen=True, gc=False, tag="turn"):
    """The seat on turn moves, sells or stays."""


class Drawing(Struct, frozen=True, gc=False, tag="drawing"):
    """The next card goes to `top` of `column`, laid in open space or flipped from a blank; `seat` stops on it.

    `lane` is the traveller's line there.
    """

    seat: Public[SeatId]
    column: Public[int]
    top: Public[int]
    come: Public[Come]
    lane: Public[int]


class Stopping(Struct, frozen=True, gc=False, tag="stopping"):
    """`seat` stops on a waypoint of the card just laid at `top` of `column`."""

    seat: Public[SeatId]
    column: Public[int]
    top: Public[int]


class Selling(Struct, frozen=True, gc=False, tag="selling"):
    """The seat on turn has entered a market and may sell."""


class Over(Struct, frozen=True, gc=False, tag="over"):
    """Someone has won, or all agreed to stop."""


Step: TypeAlias = Dealing | Naming | Placing | Turn | Drawing | Stopping | Selling | Over
Column: TypeAlias = tuple[Laid, ...]
"""From the top down."""


class State(Struct, frozen=True, omit_defaults=True, gc=False):
    """One moment of a game. `steps` is a stack, top last.

    `deck` are all cards not seen yet; with option `blanks: deck`, `blanks` of them lie on the board. `slid` is the
    column that went up in the last act and how many of its cards did, until somebody moves again. `goods` counts oil,
    milk, beet and nuc of each seat. `turns` counts the turns begun. Seats in `agreed` would stop now (T.af).
    """

    first: Public[SeatId]
    turn: Public[SeatId]
    turns: Public[int]
    gold: Public[tuple[int, ...]]
    goods: Public[tuple[Four, ...]]
    pawns: Public[tuple[Spot, ...]]
    columns: Public[tuple[Column, ...]]
    deck: Sealed[tuple[PieceId, ...]]
    steps: Public[tuple[Step, ...]]
    blanks: Public[int] = 0
    slid: Public[tuple[int, int]] = NO_SLIDE
    agreed: Public[tuple[SeatId, ...]] = ()
    setup: Static[Setup[Pack]] = NO_SETUP


def columns_for(seats: int) -> int:
    """T1: 4, 4, 5, 6 columns."""
    return max(4, seats + 1)


def start(setup: Setup[Pack]) -> State:
    """The table before the first card is dealt (T1, T2, T30)."""
    seats = setup.seats
    if not FEWEST <= seats <= MOST:
        raise SetupError(f"TimeLine seats {FEWEST} to {MOST}, not {seats}: choose another number of seats")
    cards, columns = path_cards(setup.pack), columns_for(seats)
    if len(cards) < columns:
        raise SetupError(
            f"pack {setup.pack.id!r} has {len(cards)} Path cards, {seats} seats need {columns}: add the missing faces"
        )
    return State(
        first=SeatId(0),
        turn=SeatId(0),
        turns=0,
        gold=(0,) * seats,
        goods=((0, 0, 0, 0),) * seats,
        pawns=(BESIDE,) * seats,
        columns=((),) * columns,
        deck=cards,
        steps=(Turn(), Placing(), Naming(), Dealing(columns)),
        setup=setup,
    )


def option(state: State, name: str) -> str:
    """The choice made for an option; "" for a state without its setup."""
    for known, choice in state.setup.options:
        if known == name:
            return choice
    return ""


def in_deck(state: State) -> int:
    """How many cards are left in the face-down deck."""
    return len(state.deck) - state.blanks


def is_blank(laid: Laid) -> bool:
    return not laid.lines


def spot_of(state: State, seat: SeatId) -> Spot:
    """Where the pawn of a seat stands; for an actor without a seat, beside the board."""
    return state.pawns[seat] if 0 <= seat < len(state.pawns) else BESIDE


def lines_laid(state: State, card: PieceId) -> str:
    """The lines of a card as laid in this game (T.j); assumed ones for a card that the view does not know."""
    return lines_of(state.setup.pack, option(state, "second_copies") == "turned").get(card, UNSEEN_LINES)


def placed(state: State) -> int:
    """How many pawns are on the board."""
    return sum(1 for spot in state.pawns if spot.column)


def card_on(column: Column, lane: int) -> Laid | None:
    """The card of a column that covers a lane."""
    for laid in column:
        if 0 <= lane - laid.top <= 3:
            return laid
    return None


_LAST: Final[list[tuple[tuple[Column, ...], dict[PieceId, tuple[int, Laid]]]]] = [((), {})]
"""Where the cards of the last board asked about lie: rules ask many times about one board. Compared by identity."""


def find(state: State, card: PieceId) -> tuple[int, Laid] | None:
    """The column, counted from 1, and the place of a face-up card; None if it is not on the board."""
    columns, where = _LAST[0]
    if columns is not state.columns:
        columns = state.columns
        where = {laid.card: (n, laid) for n, column in enumerate(columns, 1) for laid in column if laid.lines}
        _LAST[0] = columns, where
    return where.get(card)


def card_at(state: State, place: PlaceId) -> Laid | None:
    """The card at a place `card/3/2`: by column and position from the top."""
    column, at = numbers_of(place, "card", 2)
    cards = state.columns[column - 1] if 1 <= column <= len(state.columns) else ()
    return cards[at - 1] if 1 <= at <= len(cards) else None


def waypoint_of(state: State, card: PieceId, number: int) -> Spot | None:
    """Where a pawn stands on this waypoint of a face-up card; None if there is no such waypoint."""
    found = find(state, card)
    return None if found is None or not 1 <= number <= 4 else Spot(found[0], found[1].top + number - 1)


def held_by(state: State, column: int, lane: int) -> SeatId | None:
    """The pawn on a waypoint."""
    for seat, spot in enumerate(state.pawns):
        if spot.lane == lane and spot.column == column:
            return SeatId(seat)
    return None


def with_column(state: State, number: int, column: Column) -> State:
    columns = state.columns
    return replace(state, columns=(*columns[: number - 1], column, *columns[number:]))


T = TypeVar("T")
