"""What the game waits for, how it ended, and what should lie where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from companion.core.facts import Fact, Seat, say
from companion.core.game import Decision, Lies, Result
from companion.core.ids import TABLE, UNKNOWN, PlaceId, SeatId

from .cards import SEATS_AT_MOST, good_word, pawn_of
from .lanes import sellable, worth
from .places import market_place, stop_place
from .seeing import coming
from .state import (
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
    placed,
    spot_of,
)


def decisions(state: State) -> tuple[Decision, ...]:
    """The stack of open questions, the one that counts last; none once the game is over."""
    if isinstance(state.steps[-1], Over):
        return ()
    return tuple([_decision(state, step) for step in state.steps])


def _decision(state: State, step: Step) -> Decision:
    match step:
        case Turn():
            return Decision("turn", (state.turn,), f"{state.turns}.0", (("seat", Seat(state.turn)),))
        case Dealing(left=left):
            return _ask("deal", TABLE, state, left, column=len(state.columns) - left + 1)
        case Naming():
            return _ask("name-first", TABLE, state, 0)
        case Placing():
            return _ask("place", state.turn, state, 0, seat=Seat(state.turn), column=placed(state) + 1)
        case Drawing(column=column, top=top):
            return _ask("draw", TABLE, state, top, seat=Seat(step.seat), at=coming(state, column, top))
        case Stopping(column=column, top=top):
            return _ask("stop", step.seat, state, top, seat=Seat(step.seat), column=column)
        case Selling():
            return _selling(state)
        case Over():
            return Decision("over", ())
        case _:
            assert_never(step)


def _selling(state: State) -> Decision:
    spot = state.pawns[state.turn]
    good = sellable(state, spot) or 0
    value = worth(state.setup.pack, spot.lane)
    return _ask("sell", state.turn, state, 0, seat=Seat(state.turn), good=good_word(good), value=value)


def _ask(kind: str, awaited: SeatId, state: State, left: int, /, **facts: Fact) -> Decision:
    return Decision(kind, (awaited,), f"{state.turns}.{left}", say("", **facts).facts)


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
    """Each known piece and where it should lie; what nobody knows is left out."""
    return tuple(lies for lies in _lies(state) if lies.piece != UNKNOWN)


def _lies(state: State) -> Iterator[Lies]:
    for number, column in enumerate(state.columns, 1):
        yield from (Lies(laid.card, PlaceId(f"lane/{number}/{laid.top}"), "up") for laid in column)
    yield from (Lies(card, PlaceId("deck"), "down") for card in state.deck)
    for seat in range(SEATS_AT_MOST):
        yield Lies(pawn_of(seat), _stands(state, spot_of(state, SeatId(seat))), "up")


def _stands(state: State, spot: Spot) -> PlaceId:
    if spot.column > len(state.columns):
        return market_place(spot.lane)
    return stop_place(spot.column, spot.lane) if spot.column else PlaceId("box")
