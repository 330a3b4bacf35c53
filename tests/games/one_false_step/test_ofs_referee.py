"""Two referees, one table: the second, with its own map and search, allows exactly what is listed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.core import TABLE, Game, Intent, PieceId, Refused, RuleId, SeatId, argument_kinds, judge, legal, verb_of
from companion.games.one_false_step import GAME
from companion.games.one_false_step.rules.intents import LayBoard, LiftBoard, MakeMap, SetLevel, TurnBoard, UseLayout
from companion.games.one_false_step.state import (
    State,
    active,
    bits,
    county,
    income,
    rocket_cards,
    score,
    support,
    within_reach,
)
from companion.games.one_false_step.state.state import NO_SETUP
from tests.games.one_false_step.naive import Naive, broken
from tests.games.one_false_step.naive import legal as is_allowed
from tests.games.one_false_step.play import PACK, midgame, numbers, playout

SEATS, SEEDS = st.integers(3, 6), st.integers(0, 2**32)
LAYS = (LayBoard, TurnBoard, LiftBoard, UseLayout, MakeMap)
SETUPS: dict[int, Any] = {}


def plainly(state: State) -> tuple[Any, Any]:
    """Set-up and state as the second referee reads them."""
    pack = SETUPS.setdefault(id(state.setup.pack), msgspec.to_builtins(state.setup.pack))
    setup = {"seats": state.setup.seats, "options": state.setup.options, "pack": pack}
    return setup, msgspec.to_builtins(replace(state, setup=NO_SETUP))


def second(state: State) -> Naive:
    return Naive(*plainly(state))


def everything(state: State, seat: SeatId) -> set[Intent]:
    """Everything a seat could wish for with what lies on the table, each with the lowest possible number."""
    step = state.steps[-1]
    bids = {open_seat.number for open_seat in state.open_seats} | {getattr(step, "high", 0)}
    found: dict[str, list[Any]] = {
        "card": [card for other in range(len(state.red)) for card in rocket_cards(SeatId(other))],
        "city": [*(held.city for held in state.owned), *(open_seat.city for open_seat in state.open_seats)],
        "to": [held.city for held in state.owned],
        "claim": list(county(PACK, state.laid).claims if state.claims else ()),
        "seat": list(range(len(state.red))),
        "number": [*(bid + 1 for bid in bids), *range(getattr(step, "left", 0) + 1)],
    }
    verbs = [verb for verb in GAME.verbs if not verb.chance and verb.intent not in LAYS]
    return {
        verb.intent(seat, *arguments)
        for verb in verbs
        for arguments in product(*(found[name] for name, _ in argument_kinds(verb.intent)))
    }


def disagreements(seats: int, seed: int, steps: int, stride: int, **setup: Any) -> list[str]:
    """Where the two referees differ about what is allowed, earned and scored, once every `stride` acts."""
    found = []
    start = None if setup else midgame(seats, seed)
    for before, _, _ in islice(playout(seats, seed, steps, start=start, **setup), seed % stride, None, stride):
        at, naive = plainly(before), second(before)
        for seat in {SeatId(seed % seats), *GAME.decisions(before)[-1].seats} - {TABLE}:
            listed = [intent for intent in legal(GAME, before, seat) if type(intent) not in LAYS]
            edges = [edge for intent in listed for edge in numbers(verb_of(GAME, intent), before, intent)]
            for wish in {*everything(before, seat), *edges}:
                is_listed = any(_like(before, wish, other) for other in listed if type(other) is type(wish))
                if is_allowed(*at, msgspec.to_builtins(wish)) != is_listed:
                    found.append(f"{before.steps}: {wish}")
        for seat in (SeatId(s) for s in range(seats)):
            if before.claims and (score(before, seat), income(before, seat)) != (naive.score(seat), naive.income(seat)):
                found.append(f"the books of {seat}")
    return found


def _like(state: State, wish: Intent, listed: Intent) -> bool:
    """The same wish, with any number in its span."""
    verb = verb_of(GAME, listed)
    if verb.span is None:
        return wish == listed
    low, high = verb.span(state, listed)
    return replace(listed, number=wish.number) == wish and low <= wish.number <= high  # type: ignore[attr-defined]


def untrue(game: Game[State, Any], state: State, wish: Intent) -> list[str]:
    """Reasons, the first or a later one, that the second referee doesn't give."""
    verdict = judge(game, state, wish)
    told = verdict.refusals if isinstance(verdict, Refused) else ()
    known = {rule for _, rule in broken(*plainly(state), msgspec.to_builtins(wish))}
    return [refusal.key for refusal in told if refusal.rule not in known]


