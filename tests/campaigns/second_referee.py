"""Two referees, one table: the game's own and the naive one of its tests must never differ.

    python tests/campaigns/second_referee.py [--positions N] [--short] [--seed N] [--game ID]

Random play of every game that has a `naive.py`, at every number of seats and with every option. At each position both
referees judge some wild intents and some legal ones of everybody. The control is a game that forgot its rules about
arguments: the two must differ about it.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from msgspec.structs import replace

from companion.app.kit.kit import Kit, accepts, kit_of, pick, plain
from companion.core import TABLE, Intent, SeatId, legal
from companion.library import shelf

POSITIONS, SHORT = 100_000, 600
STEPS, WILD = 200, 6


class Tally(NamedTuple):
    positions: int
    questions: int
    allowed: int
    differences: list[str]


def wishes(kit: Kit, state: Any, seats: int, chance: random.Random) -> list[Intent]:
    """Some nonsense, and something legal for everybody who may do anything."""
    found = [kit.wild(state, seats, chance) for _ in range(WILD)]
    for actor in (TABLE, *(SeatId(seat) for seat in range(seats))):
        offered = legal(kit.game, state, actor)
        if offered:
            found.append(pick(chance, offered))
    return found


def compare(kit: Kit, judging: Kit, positions: int, seed: int) -> Tally:
    """Random play of one game until this many positions were seen; `judging` is the build that is asked."""
    naive = kit.naive
    assert naive is not None
    chance, seen, asked, allowed, differ = random.Random(seed), 0, 0, 0, list[str]()
    low, high = kit.game.seats
    for number in count(seed):
        seats = low + number % (high - low + 1)
        setup = plain(kit.setup(seats, number))
        for step in kit.playout(seats, number, STEPS):
            state = plain(step.before)
            for wish in wishes(kit, step.before, seats, chance):
                second = naive(setup, state, plain(wish))
                asked, allowed = asked + 1, allowed + second
                if second != accepts_safely(judging, step.before, wish):
                    differ.append(
                        f"{kit.game.id}, {seats} seats, game {number}: {wish}; allowed by the rules: {second}"
                    )
            seen += 1
            if seen >= positions:
                return Tally(seen, asked, allowed, differ)
    raise AssertionError


def accepts_safely(kit: Kit, state: Any, wish: Intent) -> bool:
    """A build without its rules may stumble over what it accepted."""
    try:
        return accepts(kit.game, state, wish)
    except (LookupError, ValueError, AssertionError, StopIteration):
        return True


def forgetful(kit: Kit) -> Kit:
    return Kit(replace(kit.game, verbs=tuple(replace(verb, rules=()) for verb in kit.game.verbs)))


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare each game's referee with the naive one of its tests.")
    parser.add_argument("--positions", type=int, default=POSITIONS, help="positions per game")
    parser.add_argument("--short", action="store_true", help=f"{SHORT} positions per game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", action="append", help="only this game, may be repeated")
    options = parser.parse_args()
    positions, failed = SHORT if options.short else options.positions, False
    for kit in map(kit_of, options.game or shelf.games()):
        if kit.naive is None:
            print(f"{kit.game.id}: no second referee")
            continue
        begun = time.monotonic()
        tally = compare(kit, kit, positions, options.seed)
        caught = compare(kit, forgetful(kit), 300, options.seed).differences
        print(
            f"{kit.game.id}: {tally.positions} positions, {tally.questions} questions, {tally.allowed} allowed, "
            f"{len(tally.differences)} differences; a forgetful build differs {len(caught)} times in 300; "
            f"{time.monotonic() - begun:.0f} s",
            flush=True,
        )
        for line in tally.differences[:20]:
            print(f"  {line}")
        failed |= bool(tally.differences) or not caught
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
