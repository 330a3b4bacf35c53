"""Evenings while everything goes wrong, and builds broken on purpose: each must be caught within 50 games.

    python tests/campaigns/prove.py [--short] [--games N] [--seed N]

The proof itself is `companion prove`. Here it is proven in turn: a box that loses what it told, one that acts twice,
one that forgets rules and one that shows hands to everybody play the same evenings. In the long form also tables that
tell their club what one seat sees, other rules than they play by, never how a game ended, or the newest entry late.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from companion.app.prove import Asked, Plant, added_up, headline, run
from tests.campaigns._broken import BROKEN, IN_CLUB

WITHIN = 50
SHORT = 2
CAUGHT = {"wrong": 6, "leaked": 3}
"""Evenings that have caught a broken build before: the short form begins with them."""


def caught_after(kind: str, plant: Plant, seed: int, folder: Path, processes: int, named: str = "") -> int | None:
    """The evening in which a broken build is caught for what is wrong with it, in such words; None where it is not."""
    asked = Asked(tuple(range(seed, seed + WITHIN)), folder, processes, plant=plant, shrinks=False)
    with closing(run(asked)) as outcomes:
        for played, outcome in enumerate(outcomes, 1):
            if any(each.kind == kind and named in each.what for each in outcome.failures):
                return played
    return None


def _first(kind: str, options: argparse.Namespace) -> int:
    first: int = CAUGHT.get(kind, options.seed) if options.short else options.seed
    return first


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--short", action="store_true", help=f"{SHORT} evenings")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    games, processes = (SHORT, 2) if options.short else (options.games, 4)
    with tempfile.TemporaryDirectory() as folder:
        seeds = tuple(range(options.seed, options.seed + games))
        total = added_up(run(Asked(seeds, Path(folder), processes)))
        print(headline(total))
        after = {
            kind: caught_after(kind, plant, _first(kind, options), Path(folder), processes)
            for kind, plant in BROKEN.items()
        }
        if not options.short:
            after |= {
                f"{kind} in a club": caught_after(kind, plant, options.seed, Path(folder), processes, "club")
                for kind, plant in IN_CLUB.items()
            }
    for kind, evenings in after.items():
        print(f"{kind}: {'NOT CAUGHT' if evenings is None else f'caught in evening {evenings}'}", flush=True)
    for seed, failure in total.failures:
        print("FAILED", seed, failure)
    return 1 if total.failures or None in after.values() else 0


if __name__ == "__main__":
    sys.exit(main())
