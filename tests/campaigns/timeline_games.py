"""Many games: sensible ones to their end, random ones by steps; cards and counters conserved, replay identical.

python tests/campaigns/timeline_games.py [--games N] [--steps N] [--seed S] [--short]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from companion.core import fold
from companion.games.timeline import GAME
from companion.games.timeline.state import State, path_cards
from tests.games.timeline.board import PACK, played
from tests.games.timeline.test_timeline_bot import bot_game

SLIDES, BLANKS = ("column", "card-and-above"), ("deck", "stand-ins")


def conserved(state: State) -> bool:
    up = [one.card for column in state.columns for one in column if one.lines]
    return sorted((*up, *state.deck)) == list(path_cards(PACK))


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--games", type=int, default=2000)
    asked.add_argument("--steps", type=int, default=10**6)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--short", action="store_true")
    options = asked.parse_args()
    games, steps = (4, 2000) if options.short else (options.games, options.steps)
    ends: Counter[str] = Counter()
    for number in range(games):
        slide, blanks = SLIDES[number // 4 % 2], BLANKS[number // 8 % 2]
        state = bot_game(Random(options.seed + number), 2 + number % 4, slide=slide, blanks=blanks)
        result = GAME.result(state)
        ends["won" if result and result.winners else "stopped" if result else "open"] += 1
        assert conserved(state)
    done = 0
    while done < steps:
        rng = Random(options.seed * 10**6 + done)
        how = {"slide": rng.choice(SLIDES), "blanks": rng.choice(BLANKS)}
        for state, _, verdict in played(rng, rng.randint(2, 5), 400, **how):
            assert fold(GAME, state, verdict.events) == verdict.after
            assert conserved(verdict.after)
            done += 1
    print(f"{games} sensible games: {dict(ends)}; {done} random steps; all conserved, replay identical")
    return int(ends["open"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