def some_wishes(state: State, chance: random.Random) -> Iterator[Intent]:
    """For every verb something that a hand could mean, and something with any number."""
    for verb in (*GAME.verbs, *GAME.corrections):
        seat = TABLE if verb.chance else SeatId(chance.randrange(len(state.red)))
        thought_of = list(islice((verb.thinkable or verb.arguments)(state, seat), 200))
        if thought_of:
            wish = chance.choice(thought_of)
            kinds = argument_kinds(type(wish))
            yield wish
            if kinds and kinds[-1][1] == "number":
                yield replace(wish, number=chance.choice((-1, 0, 5, 20, 200)))


@pytest.mark.slow
@settings(max_examples=12)
@given(SEATS, SEEDS)
def test_every_reason_on_the_list_is_true_not_only_the_first(seats: int, seed: int) -> None:
    chance = random.Random(seed)
    for before, _, _ in islice(playout(seats, seed, 120, start=midgame(seats, seed)), seed % 8, None, 8):
        for wish in some_wishes(before, chance):
            assert untrue(GAME, before, wish) == [], wish


def test_a_rule_with_the_wrong_number_is_noticed() -> None:
    """The control: the span of a level as it was, with the number of the rule about chips."""
    old = next(verb for verb in GAME.corrections if verb.intent is SetLevel)
    rules = tuple(replace(rule, id=RuleId("F37")) if rule.key == "in-span" else rule for rule in old.rules)
    others = tuple(verb for verb in GAME.corrections if verb is not old)
    game = replace(GAME, corrections=(*others, replace(old, rules=rules)))
    state, wish = midgame(3, 3), SetLevel(SeatId(0), PieceId("fuel-1"), 11)
    assert (untrue(GAME, state, wish), untrue(game, state, wish)) == ([], ["in-span"])


@pytest.mark.slow
@settings(max_examples=12)
@given(SEATS, SEEDS)
def test_the_second_referee_agrees(seats: int, seed: int) -> None:
    assert disagreements(seats, seed, 80, 10) == []


@pytest.mark.parametrize("setup", [{"population": "on"}, {"rocket_table": "printed"}])
def test_the_second_referee_agrees_about_options(setup: dict[str, str]) -> None:
    assert disagreements(4, 5, 900, 15, **setup) == []


def random_claims(seats: int, seed: int) -> State:
    """A map with random owners: more tangled than in play."""
    chance, state = random.Random(seed), midgame(seats, seed % 50)
    owners = [SeatId(chance.randint(-1, seats - 1)) for _ in state.claims]
    return replace(state, claims=tuple(owners))


def connections_differ(state: State) -> bool:
    naive, where = second(state), county(state.setup.pack, state.laid)
    for seat in (SeatId(s) for s in range(len(state.red))):
        for city in where.cities:
            ours = {where.claims[at] for at in bits(within_reach(state, seat, city))}
            if ours != naive.connected(seat, city):
                return True
    for at, owner in enumerate(state.claims):
        if owner >= 0:
            towns = naive.supported_by(where.claims[at])
            strongest = max((h.counters for h in active(state, owner) if h.city in towns), default=None)
            if support(state, at) != strongest:
                return True
    return False


@pytest.mark.rule("F13", "F.ac", "F.g")
@settings(max_examples=60)
@given(SEATS, st.integers(0, 10**6))
def test_an_independent_search_finds_the_same_connections(seats: int, seed: int) -> None:
    assert not connections_differ(random_claims(seats, seed))


class Leaky(Naive):
    """The control: one that walks through cities."""

    def connected(self, seat: int, city: str) -> set[str]:
        found: set[str] = set()
        walk = [city]
        seen = {city}
        while walk:
            for node in self.links[walk.pop()]:
                if node in seen:
                    continue
                seen.add(node)
                if node in self.owner:
                    found.add(node)
                if node not in self.owner or self.owner[node] == seat:
                    walk.append(node)
        return found


def test_a_search_that_goes_through_cities_would_be_caught() -> None:
    state = random_claims(4, 3)
    where = county(PACK, state.laid)
    leaky, strict = Leaky(*plainly(state)), second(state)
    assert any(leaky.connected(0, c) != strict.connected(0, c) for c in where.cities)


def test_a_referee_who_goes_through_cities_would_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Naive, "connected", Leaky.connected)
    assert disagreements(4, 5, 80, 5) != []
