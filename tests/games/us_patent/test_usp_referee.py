"""The naive second referee agrees with the rules on random positions, legal and wild wishes, and on why not."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.kit.kit import plain
from companion.core import TABLE, Accepted, Basis, Intent, Rule, SeatId, argument_kinds, judge
from companion.games.us_patent import GAME
from companion.games.us_patent.rules import intents as i
from companion.games.us_patent.state import (
    BOARDS,
    CHASSIS,
    PLANT,
    SLOTS,
    Acting,
    ByText,
    Ending,
    Going,
    Leap,
    Pack,
    Ranged,
    State,
    pieces,
)
from companion.games.us_patent.state.cards import SHIELD, WEAPON
from companion.games.us_patent.state.vocabulary import AnyEffect, Hold, Muffle
from tests.games.us_patent import naive
from tests.games.us_patent.play import ADA, BEN, CLERK, go, laid, machine, piece, playout

ORDER = ("over", "turn", "settling", "step", "place", "thing", "price")
PIECES = pieces(CLERK)
PLACES = (*(space.id for space in CLERK.spaces), *(f"board/{b}" for b in range(BOARDS)), "deck", "nowhere")
OPTIONS = tuple(
    {"win": win, "margin": margin, "easier": easier, "lab_memory": memory}
    for win, margin, easier, memory in (
        ("end-of-turn", "choose", "by-seats", "off"),
        ("action", "destroy", "on", "on"),
        ("action", "choose", "off", "off"),
    )
)


def wild(chance: random.Random, state: State) -> Iterator[Intent]:
    """Wishes that nobody offered: any actor, any verb, any arguments."""
    likely = [c for machine in state.machines for c in machine.attached()] or list(PIECES)
    for verb in GAME.verbs:
        actor = SeatId(chance.randrange(-1, len(state.machines)))
        pick: dict[str, Any] = {
            "piece": lambda: chance.choice(likely if chance.random() < 0.7 else PIECES),
            "place": lambda: chance.choice(PLACES),
            "seat": lambda: SeatId(chance.randrange(-1, len(state.machines) + 1)),
            "number": lambda: chance.randrange(-1, 20),
            "text": lambda: chance.choice(("", "{}", "a card")),
        }
        intent = verb.intent(actor, *(pick[kind]() for _, kind in argument_kinds(verb.intent)))
        yield intent
        if hasattr(intent, "board"):
            space = chance.choice(CLERK.spaces).id
            top = GAME.decisions(state)[-1].seats[0]
            yield replace(intent, actor=top, board=f"board/{space[0]}", space=space)


def asked(chance: random.Random, state: State) -> Iterator[Intent]:
    """What the rules list as candidates, for the awaited seat and another."""
    top = GAME.decisions(state)[-1].seats[0]
    other = SeatId(chance.randrange(len(state.machines)))
    for verb in GAME.verbs:
        for actor in {top, other}:
            if verb.chance == (actor == TABLE):
                yield from list(verb.arguments(state, actor))[:12]
    yield from wild(chance, state)


def agree(told: str, broken: list[tuple[str, str]]) -> bool:
    """Cards that anybody can pay for, each with something that only owners' packs say."""
    first = min((ORDER.index(basis) for basis, _ in broken), default=0)
    return told in [rule for basis, rule in broken if ORDER.index(basis) == first] if broken else not told


def disagreements(games: int, steps: int, game: Any = GAME, pack: Pack = CLERK) -> tuple[list[str], Counter[str]]:
    """Where the two referees differ, and how often each verb was allowed."""
    differ: list[str] = []
    seen: Counter[str] = Counter()
    for seed in range(games):
        chance, setup = random.Random(seed), dict[str, Any]()
        for before, _, _ in playout(3 + seed % 6, seed, steps, OPTIONS[seed % len(OPTIONS)], pack=pack):
            setup = setup or plain(before.setup)
            moment = plain(before)
            for intent in asked(chance, before):
                verdict, broken = judge(game, before, intent), naive.broken(setup, moment, plain(intent))
                if isinstance(verdict, Accepted):
                    seen[type(intent).__name__] += 1
                told = "" if isinstance(verdict, Accepted) else verdict.refusals[0].rule
                if not agree(told, broken):
                    differ.append(f"seed {seed}: {intent} told {told or 'yes'}, broken {broken}, at {before.steps}")
            seen["positions"] += 1
    return differ, seen


