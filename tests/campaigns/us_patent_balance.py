"""Sensible bots play U.S. Patent Number One against each other; how long, how often to the end, who wins with what.

    python tests/campaigns/us_patent_balance.py [--short | --games N] [--seats 3 4 5 6] [--seed S]

Fails when fewer than 99 % of the games end or a seat or Time Machine wins more than 1.3 times its fair share
(with --short, which is too few games to judge these, only when games do not end), when a card stands in the machines
of winners more than 2.4 times its fair share and by more than chance explains, when no bot ever looks from a Library
though its phone remembers (`lab_memory`, on in every second game), and when after any step a card, a pawn or a Gold
piece is lost (us_patent_steps.py). Controls: a Bank that forgets a price, and the Polite Aura that stopped all attacks
for rank 2, must be noticed.
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
from msgspec.structs import replace

from companion.core import TABLE, Setup, legal, mask, verb_of
from companion.core.legality import carry_out
from companion.games.us_patent.state import Pack
from companion.games.us_patent.state.vocabulary import Ward
from companion.library import shelf
from tests.campaigns.us_patent_steps import forgetful, problem

MOST_TURNS = 400
FAIR = 1.3
CROWDED = 2.4
SHORT, CONTROLS = 32, (96, 400)
MEMORIES = ("off", "on")
AURA = "polite-aura"


class Played(Struct, frozen=True):
    """One game: its seats, the Time Machine of each, the winner's seat counted from the first player (-1: none).

    `upgrades` are those on the winner's machine; `memory` is the option `lab_memory`.
    """

    seats: int
    memory: str
    upgrades: tuple[str, ...]
    machines: tuple[str, ...]
    winner: int
    order: int
    turns: int
    acts: Counter[str]
    lost: str


class Job(Struct, frozen=True):
    """A game to play, with the current or the earlier pack."""

    seats: int
    seed: int
    memory: str
    was: bool = False


def play(job: Job) -> Played:
    return play_with(shelf.open("us-patent"), job)


def pack_of(game: Any, *, was: bool) -> Pack:
    """The shipped pack; as it `was`, with a cheap Shield that no attack gets through."""
    if was not in _packs:
        pack = shelf.pack(game)
        old = tuple(replace(up, effects=(Ward("all"),)) if up.id == AURA else up for up in pack.upgrades)
        _packs[was] = replace(pack, upgrades=old) if was else pack
    return _packs[was]


_packs: dict[bool, Pack] = {}


def play_with(game: Any, job: Job) -> Played:
    pack, seats = pack_of(game, was=job.was), job.seats
    pieces = Counter(str(piece) for piece in game.pieces(pack))
    dice = random.Random(job.seed)
    chosen = {"lab_memory": job.memory}
    options = tuple((option.name, chosen.get(option.name, option.choices[0])) for option in game.options)
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
    upgrades = tuple(state.machines[state.winner].attached()) if state.winner >= 0 else ()
    return Played(seats, job.memory, upgrades, machines, state.winner, order, state.turns, acts, lost)


def share(wins: Counter[object], chances: Counter[object]) -> dict[str, float]:
    """Wins relative to the fair share: 1.0 is fair."""
    return {str(key): round(wins[key] / chances[key], 3) for key in sorted(chances, key=str)}


def crowd(games: list[Played]) -> dict[str, tuple[int, float, bool]]:
    """For each Upgrade: in how many winners' machines it is, compared with its fair share, and whether that is too
    much.

    The fair share is one divided by how many there are of its type, since a machine has one slot for each.
    """
    ended = sum(game.winner >= 0 for game in games)
    stands = Counter(card for game in games for card in game.upgrades)
    cards = pack_of(shelf.open("us-patent"), was=False).upgrades
    types = Counter(card.slot for card in cards)
    found = {}
    for card in sorted(cards, key=lambda card: -stands[card.id]):
        fair = ended / types[card.slot]
        most = CROWDED * fair
        found[card.id] = (stands[card.id], round(stands[card.id] / fair, 2), stands[card.id] > most + 2 * most**0.5)
    return found


def report_cards(games: list[Played]) -> bool:
    found = crowd(games)
    shares = ", ".join(f"{card} {times} ({share})" for card, (times, share, _) in found.items())
    print(f"in winners' machines (1.0 is fair, the limit {CROWDED}): {shares}")
    crowded = [card for card, (_, _, much) in found.items() if much]
    print(f"above the limit by more than chance: {', '.join(crowded) or 'no card'}")
    return not crowded


def report_libraries(games: list[Played]) -> bool:
    looks = {}
    for memory in MEMORIES:
        played = [game for game in games if game.memory == memory]
        looks[memory] = sum(game.acts["Study"] for game in played) / max(1, len(played))
    print("looks from a Library per game, by lab_memory:", {memory: round(n, 2) for memory, n in looks.items()})
    return looks["on"] > 0


def report_seats(ended: list[Played]) -> bool:
    """How long, and who wins by order of play; whether anybody wins too often."""
    fair = True
    for seats in sorted({game.seats for game in ended}):
        rounds = [game.turns / seats for game in ended if game.seats == seats]
        low, high = quantiles(rounds, n=10)[0], quantiles(rounds, n=10)[-1]
        print(f"{seats} seats: median {median(rounds):.1f} turns per seat, 10 % under {low:.1f}, 10 % over {high:.1f}")
        wins: Counter[object] = Counter(game.order for game in ended if game.seats == seats)
        chances: Counter[object] = Counter({order: len(rounds) / seats for order in range(seats)})
        shares = share(wins, chances)
        print("   by order of play (1.0 is fair):", shares)
        fair &= max(shares.values()) <= FAIR
    return fair


def report_machines(ended: list[Played]) -> bool:
    wins: Counter[object] = Counter(game.machines[game.winner] for game in ended)
    chances: Counter[object] = Counter()
    for game in ended:
        for machine in game.machines:
            chances[machine] += 1 / game.seats  # type: ignore[assignment]
    shares = share(wins, chances)
    print("by Time Machine:", shares)
    return max(shares.values()) <= FAIR


def report(games: list[Played], *, judge_shares: bool) -> bool:
    ended = [game for game in games if game.winner >= 0]
    lost = [game.lost for game in games if game.lost]
    print(f"{len(games)} games, {len(ended)} ended ({100 * len(ended) / len(games):.2f} %)")
    print(f"{sum(game.acts.total() for game in games)} steps: {lost[0] if lost else 'no card, pawn or Gold lost'}")
    fair = [report_seats(ended), report_machines(ended)]
    fine = [len(ended) >= 0.99 * len(games), not lost, report_cards(ended), report_libraries(games)]
    acts: Counter[str] = Counter()
    for game in games:
        acts.update(game.acts)
    print("acts per game:", {name: round(count / len(games), 2) for name, count in acts.most_common()})
    return all(fine) and (all(fair) or not judge_shares)


def control(jobs: list[Job]) -> bool:
    """A Bank that forgets, and the Aura as it was."""
    caught = play_with(forgetful(), jobs[0]).lost
    print(f"control, a Bank that forgets: {caught or 'NOT noticed'}")
    games = played([replace(job, was=True) for job in jobs])
    times, part, much = crowd(games)[AURA]
    told = f"in {times} of {len(games)} games the winner's, {part} times its fair share"
    print(f"control, the {AURA} that stopped all attacks: {told if much else f'NOT noticed ({told})'}")
    return bool(caught) and much


def played(jobs: list[Job]) -> list[Played]:
    with ProcessPoolExecutor(2) as pool:
        return list(pool.map(play, jobs, chunksize=8))


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--short", action="store_true")
    words.add_argument("--games", type=int, default=2000)
    words.add_argument("--seats", type=int, nargs="*", default=[3, 4, 5, 6])
    words.add_argument("--seed", type=int, default=1)
    asked = words.parse_args()
    seats = asked.seats
    games, controls = (SHORT, CONTROLS[0]) if asked.short else (asked.games, CONTROLS[1])
    jobs = [
        Job(seats[n % len(seats)], asked.seed * 1_000_003 + n, MEMORIES[n // len(seats) % len(MEMORIES)])
        for n in range(max(games, controls))
    ]
    fine = report(played(jobs[:games]), judge_shares=not asked.short)
    return 0 if control(jobs[:controls]) and fine else 1


if __name__ == "__main__":
    sys.exit(main())
