"""Positions of One False Step, written in a line, and what people then do. Ada, Ben, Cleo … are seats 0, 1, 2 …"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core import (
    TABLE,
    Accepted,
    Deck,
    Event,
    Intent,
    PieceId,
    PlaceId,
    Refusal,
    Refused,
    SeatId,
    Setup,
    Verb,
    deck_of,
    judge,
    legal,
    mask,
)
from companion.games.one_false_step import GAME
from companion.games.one_false_step.bot import choose
from companion.games.one_false_step.state import (
    Board,
    Claim,
    Holding,
    Joint,
    Laid,
    Monday,
    Pack,
    State,
    Step,
    Town,
    city_cards,
    county,
    score,
)
from companion.games.one_false_step.state.parts import Words

ADA, BEN, CLEO, DAN = SeatId(0), SeatId(1), SeatId(2), SeatId(3)
NOBODY = SeatId(-1)
FOLDER = Path(__file__).parents[3] / "companion" / "games" / "one_false_step"


def shipped_pack() -> Pack:
    tables = [tomllib.loads(path.read_text("utf-8")) for path in sorted((FOLDER / "pack").glob("*.toml"))]
    merged: dict[str, Any] = {key: value for table in tables for key, value in table.items() if key != "author"}
    return msgspec.convert(merged, Pack)


PACK = shipped_pack()


def _valley() -> Pack:
    """A small county in one row, easy to think about.

    Board 1: alba - a - b - brio, and c hangs on b. Board 2: cima - a, and b only on a. Boards 3 to 5 have a town each.
    alba and brio are on board 1; the lines a(1) … do not reach board 2 but through joint e1 of c.
    """
    town = Town
    one = Board(
        1,
        (
            town("alba", "Alba", 10, 50, 3000, 3, 1, True),
            town("brio", "Brio", 90, 50, 2011, 2, 2, True),
        ),
        (Claim("a", "farm", 30, 50), Claim("b", "mine", 60, 50), Claim("c", "farm", 60, 80)),
        (("alba", "a"), ("a", "b"), ("b", "brio"), ("b", "c")),
        (Joint("e1", "c"),),
    )
    two = Board(
        2,
        (town("cima", "Cima", 50, 20, 4000, 1, 0, True),),
        (Claim("a", "mine", 50, 50), Claim("b", "farm", 50, 80)),
        (("cima", "a"), ("a", "b")),
        (Joint("w1", "a"),),
    )
    rest = tuple(
        Board(
            n,
            (town(name, name.title(), 50, 50, 900 * n, red, green, star),),
            (Claim("a", "farm", 50, 80),),
            ((name, "a"),),
            (),
        )
        for n, name, red, green, star in ((3, "dora", 4, 3, True), (4, "enno", 9, 1, False), (5, "fano", 2, 0, False))
    )
    return Pack("valley", Words("Valley", "Vallée"), Words("A test.", "Un essai."), (one, two, *rest))


VALLEY = _valley()
ROW = tuple(Laid(n, n - 1, 0) for n in range(1, 6))


def setup_for(seats: int, rocket_table: str = "corrected", population: str = "off", pack: Pack = PACK) -> Setup[Pack]:
    return Setup(GAME.id, GAME.version, seats, (("rocket_table", rocket_table), ("population", population)), pack)


def city(name: str) -> PieceId:
    return PieceId(name)


def at(name: str) -> PlaceId:
    """`farm 1a` → the place of that claim."""
    kind, _, rest = name.partition(" ")
    return PlaceId(f"{kind}/{rest[:-1]}-{rest[-1]}")


def own(name: str, seat: SeatId = ADA, **held: int) -> Holding:
    return Holding(PieceId(name), seat, **held)


class Table:
    """A game at one moment. `do` must be accepted, `no` must be refused; both return the result."""

    def __init__(self, state: State, *, advise: bool = False) -> None:
        self.now = state
        self.advise = advise
        self.events: tuple[Event, ...] = ()
        self.marks: tuple[str, ...] = ()

    def do(self, *intents: Intent) -> Table:
        for intent in intents:
            verdict = judge(GAME, self.now, intent, advise=self.advise)
            assert isinstance(verdict, Accepted), verdict
            self.now, self.events, self.marks = verdict.after, verdict.events, verdict.marks
        return self

    def no(self, intent: Intent) -> Refusal:
        verdict = judge(GAME, self.now, intent, advise=self.advise)
        assert isinstance(verdict, Refused), verdict
        return verdict.refusals[0]

    def may(self, intent: Intent) -> bool:
        return isinstance(judge(GAME, self.now, intent), Accepted)

    def legal(self, seat: SeatId, *kinds: type[Intent]) -> tuple[Intent, ...]:
        return tuple(i for i in legal(GAME, self.now, seat) if not kinds or isinstance(i, kinds))

    def view(self, audience: SeatId) -> State:
        return mask(self.now, audience)

    def awaits(self) -> tuple[str, tuple[SeatId, ...]]:
        top = GAME.decisions(self.now)[-1]
        return top.kind, top.seats

    def happened(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def score(self, seat: SeatId) -> int:
        return score(self.now, seat)

    def held(self, name: str) -> Holding:
        return next(h for h in self.now.owned if h.city == name)

    def owner(self, name: str) -> SeatId:
        where = county(self.now.setup.pack, self.now.laid)
        return self.now.claims[where.claim_at[at(name)]]


def laid(
    *owned: Holding,
    claims: dict[str, SeatId] | None = None,
    steps: tuple[Step, ...] = (Monday(ADA),),
    seats: int = 3,
    red: tuple[int, ...] = (),
    food: tuple[int, ...] = (),
    gold: tuple[int, ...] = (),
    levels: tuple[tuple[int, ...], ...] = (),
    know_how: tuple[SeatId, ...] = (NOBODY,) * 3,
    crew: tuple[int, ...] = (),
    deck: str | None = None,
    button: SeatId = ADA,
    rocket_table: str = "corrected",
    population: str = "off",
    advise: bool = False,
    day: str = "monday",
    pack: Pack = VALLEY,
) -> Table:
    """A moment in the valley: five small boards in a row. `deck` names its unseen cards, by default all not owned."""
    where = county(VALLEY, ROW)
    mine = {h.city for h in owned}
    sold = {getattr(step, "city", "") for step in steps}
    unseen = tuple(c for c in where.cities if c not in mine | sold)
    unseen = tuple(PieceId(c) for c in deck.split()) if deck is not None else unseen
    gone = tuple(sorted(c for c in city_cards(VALLEY) if c not in mine | sold and c not in unseen))
    owners = {at(name): seat for name, seat in (claims or {}).items()}
    red, food, gold = red or (10,) * seats, food or (4,) * seats, gold or (0,) * seats
    bank = (
        20 * seats - sum(red) - sum(h.chips for h in owned),
        4 * seats - sum(food),
        -sum(gold),
    )
    state = replace(
        GAME.start(setup_for(seats, rocket_table, population, pack)),
        week=1,
        day=day,
        button=button,
        red=red,
        food=food,
        gold=gold,
        bank=bank,
        levels=levels or ((1, 1, 1),) * seats,
        know_how=know_how,
        crew=crew or (0,) * seats,
        laid=ROW,
        claims=tuple(owners.get(claim, NOBODY) for claim in where.claims),
        owned=owned,
        gone=gone,
        deck=deck_of(unseen) if unseen else Deck((), ()),
        steps=steps,
    )
    return Table(state, advise=advise)


def opened(seats: int, seed: int = 0, **setup: Any) -> Table:
    """The starting auction just begun on a suggested layout."""
    from companion.games.one_false_step.rules.intents import MakeMap, UseLayout

    table, chance = Table(GAME.start(setup_for(seats, **setup))), random.Random(seed)
    table.do(UseLayout(ADA, 1), MakeMap(ADA))
    while table.awaits()[1] == (TABLE,):
        table.do(chance.choice(table.legal(TABLE)))
    return table


def playout(
    seats: int, seed: int, steps: int, *, start: State | None = None, **setup: Any
) -> Iterator[tuple[State, Intent, State]]:
    """Random legal play: before, intent, after. Days go on: most acts answer the day, a few are trades."""
    chance, now = random.Random(seed), start or GAME.start(setup_for(seats, **setup))
    for _ in range(steps):
        asked = GAME.decisions(now)
        if not asked:
            return
        awaited = asked[-1].seats
        seat = chance.choice(awaited if awaited == (TABLE,) or chance.random() < 0.9 else range(seats))
        intents = legal(GAME, now, SeatId(seat))
        if not intents and seat in awaited:
            raise AssertionError(f"a dead end: {asked}")
        if not intents:
            continue
        kinds = sorted({type(i).__name__ for i in intents})
        kind = chance.choice(kinds)
        intent = spread(now, chance.choice([i for i in intents if type(i).__name__ == kind]), chance)
        verdict = judge(GAME, now, intent)
        assert isinstance(verdict, Accepted), verdict
        yield now, intent, verdict.after
        now = verdict.after


def spread(state: State, intent: Intent, chance: random.Random) -> Intent:
    """The intent with any number in its span."""
    verb = next(v for v in GAME.verbs if v.intent is type(intent))
    if verb.span is None:
        return intent
    low, high = verb.span(state, intent)
    return replace(intent, number=chance.randint(low, high))


def everywhere(state: State) -> list[PieceId]:
    """Every piece in a state, wherever it lies, including the box."""
    return [lies.piece for lies in GAME.layout(state)]


def chips_in(state: State) -> tuple[int, int, int]:
    """All red, Food and Gold: held, lying on cities, bid, and in the Bank."""
    red = sum(state.red) + sum(h.chips for h in state.owned) + sum(s.number for s in state.open_seats)
    return red + state.bank[0], sum(state.food) + state.bank[1], sum(state.gold) + state.bank[2]


def bot_game(seats: int, seed: int, weeks: int = 99, **setup: Any) -> tuple[State, int]:
    chance, now, steps = random.Random(seed), GAME.start(setup_for(seats, **setup)), 0
    while (asked := GAME.decisions(now)) and now.week < weeks:
        seat = asked[-1].seats[0]
        may = legal(GAME, now, seat)
        if seat == TABLE:
            intent = chance.choices(may, [GAME.weight(now, i) for i in may])[0]
        else:
            view = mask(now, seat)
            intent = choose(view, seat, legal(GAME, view, seat), chance.randrange(1000))
        verdict = judge(GAME, now, intent)
        assert isinstance(verdict, Accepted), verdict
        now, steps = verdict.after, steps + 1
        assert steps < 9000, f"seats {seats}, seed {seed}: the bots never finish"
    return now, steps


@lru_cache(256)
def midgame(seats: int, seed: int) -> State:
    """The map made, the auction done and some weeks played by sensible players."""
    return bot_game(seats, seed, weeks=1 + seed % 7)[0]


def numbers(verb: Verb[State, Intent], state: State, intent: Intent) -> list[Intent]:
    """The intent with its lowest and highest number, and with those just outside."""
    if verb.span is None:
        return [intent]
    low, high = verb.span(state, intent)
    return [replace(intent, number=n) for n in (low - 1, low, high, high + 1)]
