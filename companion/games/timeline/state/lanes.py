"""Lines traced across the board: prices, the market of each good, where a pawn's line leads (T4, T10, T26, T27)."""

from __future__ import annotations

from typing import Final, TypeAlias

from msgspec import Struct

from companion.core import SeatId

from .cards import COLOURS, Four, Pack, entries, exits
from .state import BESIDE, Column, Laid, Spot, State, spot_of

Columns: TypeAlias = tuple[Column, ...]


class Met(Struct, frozen=True, gc=False):
    """What a line meets in a column: a card or, with None, open space. `lane` is the left end of the line's segment."""

    column: int
    laid: Laid | None
    lane: int


def onward(column: Column, lane: int) -> int:
    """The lane on which a line that enters a column from the left leaves it; open space is straight."""
    for laid in column:
        at = lane - laid.top
        if 0 <= at <= 3:
            return laid.top + exits(laid.lines)[at]
    return lane


def backward(column: Column, lane: int) -> int:
    """The lane on which a line that leaves on the right entered."""
    for laid in column:
        at = lane - laid.top
        if 0 <= at <= 3:
            return laid.top + entries(laid.lines)[at]
    return lane


def market_of(columns: Columns, lane: int) -> int:
    """The lane at Finish of the line that leaves Start on `lane`."""
    for column in columns:
        for laid in column:
            at = lane - laid.top
            if 0 <= at <= 3:
                lane = laid.top + exits(laid.lines)[at]
                break
    return lane


def worth(pack: Pack, lane: int) -> int:
    """What the market of a lane pays for one counter (T26)."""
    return pack.finish[lane % 4]


def start_lane(pack: Pack, good: int) -> int:
    return pack.start.index(COLOURS[good])


def markets(state: State) -> Four:
    """The lane of the one market connected to each good."""
    return markets_in(state.setup.pack, state.columns)


def markets_in(pack: Pack, columns: Columns) -> Four:
    start = pack.start
    return (
        market_of(columns, start.index("B")),
        market_of(columns, start.index("Y")),
        market_of(columns, start.index("R")),
        market_of(columns, start.index("G")),
    )


def prices(state: State) -> Four:
    """What one counter of each good is worth now (T4)."""
    pack = state.setup.pack
    finish = pack.finish
    oil, milk, beet, nuc = markets_in(pack, state.columns)
    return finish[oil % 4], finish[milk % 4], finish[beet % 4], finish[nuc % 4]


def connected(state: State, lane: int) -> int | None:
    """The good that the market of a lane buys; None if it is connected to none (T21, T22)."""
    for column in reversed(state.columns):
        lane = backward(column, lane)
    return COLOURS.index(state.setup.pack.start[lane]) if 0 <= lane <= 3 else None


def sellable(state: State, spot: Spot) -> int | None:
    """The good that can be sold where a pawn stands; None outside a market, or if none is connected."""
    return connected(state, spot.lane) if spot.column > len(state.columns) else None


def met_to_the_right(state: State, spot: Spot) -> list[Met]:
    """What a pawn's line meets in each later column, the nearest first (T.m)."""
    columns, lane = state.columns, spot.lane
    found: list[Met] = []
    if not 0 < spot.column <= len(columns):
        return found
    lane = onward(columns[spot.column - 1], lane)
    for number in range(spot.column, len(columns)):
        here, out = None, lane
        for laid in columns[number]:
            at = lane - laid.top
            if 0 <= at <= 3:
                here, out = laid, laid.top + exits(laid.lines)[at]
                break
        found.append(Met(number + 1, here, lane))
        lane = out
    return found


def met_to_the_left(state: State, spot: Spot) -> list[Met]:
    """What a pawn's line meets in each earlier column, the nearest first (T.d, T.m)."""
    columns, lane = state.columns, spot.lane
    found: list[Met] = []
    for number in range(min(spot.column - 1, len(columns)), 0, -1):
        here = None
        for laid in columns[number - 1]:
            at = lane - laid.top
            if 0 <= at <= 3:
                here, lane = laid, laid.top + entries(laid.lines)[at]
                break
        found.append(Met(number, here, lane))
    return found


_LAST: Final[list[tuple[Columns, Spot, tuple[Met, ...]]]] = [((), BESIDE, ())]
"""The last line asked about: two verbs list it, and rules ask again. Compared by identity of board and spot."""


def met(state: State, seat: SeatId) -> tuple[Met, ...]:
    """What a seat's line meets in every other column."""
    spot = spot_of(state, seat)
    columns, asked, found = _LAST[0]
    if columns is not state.columns or asked is not spot:
        found = (*met_to_the_right(state, spot), *met_to_the_left(state, spot))
        _LAST[0] = state.columns, spot, found
    return found


def met_in(state: State, seat: SeatId, column: int) -> Met | None:
    """What a seat's line meets in one other column."""
    for there in met(state, seat):
        if there.column == column:
            return there
    return None


def end_of_line(state: State, spot: Spot) -> int:
    """The lane of the market at the right end of a pawn's line."""
    lane = spot.lane
    for number in range(max(spot.column - 1, 0), len(state.columns)):
        lane = onward(state.columns[number], lane)
    return lane


def blanks_before(column: Column, lane: int) -> int:
    """T12: how many blanks fill the gap between the cards of a column and a lane outside them."""
    highest, lowest = column[0].top, column[-1].top + 3
    return (highest - lane - 1) // 4 if lane < highest else (lane - lowest - 1) // 4


def new_top(column: Column, lane: int) -> int:
    """T.o: the top lane of the card that covers a lane outside the column, once its blanks are laid."""
    blanks = blanks_before(column, lane)
    return column[0].top - 4 * (blanks + 1) if lane < column[0].top else column[-1].top + 4 + 4 * blanks


def lanes_between(state: State) -> list[Four]:
    """The lanes of the four goods before each column, and finally their markets."""
    start = state.setup.pack.start
    lanes = [start.index(letter) for letter in COLOURS]
    found: list[Four] = [(lanes[0], lanes[1], lanes[2], lanes[3])]
    for column in state.columns:
        lanes = [onward(column, lane) for lane in lanes]
        found.append((lanes[0], lanes[1], lanes[2], lanes[3]))
    return found


def markets_after(state: State, number: int, highest: int, lanes: Four) -> Four:
    """The markets once the `highest` cards of a column have slid up one lane; `lanes` are where the goods enter it."""
    column, rest = state.columns[number - 1], state.columns[number:]
    raised = tuple([Laid(c.card, c.top - 1, c.lines, c.counters) for c in column[:highest]]) + column[highest:]
    onwards = (raised, *rest)
    oil, milk, beet, nuc = lanes
    return (
        market_of(onwards, oil),
        market_of(onwards, milk),
        market_of(onwards, beet),
        market_of(onwards, nuc),
    )
