"""What the game waits for, how it ended, and what should lie where."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from companion.core import TABLE, UNKNOWN, Decision, Fact, Lies, PlaceId, Result, Seat, SeatId, say

from .state import (
    SEATS_AT_MOST,
    WINNING,
    Dealing,
    Drawing,
    Naming,
    Over,
    Placing,
    Selling,
    Spot,
    State,
    Step,
    Stopping,
    Turn,
    coming,
    good_word,
    market_place,
    pawn_of,
    placed,
    sellable,
    spot_of,
    stop_place,
    worth,
)


def _turn(state: State, _step: Turn) -> Decision:
    return Decision("turn", (state.turn,), f"{state.turns}.0", (("seat", Seat(state.turn)),))


def _dealing(state: State, step: Dealing) -> Decision:
    return _ask("deal", TABLE, state, step.left, column=len(state.columns) - step.left + 1)


def _naming(state: State, _step: Naming) -> Decision:
    return _ask("name-first", TABLE, state, 0)


def _placing(state: State, _step: Placing) -> Decision:
    return _ask("place", state.turn, state, 0, seat=Seat(state.turn), column=placed(state) + 1)


def _drawing(state: State, step: Drawing) -> Decision:
    at = coming(state, step.column, step.top)
    return _ask("draw", TABLE, state, step.top, seat=Seat(step.seat), at=at)


def _stopping(state: State, step: Stopping) -> Decision:
    return _ask("stop", step.seat, state, step.top, seat=Seat(step.seat), column=step.column)


def _selling(state: State, _step: Selling) -> Decision:
    spot = state.pawns[state.turn]
    good = sellable(state, spot) or 0
    value = worth(state.setup.pack, spot.lane)
    return _ask("sell", state.turn, state, 0, seat=Seat(state.turn), good=good_word(good), value=value)


def _ask(kind: str, awaited: SeatId, state: State, left: int, /, **facts: Fact) -> Decision:
    return Decision(kind, (awaited,), f"{state.turns}.{left}", say("", **facts).facts)


ASKS: Final[dict[type[Step], Callable[[State, Any], Decision]]] = {
    Turn: _turn,
    Dealing: _dealing,
    Naming: _naming,
    Placing: _placing,
    Drawing: _drawing,
    Stopping: _stopping,
    Selling: _selling,
}


def result(state: State) -> Result | None:
    """The first with 21 Gold has won (T23); if all agreed to stop, nobody has (T.af)."""
    if not isinstance(state.steps[-1], Over):
        return None
    most = max(state.gold)
    if most < WINNING:
        return Result((), say("result.stopped"))
    winner = SeatId(state.gold.index(most))
    return Result((winner,), say("result.won", seat=Seat(winner), gold=most))


def layout(state: State) -> tuple[Lies, ...]:
    """Each known piece and where it should lie; unknown ones are left out."""
    lying = [
        Lies(laid.card, _lane(number, laid.top), "up")
        for number, column in enumerate(state.columns, 1)
        for laid in column
        if laid.card != UNKNOWN
    ]
    lying += [Lies(card, _DECK, "down") for card in state.deck if card != UNKNOWN]
    spots = [spot_of(state, SeatId(seat)) for seat in range(SEATS_AT_MOST)]
    return (*lying, *(Lies(pawn_of(seat), _stands(state, spot), "up") for seat, spot in enumerate(spots)))


_DECK: Final = PlaceId("deck")


@lru_cache(256)
def _lane(column: int, top: int) -> PlaceId:
    return PlaceId(f"lane/{column}/{top}")


def _stands(state: State, spot: Spot) -> PlaceId:
    if spot.column > len(state.columns):
        return market_place(spot.lane)
    return stop_place(spot.column, spot.lane) if spot.column else PlaceId("box")
