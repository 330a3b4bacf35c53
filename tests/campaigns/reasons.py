"""Ask for reasons: whatever hands do that cannot be done, the box and the phones say why not, and it is so.

    python tests/campaigns/reasons.py [--asks N] [--short] [--seed N] [--game ID] [--replay PLAY.GAME.STEP]

Positions of sensible and of random play of every game whose `naive.py` tells what is `broken`. At each somebody points
at one to three things on the box, takes a row of its list, sets something right, or asks on a phone: any piece in
sight, any place, seat, number or verb. Each first reason must be true by the second referee, the most basic of the true
ones, and of an intent that every token may mean. Controls: a build whose bases are all alike, one that tells the last
broken rule, and one where any one token is enough.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[2]))

from msgspec.structs import replace

from companion.app.kit.kit import AnyGame, Broken, Json, Kit, Meant, Step, kit_of, plain
from companion.core import Basis, Intent, Rule, SeatId, Token, Verb, selection
from companion.library import shelf
from tests.campaigns._asking import Answer, Ask, Told, answered, asks, scene_of

ASKS, SHORT, CONTROL = 100_000, 250, 100
STEPS, STRIDE, RARE = 400, 10, 3
ORDER = ("over", "turn", "settling", "step", "place", "thing", "price")
UNTRUE, DEEPER, UNMEANT = "untrue", "not the most basic", "not meant"


class Moment(NamedTuple):
    """A position that can be found again: its play, the number of the game, and the step."""

    name: str
    setup: Json
    state: Any


class Second(NamedTuple):
    """The second referee."""

    broken: Broken
    meant: Meant


class Tally:
    def __init__(self) -> None:
        self.positions = self.asks = self.refusals = self.idle = self.allowed = 0
        self.wrong = Counter[str]()
        self.examples = dict[tuple[str, ...], str]()
        self.alike = Counter[tuple[str, ...]]()

    def add(self, answer: Answer) -> None:
        self.asks += 1
        self.refusals += len(answer.told)
        self.idle += not answer.told and not answer.allowed
        self.allowed += answer.allowed

    def blame(self, kind: str, moment: Moment, ask: Ask, told: Told, broken: list[tuple[str, str]]) -> None:
        like = (kind, ask.how, type(told.intent).__name__, told.rule, told.key)
        self.wrong[kind] += 1
        self.alike[like] += 1
        self.examples.setdefault(like, f"--replay {moment.name}: {ask}: {told}; broken: {broken}")


class Fair:
    """Which positions to ask at: some of each game, and every one of a kind that is rare."""

    def __init__(self) -> None:
        self.seen = Counter[str]()

    def takes(self, kind: str, chance: random.Random) -> bool:
        is_rare = RARE * self.seen[kind] * len(self.seen) <= self.seen.total()
        taken = is_rare or chance.random() * STRIDE < 1
        self.seen[kind] += taken
        return taken


def moments(kit: Kit, seed: int) -> Iterator[Moment]:
    """Some positions of games without end."""
    fair, chance = Fair(), random.Random(seed)
    for number in count(seed):
        for play in ("sensible", "random"):
            for moment in of_game(kit, play, number):
                decisions = kit.game.decisions(moment.state)
                if fair.takes(decisions[-1].kind if decisions else "over", chance):
                    yield moment


def of_game(kit: Kit, play: str, number: int) -> Iterator[Moment]:
    """Every position of one game."""
    seats = random.Random(number).randint(*kit.game.seats)
    setup = plain(kit.setup(seats, number))
    steps = kit.sensible(seats, number) if play == "sensible" else kit.playout(seats, number, STEPS)
    for at, state in enumerate(states(steps)):
        yield Moment(f"{play}.{number}.{at}", setup, state)


def states(steps: Iterator[Step]) -> Iterator[Any]:
    step = None
    for step in steps:
        yield step.before
    if step is not None:
        yield step.verdict.after


def faults(second: Second, moment: Moment, state: Json, told: Told) -> tuple[list[str], list[tuple[str, str]]]:
    """What is wrong with a reason, and all that is broken."""
    intent = plain(told.intent)
    broken = second.broken(moment.setup, state, intent)
    bases = [ORDER.index(basis) for basis, rule in broken if rule == told.rule]
    found = [] if bases else [UNTRUE]
    if bases and any(ORDER.index(basis) < min(bases) for basis, _ in broken):
        found.append(DEEPER)
    if not all(means(second, moment, state, intent, token) for token in told.tokens):
        found.append(UNMEANT)
    return found, broken


def means(second: Second, moment: Moment, state: Json, intent: Json, token: Token) -> bool:
    if token.kind == "actor":
        return bool(intent["actor"] == token.value)
    return second.meant(moment.setup, state, intent, (token.kind, token.value))


def examine(kit: Kit, game: AnyGame, second: Second, moment: Moment, tally: Tally) -> Iterator[str]:
    """Ask at one position; `game` is the build that answers. Gives a line for each ask, for a replay."""
    chance = random.Random(f"{kit.game.id}.{moment.name}")
    scene, state = scene_of(game, moment.state), plain(moment.state)
    tally.positions += 1
    for ask in asks(kit, scene_of(kit.game, moment.state), chance):
        answer = answered(scene, ask)
        tally.add(answer)
        yield f"{ask}: {'allowed' if answer.allowed else '' if answer.told else 'idle'}"
        for told in answer.told:
            found, broken = faults(second, moment, state, told)
            for kind in found:
                tally.blame(kind, moment, ask, told, broken)
            yield f"  {told}; broken: {broken}{''.join(f'; {kind.upper()}' for kind in found)}"


def campaign(kit: Kit, game: AnyGame, second: Second, most: int, seed: int) -> Tally:
    tally = Tally()
    for moment in moments(kit, seed):
        for _ in examine(kit, game, second, moment, tally):
            if tally.asks >= most:
                return tally
    raise AssertionError


# Controls


def rebuilt(game: AnyGame, basis: Callable[[Basis], Basis], step: int) -> AnyGame:
    """With other bases, and each list of rules walked by `step`."""

    def rules(old: tuple[Rule[Any, Any], ...]) -> tuple[Rule[Any, Any], ...]:
        return tuple(replace(rule, basis=basis(rule.basis)) for rule in old[::step])

    def verbs(old: tuple[Verb[Any, Any], ...]) -> tuple[Verb[Any, Any], ...]:
        return tuple(replace(verb, guards=rules(verb.guards), rules=rules(verb.rules)) for verb in old)

    return replace(game, verbs=verbs(game.verbs), corrections=verbs(game.corrections))


def flat(game: AnyGame) -> AnyGame:
    """Lists that happen to be in the right order would hide it, so they are turned round."""
    return rebuilt(game, lambda _: Basis.THING, -1)


def last_first(game: AnyGame) -> AnyGame:
    return rebuilt(game, lambda basis: Basis(Basis.PRICE - basis), -1)


def any_one(verb: Verb[Any, Any], state: Any, actor: SeatId, pointed: tuple[Token, ...]) -> Iterator[Intent]:
    """What one of the things may stand for; it should be all of them."""
    candidates = verb.arguments if verb.thinkable is None else verb.thinkable
    return (i for i in candidates(state, actor) if any(selection._means(verb, state, i, t) for t in pointed))


def loose() -> AbstractContextManager[object]:
    return patch.multiple(selection, thought_of=any_one, _can_mean=lambda _verb, _actor, _token: True)


def missed(kit: Kit, second: Second, most: int, seed: int) -> list[str]:
    """The controls in which no more is wrong than in the real build."""
    controls: list[tuple[str, AnyGame, AbstractContextManager[object], str]] = [
        ("bases all alike", flat(kit.game), nullcontext(), DEEPER),
        ("the last broken rule", last_first(kit.game), nullcontext(), DEEPER),
        ("any one token", kit.game, loose(), UNMEANT),
    ]
    real, uncaught = campaign(kit, kit.game, second, most, seed).wrong, []
    for name, build, broken, kind in controls:
        with broken:
            wrong = campaign(kit, build, second, most, seed).wrong
        print(f"  control, {name}: {wrong[kind]} times {kind} in {most}")
        if wrong[kind] <= real[kind]:
            uncaught.append(name)
    return uncaught


def report(kit: Kit, tally: Tally, seconds: float) -> None:
    wrong = ", ".join(f"{tally.wrong[kind]} {kind}" for kind in (UNTRUE, DEEPER, UNMEANT))
    print(
        f"{kit.game.id}: {tally.positions} positions, {tally.asks} asks, {tally.refusals} refusals, {tally.idle} idle, "
        f"{tally.allowed} allowed; {wrong}; {seconds:.0f} s",
        flush=True,
    )
    for like, many in tally.alike.most_common(25):
        print(f"  {many} times {' '.join(like)}\n    {tally.examples[like]}")


def replayed(kit: Kit, second: Second, name: str) -> int:
    play, number, step = name.split(".")
    moment = next(moment for moment in of_game(kit, play, int(number)) if moment.name.endswith(f".{step}"))
    tally = Tally()
    for line in examine(kit, kit.game, second, moment, tally):
        print(line)
    return int(bool(tally.wrong))


def main() -> int:
    parser = argparse.ArgumentParser(description="Ask every game why not, and check the reasons.")
    parser.add_argument("--asks", type=int, default=ASKS, help="asks per game")
    parser.add_argument("--short", action="store_true", help=f"{SHORT} asks per game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", action="append", help="only this game, may be repeated")
    parser.add_argument("--replay", help="tell everything that is asked at one position of one game")
    options = parser.parse_args()
    most, failed = SHORT if options.short else options.asks, False
    for kit in map(kit_of, options.game or shelf.games()):
        if kit.broken is None or kit.meant is None:
            print(f"{kit.game.id}: no second referee that tells what is broken")
            continue
        second = Second(kit.broken, kit.meant)
        if options.replay:
            return replayed(kit, second, options.replay)
        begun = time.monotonic()
        tally = campaign(kit, kit.game, second, most, options.seed)
        report(kit, tally, time.monotonic() - begun)
        uncaught = missed(kit, second, CONTROL, options.seed)
        for name in uncaught:
            print(f"  NOT CAUGHT: {name}")
        failed |= bool(tally.wrong) or bool(uncaught)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
