"""Positions of ActionWorks, written in a line, and what people then do. Ada, Ben, Cleo … are seats 0, 1, 2 …"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.core import (
    NOBODY,
    TABLE,
    Accepted,
    Deck,
    Event,
    Hidden,
    Intent,
    PieceId,
    Refusal,
    Refused,
    SeatId,
    Setup,
    judge,
    legal,
    mask,
)
from companion.games.actionworks import GAME
from companion.games.actionworks.rules.intents import Drew, EndTurn, Play
from companion.games.actionworks.state import TYPES, Pack, State, Step, Turn, demand_for, kind_of, parts_in

ADA, BEN, CLEO, DAN = SeatId(0), SeatId(1), SeatId(2), SeatId(3)
FOLDER = Path(__file__).parents[3] / "companion" / "games" / "actionworks"


def shipped_pack() -> Pack:
    tables = [tomllib.loads(path.read_text("utf-8")) for path in sorted((FOLDER / "pack").glob("*.toml"))]
    merged: dict[str, Any] = {key: value for table in tables for key, value in table.items() if key != "author"}
    return msgspec.convert(merged, Pack)


PACK = shipped_pack()


def setup_for(seats: int, new_type: str = "every-round", pack: Pack = PACK) -> Setup[Pack]:
    return Setup(GAME.id, GAME.version, seats, (("new_type", new_type),), pack)


def card(name: str) -> PieceId:
    return PieceId(name)


def cards(names: str) -> tuple[PieceId, ...]:
    return tuple(PieceId(name) for name in names.split())


class Table:
    """A game at one moment. `do` must be accepted, `no` must be refused; both return the result."""

    def __init__(self, state: State, *, advise: bool = False) -> None:
        self.now = state
        self.advise = advise
        self.events: tuple[Event, ...] = ()

    def do(self, *intents: Intent) -> Table:
        for intent in intents:
            verdict = judge(GAME, self.now, intent, advise=self.advise)
            assert isinstance(verdict, Accepted), verdict
            self.now, self.events = verdict.after, verdict.events
        return self

    def no(self, intent: Intent) -> Refusal:
        verdict = judge(GAME, self.now, intent, advise=self.advise)
        assert isinstance(verdict, Refused), verdict
        return verdict.refusals[0]

    def draws(self, *names: str) -> Table:
        return self.do(*(Drew(TABLE, PieceId(name)) for name in names))

    def plays(self, seat: SeatId, name: str) -> Table:
        return self.do(Play(seat, PieceId(name)))

    def ends(self, seat: SeatId) -> Table:
        return self.do(EndTurn(seat))

    def legal(self, seat: SeatId) -> tuple[Intent, ...]:
        return legal(GAME, self.now, seat)

    def hand(self, seat: SeatId) -> set[str]:
        return set(self.now.hands[seat].value)

    def pile(self, seat: SeatId) -> set[str]:
        return set(self.now.piles[seat].value)

    def view(self, audience: SeatId) -> State:
        return mask(self.now, audience)

    def awaits(self) -> tuple[str, tuple[SeatId, ...]]:
        top = GAME.decisions(self.now)[-1]
        return top.kind, top.seats

    def happened(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


def laid(
    *hands: str,
    bench: str = "",
    heap: str = "",
    deck: str | None = None,
    known: tuple[tuple[str, SeatId], ...] = (),
    demands: tuple[str, ...] = ("make", "take", "borrow", "plan", "scrap", "copy"),
    types: int = 6,
    turn: SeatId = ADA,
    totals: tuple[int, ...] | None = None,
    steps: tuple[Step, ...] = (Turn(),),
    new_type: str = "every-round",
    advise: bool = False,
) -> Table:
    """A turn in the middle of a round. `deck` names its unseen cards, all others of the types by default."""
    seats = len(hands)
    lying = [*(c for hand in hands for c in cards(hand)), *cards(bench), *cards(heap), *(c for c, _ in known)]
    in_use = parts_in(PACK, TYPES[:types])
    assert all(c in in_use for c in lying), f"not in the pack: {[c for c in lying if c not in in_use]}"
    unseen = cards(deck) if deck is not None else tuple(c for c in in_use if c not in lying)
    state = State(
        round=types - 2,
        types=types,
        first=ADA,
        turn=turn,
        turns=0,
        totals=totals or (0,) * seats,
        demands=tuple(
            tuple(demand_for(kind) for kind in TYPES if kind in wanted.split()) for wanted in demands[:seats]
        ),
        bench=cards(bench),
        heap=cards(heap)[-1:],
        under=cards(heap)[:-1],
        deck=Deck(tuple(Hidden(PieceId(c), (s,)) for c, s in known), tuple(sorted(unseen))),
        hands=tuple(Hidden(tuple(sorted(cards(hand))), (SeatId(s),)) for s, hand in enumerate(hands)),
        piles=tuple(Hidden((), NOBODY) for _ in hands),
        steps=steps,
        setup=setup_for(seats, new_type),
    )
    return Table(state, advise=advise)


def dealt(seats: int, seed: int = 0, **setup: Any) -> Table:
    """A game just begun: first player named, everything dealt, the first turn open."""
    table, chance = Table(GAME.start(setup_for(seats, **setup))), random.Random(seed)
    while table.awaits()[1] == (TABLE,):
        table.do(chance.choice(table.legal(TABLE)))
    return table


def playout(
    seats: int, seed: int, steps: int, *, new_type: str = "every-round"
) -> Iterator[tuple[State, Intent, State]]:
    """Random legal play: before, intent, after. Ends early with the game."""
    chance, now = random.Random(seed), GAME.start(setup_for(seats, new_type))
    for _ in range(steps):
        asked = GAME.decisions(now)
        if not asked:
            return
        seat = chance.choice(asked[-1].seats)
        intents = legal(GAME, now, seat)
        assert intents, f"a dead end: {asked}"
        intent = chance.choice(intents)
        verdict = judge(GAME, now, intent)
        assert isinstance(verdict, Accepted), verdict
        yield now, intent, verdict.after
        now = verdict.after


def everywhere(state: State) -> list[PieceId]:
    """Every Part and Demand in a state, wherever it lies, including the box."""
    return [lies.piece for lies in GAME.layout(state)]


def kinds(names: tuple[PieceId, ...]) -> list[str]:
    return [kind_of(name) or "?" for name in names]
