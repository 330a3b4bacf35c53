"""Random players of U.S. Patent, a million steps: no exception, no dead end, no card or Gold piece lost.

    python tests/campaigns/us_patent_steps.py [--short | --steps N] [--seed S]

After each step every card and pawn lies in exactly one place, and what everybody has grew by just what the events say
the Bank gave and took. Control: a Bank that forgets to take the price of an Upgrade must be noticed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from msgspec.structs import replace

from companion.app.kit.kit import Kit
from companion.core import Event, legal, verb_of
from companion.core.legality import carry_out
from companion.games.us_patent import GAME
from companion.games.us_patent import events as e
from companion.games.us_patent.state import State

STEPS, SHORT = 1_000_000, 6_000
EACH = 1_500


def given(events: tuple[Event, ...]) -> int:
    """What the Bank gave in these events, minus what it took."""
    gold = 0
    for event in events:
        match event:
            case e.MachineDrawn(gold=sum_) | e.Earned(gold=sum_) | e.Patented(gold=sum_):
                gold += sum_
            case e.Bought(gold=sum_) | e.MachineMended(gold=sum_):
                gold -= sum_
    return gold


def held(state: State) -> int:
    return sum(machine.gold for machine in state.machines)


def problem(before: State, events: tuple[Event, ...], after: State, pieces: Counter[str]) -> str:
    """What is wrong after a step; "" if nothing is."""
    if held(after) != held(before) + given(events):
        return f"Gold: {held(before)} and {given(events)} became {held(after)}"
    lying = Counter(str(lies.piece) for lies in GAME.layout(after))
    return "" if lying == pieces else f"cards: {(lying - pieces) or (pieces - lying)}"


def play(kit: Kit, steps: int, seed: int) -> tuple[int, int, str]:
    """One game after the other: returns steps, games, and the first problem."""
    done, pieces = 0, Counter(str(piece) for piece in kit.game.pieces(kit.pack))
    low, high = kit.game.seats
    for number in count(seed):
        chance, state = random.Random(number), kit.game.start(kit.setup(low + number % (high - low + 1), number))
        for _ in range(EACH):
            if done >= steps:
                return done, number - seed + 1, ""
            if not (asked := kit.game.decisions(state)):
                break
            intents = legal(kit.game, state, asked[-1].seats[0])
            if not intents:
                return done, number - seed + 1, f"a dead end in game {number}: {asked[-1]}"
            intent = chance.choice(intents)
            events, after = carry_out(kit.game, state, verb_of(kit.game, intent), intent)
            wrong = problem(state, events, after, pieces)
            if wrong:
                return done, number - seed + 1, f"game {number}, {intent}: {wrong}"
            done, state = done + 1, after
    raise AssertionError("count never ends")


def forgetful() -> Any:
    """A game whose Bank forgets to take the price."""

    def apply(state: State, event: Any) -> State:
        return GAME.apply(state, replace(event, gold=0) if isinstance(event, e.Bought) else event)

    return replace(GAME, apply=apply)


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--short", action="store_true")
    words.add_argument("--steps", type=int, default=STEPS)
    words.add_argument("--seed", type=int, default=1)
    asked = words.parse_args()
    begun = time.process_time()
    done, games, wrong = play(Kit(GAME), SHORT if asked.short else asked.steps, asked.seed)
    print(
        f"us-patent: {done} random steps in {games} games, {time.process_time() - begun:.0f} s: {wrong or 'all there'}"
    )
    caught = play(Kit(forgetful()), SHORT * 5, asked.seed)[2]
    print(f"control, a Bank that forgets: {caught or 'NOT noticed'}")
    return 1 if wrong or not caught.count("Gold") else 0


if __name__ == "__main__":
    sys.exit(main())
