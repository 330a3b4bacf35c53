"""Whether the shipped county is fair and its games end, by games of sensible players; whether two referees agree; and
whether random play of many steps keeps the books.

    python tests/campaigns/one_false_step_balance.py [--games N] [--positions N] [--steps N] [--short]

Ends with 1 unless at least 99 of 100 games end with a winner, no seat wins more than 1.3 times its share, the second
referee and the independent search for connections never differ, every chip is accounted for after every event of the
random play, and its record leads to the same state again. The control is a Bank that pays a chip too many.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import msgspec
from msgspec.structs import replace

from companion.core import Accepted, Game, SeatId, judge
from companion.games.one_false_step import GAME
from companion.games.one_false_step.events import AnyEvent, IncomePaid
from companion.games.one_false_step.fold import apply
from companion.games.one_false_step.state import Pack, State, added
from tests.games.one_false_step.play import bot_game, chips_in, playout
from tests.games.one_false_step.test_ofs_referee import connections_differ, disagreements, random_claims

ENDED, SHARE = 0.99, 1.3
STRIDE = 10
SLACK = 3.0
"""In a short run a share may be off by chance: this many standard deviations are forgiven."""


def balance(seats: int, games: int) -> bool:
    """Play, print a line, return whether it is fair."""
    wins: Counter[SeatId] = Counter()
    weeks, steps, begun = [], 0, time.perf_counter()
    for seed in range(games):
        state, acts = bot_game(seats, seed)
        result = GAME.result(state)
        steps += acts
        weeks.append(state.week)
        wins.update(result.winners if result else ())
    ended, fair = sum(wins.values()) / games, games / seats
    most = max(wins.values()) / fair
    spread = (fair * (1 - 1 / seats)) ** 0.5 / fair
    speed = steps / (time.perf_counter() - begun)
    weeks.sort()
    print(
        f"{seats} seats: {ended:.1%} of {games} games ended, weeks {weeks[0]}/{weeks[len(weeks) // 2]}/{weeks[-1]} "
        f"(least/median/most), best seat {most:.2f} of its share, {steps / games:.0f} acts a game, {speed:.0f} acts/s"
    )
    return ended >= ENDED and most <= max(SHARE, 1 + SLACK * spread)


def agreement(positions: int) -> bool:
    """Both referees and both searches, over random positions."""
    tangled = sum(connections_differ(random_claims(3 + n % 4, n)) for n in range(positions))
    differing = [line for n in range(max(1, positions // 100)) for line in disagreements(3 + n % 4, n, 100, STRIDE)]
    print(
        f"{positions} tangled maps: connections differ on {tangled}; "
        f"one in {STRIDE} of {positions} positions of play: the referees differ on {len(differing)} wishes"
    )
    return not tangled and not differing


OPTIONS: list[dict[str, Any]] = [
    {"rocket_table": t, "population": p} for t in ("corrected", "printed") for p in ("off", "on")
]
STRETCH = 2000
"""Steps of random play from one set-up."""


def unbooked(game: Game[State, Pack], seats: int, seed: int, steps: int) -> tuple[int, str]:
    """Random play: how many steps it had, and what was wrong with the books or the record; "" if nothing was."""
    decode, again, done = msgspec.json.Decoder(game.event).decode, None, 0
    for before, intent, after in playout(seats, seed, steps, **OPTIONS[seed % len(OPTIONS)]):
        verdict = judge(game, before, intent)
        assert isinstance(verdict, Accepted), verdict
        state, again, done = before, again or before, done + 1
        for event in verdict.events:
            state = game.apply(state, event)
            if chips_in(state) != (20 * seats, 4 * seats, 0) or min(*state.red, *state.food, *state.gold) < 0:
                return done, f"seats {seats}, seed {seed}, step {done}: {event} leaves {chips_in(state)}"
            again = game.apply(again, decode(msgspec.json.encode(event)))
        if again != after:
            return done, f"seats {seats}, seed {seed}, step {done}: the record leads elsewhere"
    return done, ""


def generous(state: State, event: AnyEvent) -> State:
    """A Bank that pays one chip too many."""
    after = apply(state, event)
    return replace(after, gold=added(after.gold, event.seat, 1)) if isinstance(event, IncomePaid) else after


def stamina(steps: int) -> bool:
    """This many steps of random play with every option, and the control."""
    begun, done, seed, wrong = time.perf_counter(), 0, 0, list[str]()
    while done < steps and not wrong:
        more, found = unbooked(GAME, 3 + seed % 4, seed, STRETCH)
        done, seed = done + more, seed + 1
        wrong += [found] if found else []
    caught = any(unbooked(replace(GAME, apply=generous), 3, n, STRETCH)[1] for n in range(5))
    speed = done / (time.perf_counter() - begun)
    print(
        f"{done} random steps in {seed} games: {wrong[0] if wrong else 'all booked, all replayed'}; {speed:.0f} steps/s"
    )
    print(f"a Bank that pays a chip too many is {'caught' if caught else 'NOT caught'}")
    return caught and not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=250, help="for each number of seats")
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--steps", type=int, default=100_000, help="of random play")
    parser.add_argument("--short", action="store_true")
    given = parser.parse_args()
    games, positions, steps = (4, 150, 1000) if given.short else (given.games, given.positions, given.steps)
    fair = [balance(seats, games) for seats in range(GAME.seats[0], GAME.seats[1] + 1)]
    return 0 if all([*fair, agreement(positions), stamina(steps)]) else 1


if __name__ == "__main__":
    sys.exit(main())
