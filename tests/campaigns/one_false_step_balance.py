"""Whether the shipped county is fair and its games end, by games of sensible players; and whether two referees agree.

    python tests/campaigns/one_false_step_balance.py [--games N] [--positions N] [--short]

Ends with 1 unless at least 99 of 100 games end with a winner, no seat wins more than 1.3 times its share, and the
second referee and the independent search for connections never differ.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.core.ids import SeatId
from companion.games.one_false_step import GAME
from tests.games.one_false_step.test_ofs_playouts import (
    bot_game,
    connections_differ,
    disagreements,
    random_claims,
)

ENDED, SHARE = 0.99, 1.3
SLACK = 3.0
"""In a short run a share may be off by chance: so many standard deviations are forgiven."""


def balance(seats: int, games: int) -> bool:
    """Play, print a line, say whether it is fair."""
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
    differing = [line for n in range(max(1, positions // 100)) for line in disagreements(3 + n % 4, n, 100)]
    print(
        f"{positions} tangled maps: connections differ on {tangled}; "
        f"{positions} positions of play: the referees differ on {len(differing)}"
    )
    return not tangled and not differing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=250, help="for each number of seats")
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--short", action="store_true")
    given = parser.parse_args()
    games, positions = (12, 500) if given.short else (given.games, given.positions)
    fair = [balance(seats, games) for seats in range(GAME.seats[0], GAME.seats[1] + 1)]
    return 0 if all(fair) and agreement(positions) else 1


if __name__ == "__main__":
    sys.exit(main())
