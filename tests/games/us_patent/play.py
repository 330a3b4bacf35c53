"""Positions of U.S. Patent Number One, written in a line, and what people then do. Ada, Ben, Cleo: seats 0, 1, 2."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core import (
    NOBODY,
    TABLE,
    Accepted,
    Deck,
    Event,
    Hidden,
    Intent,
    PieceId,
    PlaceId,
    Refusal,
    Refused,
    SeatId,
    Setup,
    judge,
    legal,
    mask,
)
from companion.games.us_patent import GAME
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import (
    BOARDS,
    NO_NUMBER,
    SLOTS,
    Acting,
    ByText,
    Ending,
    Machine,
    Pack,
    State,
    Step,
    Upgrade,
    board_place,
    with_machine,
)
from companion.games.us_patent.state.vocabulary import AnyEffect

ADA, BEN, CLEO, DAN = SeatId(0), SeatId(1), SeatId(2), SeatId(3)
FOLDER = Path(__file__).parents[3] / "companion" / "games" / "us_patent"
INVENTORS = (
    "quill-1814",
    "lampwright-1857",
    "velocipedist-1889",
    "aviatrix-1926",
    "astronaut-1969",
    "tidekeeper-2031",
    "archivist-2104",
    "last-heir-2168",
)


def shipped_pack() -> Pack:
    tables = [tomllib.loads(path.read_text("utf-8")) for path in sorted((FOLDER / "pack").glob("*.toml"))]
    merged: dict[str, Any] = {key: value for table in tables for key, value in table.items() if key != "author"}
    return msgspec.convert(merged, Pack)


CLERK = shipped_pack()
PLAIN = replace(CLERK, upgrades=tuple(replace(card, effects=()) for card in CLERK.upgrades))
"""The same cards without their texts, so that a test sees one effect at a time."""


def pack_with(effects: Mapping[str, tuple[AnyEffect, ...]]) -> Pack:
    return _pack_with(tuple(sorted(effects.items(), key=lambda item: item[0]))) if effects else PLAIN


@cache
def _pack_with(effects: tuple[tuple[str, tuple[AnyEffect, ...]], ...]) -> Pack:
    texts = dict(effects)
    return replace(PLAIN, upgrades=tuple(_printed(card, texts.get(card.id, ())) for card in PLAIN.upgrades))


def _printed(card: Upgrade, effects: tuple[AnyEffect, ...]) -> Upgrade:
    """The card with these effects, and with a text if one of them is free text."""
    by_text = any(isinstance(effect, ByText) for effect in effects)
    return replace(card, effects=effects, text="Swap two pawns." if by_text else "")


Options = Mapping[str, str]


def setup_for(seats: int, pack: Pack = CLERK, **options: str) -> Setup[Pack]:
    """Every option as named, the others by default."""
    return setup_with(seats, pack, options)


def setup_with(seats: int, pack: Pack, options: Options) -> Setup[Pack]:
    chosen = tuple((option.name, options.get(option.name, option.choices[0])) for option in GAME.options)
    return Setup(GAME.id, GAME.version, seats, chosen, pack)


def piece(name: str) -> PieceId:
    return PieceId(name)


@cache
def slot_of(name: str) -> int:
    return next(SLOTS.index(card.slot) for card in CLERK.upgrades if card.id == name)


def machine(cards: str = "", at: str = "4/market", gold: int = 5, number: int = NO_NUMBER, card: str = "") -> Machine:
    """`cards` are ids; `-` before one says that it is disabled."""
    ids, works = [PieceId("")] * 4, [False] * 4
    for word in cards.split():
        name = word.removeprefix("-")
        ids[slot_of(name)], works[slot_of(name)] = PieceId(name), not word.startswith("-")
    return Machine(PieceId(card), PlaceId(at), gold, number, tuple(ids), tuple(works))


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

    def why(self, intent: Intent) -> tuple[str, str]:
        refusal = self.no(intent)
        return refusal.rule, refusal.key

    def rolls(self, *numbers: int) -> Table:
        """The dice that are due, one after the other."""
        for number in numbers:
            due = {"move-die": i.MoveRolled, "number-die": i.NumberRolled, "attack-dice": i.AttackRolled}
            self.do(due.get(self.awaits()[0], i.DefenceRolled)(TABLE, number))
        return self

    def goes(self, seat: SeatId, space: str) -> Table:
        return self.do(go(seat, space))

    def legal(self, seat: SeatId) -> tuple[Intent, ...]:
        return legal(GAME, self.now, seat)

    def may(self, kind: type[Intent], seat: SeatId = ADA) -> list[Any]:
        return [intent for intent in self.legal(seat) if type(intent) is kind]

    def view(self, audience: SeatId) -> State:
        return mask(self.now, audience)

    def awaits(self) -> tuple[str, tuple[SeatId, ...]]:
        top = GAME.decisions(self.now)[-1]
        return top.kind, top.seats

    def works(self, seat: SeatId) -> set[str]:
        return set(self.now.machines[seat].working())

    def down(self, seat: SeatId) -> set[str]:
        return set(self.now.machines[seat].disabled())

    def happened(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]


def go(seat: SeatId, space: str) -> i.Go:
    return i.Go(seat, board_place(int(space[0])), PlaceId(space))


def in_lab(seat: SeatId, board: int) -> i.PlaceInLab:
    return i.PlaceInLab(seat, PlaceId(f"{board}/lab"))


def in_market(seat: SeatId, board: int) -> i.PlaceInMarket:
    return i.PlaceInMarket(seat, PlaceId(f"{board}/market"))


def laid(
    *machines: Machine,
    markets: str = "",
    labs: str = "",
    junkyard: str = "",
    deck: str | None = None,
    effects: Mapping[str, tuple[AnyEffect, ...]] | None = None,
    pack: Pack | None = None,
    turn: SeatId = ADA,
    steps: tuple[Step, ...] | None = None,
    advise: bool = False,
    **options: str,
) -> Table:
    """Ada's Action is open. Cards without a text of their own in `effects` have none.

    Market and Lab cards lie in their own period; `deck` names its cards, all others by default.
    """
    filled = (*machines, *(machine(at="1/lab") for _ in range(3 - len(machines))))
    named = tuple(replace(m, card=PieceId(INVENTORS[at])) for at, m in enumerate(filled))
    chosen = pack or pack_with(effects or {})
    period = {card.id: card.period for card in chosen.upgrades}
    lying = {*markets.split(), *labs.split(), *junkyard.split(), *(c for m in named for c in m.attached())}
    unseen = deck.split() if deck is not None else [c for c in period if c not in lying]
    state = State(
        machines=tuple(Machine() for _ in named),
        deck=Deck((), tuple(sorted(PieceId(c) for c in unseen))),
        markets=tuple(tuple(PieceId(c) for c in sorted(markets.split()) if period[c] == b) for b in range(BOARDS)),
        labs=tuple(tuple(Hidden(PieceId(c), NOBODY) for c in labs.split() if period[c] == b) for b in range(BOARDS)),
        junkyard=tuple(sorted(PieceId(c) for c in junkyard.split())),
        looks=tuple(Hidden((), (SeatId(s),)) for s in range(len(named))),
        turn=turn,
        first=ADA,
        round=3,
        turns=7,
        used=(),
        short=(),
        winner=TABLE,
        steps=steps if steps is not None else (Ending(turn), Acting(turn)),
        setup=setup_for(len(named), chosen, **options),
    )
    for seat, own in enumerate(named):
        state = with_machine(state, SeatId(seat), own)
    return Table(state, advise=advise)


def drawn(seats: int, *names: str, pack: Pack = CLERK, **options: str) -> Table:
    """A game just begun with these Time Machines."""
    table = Table(GAME.start(setup_for(seats, pack, **options)))
    for name in names:
        table.do(i.DrewMachine(TABLE, PieceId(name)))
    return table


def playout(
    seats: int, seed: int, steps: int, options: Options | None = None, *, pack: Pack = CLERK
) -> Iterator[tuple[State, Intent, State]]:
    """Random legal play: before, intent, after. Ends early with the game. Wandering is rarer than doing."""
    chance, now = random.Random(seed), GAME.start(setup_with(seats, pack, options or {}))
    for _ in range(steps):
        asked = GAME.decisions(now)
        if not asked:
            return
        seat = asked[-1].seats[0]
        intents = legal(GAME, now, seat)
        assert intents, f"a dead end: {asked}"
        keen = [n for n in intents if not isinstance(n, i.EndTurn | i.MoveAgain | i.TakeGold | i.Stay | i.LeapTo)]
        intent = chance.choice(keen or intents) if chance.random() < 0.8 else chance.choice(intents)
        verdict = judge(GAME, now, intent)
        assert isinstance(verdict, Accepted), verdict
        yield now, intent, verdict.after
        now = verdict.after


def everywhere(state: State) -> list[PieceId]:
    """Every card and pawn in a state, wherever it lies."""
    return [lies.piece for lies in GAME.layout(state)]