@pytest.mark.slow
@pytest.mark.rule("P10", "P19", "P20", "P22", "P27", "P37")
def test_the_second_referee_agrees() -> None:
    differ, seen = disagreements(6, 160)  # a table of each size; the kit and a campaign play more of them
    assert differ == []
    assert seen["positions"] > 750


NEWS: dict[int, tuple[AnyEffect, ...]] = {
    WEAPON: (Ranged("space", targets="all"), Ranged("any", result="steal")),
    SHIELD: (Muffle(1, "all"), Hold("disable"), Hold("steal")),
    CHASSIS: (Leap("any"), ByText()),
    PLANT: (Ranged("time"), Ranged("any", dice=1, result="disable"), Leap("office"), Leap("junkyard")),
}
CHEAP = replace(
    CLERK,
    id="cheap",
    upgrades=tuple(
        replace(up, rank=up.rank % 3, effects=NEWS[SLOTS.index(up.slot)], text="Swap two pawns.")
        for up in CLERK.upgrades
    ),
    inventors=tuple(replace(machine, gold=20) for machine in CLERK.inventors),
)
"""Cards that anybody can pay, each with what only owners' packs say."""


@pytest.mark.slow
@pytest.mark.rule("P32", "P34", "P37", "P38", "P41")
def test_the_second_referee_agrees_about_what_owners_packs_say() -> None:
    differ, seen = disagreements(6, 190, pack=CHEAP)
    assert differ == []
    assert all(seen[name] for name in ("ShootSecond", "Volley", "FollowText", "FinishText", "LeapTo")), seen


def test_reasons_without_an_order_are_noticed() -> None:
    """The control: every rule is about a thing, and the last one is given first."""
    verbs = tuple(
        replace(
            verb,
            guards=tuple(replace(guard, basis=Basis.THING) for guard in verb.guards[::-1]),
            rules=tuple(replace(rule, basis=Basis.THING) for rule in verb.rules[::-1]),
        )
        for verb in GAME.verbs
    )
    assert disagreements(1, 30, replace(GAME, verbs=verbs))[0]


def without(key: str) -> Any:
    """The game without one of its rules."""
    verbs = tuple(
        replace(
            verb,
            rules=tuple(
                Rule(rule.id, rule.key, lambda state, intent: None) if rule.key == key else rule for rule in verb.rules
            ),
        )
        for verb in GAME.verbs
    )
    return replace(GAME, verbs=verbs)


def test_a_rule_that_is_forgotten_is_noticed() -> None:
    """The control: builds in which anybody can pay for anything, a roll reaches everywhere, any card is disabled."""
    poor = laid(machine(gold=0), markets="thunder-jar")
    gone = laid(machine(at="3/w"), steps=(Ending(ADA), Acting(ADA), Going(ADA, 1)))
    hit = laid(machine(at="4/a"), machine("fog-bell -sedan-chair", at="4/a")).do(i.Attack(ADA, BEN)).rolls(12, 1)
    for key, table, wish in (
        ("can-pay", poor, i.Buy(ADA, piece("thunder-jar"))),
        ("in-reach", gone, go(ADA, "0/office")),
        ("still-works", hit, i.Disable(ADA, piece("sedan-chair"))),
    ):
        assert not isinstance(judge(GAME, table.now, wish), Accepted)
        assert isinstance(judge(without(key), table.now, wish), Accepted), key
        assert not naive.legal(plain(table.now.setup), plain(table.now), plain(wish)), key
