"""Sensible bots play U.S. Patent Number One against each other; how long, how often to the end, who wins.

    python tests/campaigns/us_patent_balance.py [--short | --games N] [--seats 3 4 5 6] [--seed S]

Fails when fewer than 99 % of the games end or a seat or Time Machine wins more than 1.3 times its fair share
(with --short, which is too few games to judge shares, only when games do not end), and when after any step a card,
a pawn or a Gold piece is lost (us_patent_steps.py). Control: a Bank that forgets a price must be noticed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median, quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from msgspec import Struct

from companion.core.game import Setup
from companion.core.ids import TABLE
from companion.core.judge import carry_out, legal, verb_of
from companion.core.secrets import mask
from companion.library import shelf
from tests.campaigns.us_patent_steps import forgetful, problem

MOST_TURNS = 400
FAIR = 1.3


class Played(Struct, frozen=True):
    """One game: its seats, the Time Machine of each, the winner's seat counted from the first player (-1: none)."""

    seats: int
    machines: tuple[str, ...]
    winner: int
    order: int
    turns: int
    acts: Counter[str]
    lost: str


def play(job: tuple[int, int]) -> Played:
    return play_with(shelf.open("us-patent"), *job)


def play_with(game: Any, seats: int, seed: int) -> Played:
    pack = _packs.setdefault("clerk", shelf.pack(game))
    pieces = Counter(str(piece) for piece in game.pieces(pack))
    dice = random.Random(seed)
    options = tuple((option.name, option.choices[0]) for option in game.options)
    state = game.start(Setup(game.id, game.version, seats, options, pack))
    acts: Counter[str] = Counter()
    lost = ""
    while not lost and (asked := game.decisions(state)) and state.turns <= MOST_TURNS * seats // 3:
        who = asked[-1].seats[0]
        if who == TABLE:
            choices = legal(game, state, TABLE)
            intent = dice.choices(choices, [game.weight(state, choice) for choice in choices])[0]
        else:
            view = mask(state, who)
            intent = game.bot(view, who, legal(game, view, who), dice.randrange(1 << 16))
        acts[type(intent).__name__] += 1
        events, after = carry_out(game, state, verb_of(game, intent), intent)
        lost = problem(state, events, after, pieces)
        state = after
    machines = tuple(machine.card for machine in state.machines)
    order = (state.winner - state.first) % seats if state.winner >= 0 else -1
    return Played(seats, machines, state.winner, order, state.turns, acts, lost)


_packs: dict[str, object] = {}


def share(wins: Counter[object], chances: Counter[object]) -> dict[str, float]:
    """Wins against the fair share: 1.0 is fair."""
    return {str(key): round(wins[key] / chances[key], 3) for key in sorted(chances, key=str)}


def report(games: list[Played], *, judge_shares: bool) -> bool:
    ended = [game for game in games if game.winner >= 0]
    lost = [game.lost for game in games if game.lost]
    fine = len(ended) >= 0.99 * len(games) and not lost
    print(f"{len(games)} games, {len(ended)} ended ({100 * len(ended) / len(games):.2f} %)")
    print(f"{sum(game.acts.total() for game in games)} steps: {lost[0] if lost else 'no card, pawn or Gold lost'}")
    for seats in sorted({game.seats for game in ended}):
        rounds = [game.turns / seats for game in ended if game.seats == seats]
        low, high = quantiles(rounds, n=10)[0], quantiles(rounds, n=10)[-1]
        print(f"{seats} seats: median {median(rounds):.1f} turns per seat, 10 % under {low:.1f}, 10 % over {high:.1f}")
        wins: Counter[object] = Counter(game.order for game in ended if game.seats == seats)
        chances: Counter[object] = Counter({order: len(rounds) / seats for order in range(seats)})
        shares = share(wins, chances)
        print("   by order of play (1.0 is fair):", shares)
        fine &= not judge_shares or max(shares.values()) <= FAIR
    by_machine: Counter[object] = Counter(game.machines[game.winner] for game in ended)
    chances = Counter()
    for game in ended:
        for machine in game.machines:
            chances[machine] += 1 / game.seats  # type: ignore[assignment]
    shares = share(by_machine, chances)
    print("by Time Machine:", shares)
    fine &= not judge_shares or max(shares.values()) <= FAIR
    acts: Counter[str] = Counter()
    for game in games:
        acts.update(game.acts)
    per_game = {name: round(count / len(games), 2) for name, count in acts.most_common()}
    print("acts per game:", per_game)
    return fine


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--short", action="store_true")
    words.add_argument("--games", type=int, default=2000)
    words.add_argument("--seats", type=int, nargs="*", default=[3, 4, 5, 6])
    words.add_argument("--seed", type=int, default=1)
    asked = words.parse_args()
    count = 24 if asked.short else asked.games
    jobs = [(asked.seats[n % len(asked.seats)], asked.seed * 1_000_003 + n) for n in range(count)]
    with ProcessPoolExecutor(2) as pool:
        games = list(pool.map(play, jobs, chunksize=8))
    fine = report(games, judge_shares=not asked.short)
    caught = play_with(forgetful(), *jobs[0]).lost
    print(f"control, a Bank that forgets: {caught or 'NOT noticed'}")
    return 0 if fine and caught else 1


if __name__ == "__main__":
    sys.exit(main())
