"""Last Coin: take one or two coins from a heap of four; whoever takes the last one wins.

As small as a game can be. It has no pieces, options, corrections, chance or secrets, two seats, at most four acts,
a set-up that isn't the last field of its state, facts that aren't given by keyword, and a pack without an id.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core import (
    Decision,
    Event,
    Facts,
    Game,
    GameId,
    Intent,
    Line,
    Public,
    Result,
    Rule,
    RuleId,
    Seat,
    SeatId,
    Setup,
    Static,
    Verb,
    say,
    usual,
)


class Pack(Struct, frozen=True):
    coins: int


class State(Struct, frozen=True, kw_only=True):
    setup: Static[Setup[Pack]] = Setup(GameId("last-coin"), 1, 0, (), Pack(0))
    heap: Public[int]
    turn: Public[SeatId]
    taken: Public[tuple[int, ...]] = (0, 0)


class Take(Intent, frozen=True):
    number: int


class Taken(Event, frozen=True):
    seat: Public[SeatId]
    number: Public[int]


def decisions(state: State) -> tuple[Decision, ...]:
    return (Decision("turn", (state.turn,), str(state.heap)),) if state.heap else ()


def apply(state: State, event: Taken) -> State:
    taken = tuple(n + event.number * (seat == event.seat) for seat, n in enumerate(state.taken))
    return replace(state, heap=state.heap - event.number, turn=SeatId(1 - event.seat), taken=taken)


def too_many(state: State, intent: Take) -> Facts | None:
    return None if 1 <= intent.number <= min(2, state.heap) else (("heap", state.heap),)


def result(state: State) -> Result | None:
    winner = SeatId(1 - state.turn)
    return None if state.heap else Result((winner,), say("result.won", seat=Seat(winner)))


TAKE: Verb[State, Take] = Verb(
    Take, (usual.running("L2", decisions), usual.your_turn("L1", decisions)),
    lambda s, a: (Take(a, 1),), (Rule(RuleId("L1"), "so-many", too_many),), lambda s, i: (Taken(i.actor, i.number),),
    span=lambda s, i: (1, min(2, s.heap)),
)  # fmt: skip


def series(state: State) -> tuple[Line, ...]:
    return (Line("series.coins", state.taken),)


def layout(_state: State) -> tuple[Any, ...]:
    return ()


GAME: Game[State, Pack] = Game(
    id=GameId("last-coin"), version=1, seats=(2, 2), rules=("L1", "L2"), pack=Pack, state=State, event=Taken,
    verbs=(TAKE,), start=lambda setup: State(heap=setup.pack.coins, turn=SeatId(0), setup=setup), decisions=decisions,
    apply=apply, result=result, layout=layout, pieces=lambda _: (), describe=lambda _, piece: say("piece.unknown"),
    place=usual.place, headline=usual.headline(decisions), status=usual.status(layout, series),
    picture=usual.picture(layout), series=series,
)  # fmt: skip
