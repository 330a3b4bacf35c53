"""A scrambled table is put right by the fewest moves, and following what the box says always ends in step.

    python tests/campaigns/scrambled.py [--tables N] [--short] [--seed N]

At many moments of games on every mat one to four pieces are laid wrong: swapped, laid elsewhere, taken off. Unless that
is just what a legal intent would leave there, the table is out of step; what the box names is then carried out. That
list must be as short as the shortest that a search finds, and at its end table and record agree.
Controls: a list that names a piece too many, and one that forgets one.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from itertools import combinations, product
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[2]))

from companion.app.kit.kit import Kit
from companion.core import Mat, PieceId, PlaceId
from companion.core.evidence import Amiss
from companion.library import shelf
from companion.table import reading
from tests.campaigns._moving import MovedTable

GAMES: Final = ("us-patent", "one-false-step", "actionworks")
OFF: Final = PlaceId("beside the mat")
EVERY: Final = 5
"""Acts between two tables that are scrambled."""


def scramble(table: MovedTable, chance: random.Random) -> None:
    """Lay one to four pieces of the mat wrong."""
    lying = sorted(table.on)
    pieces = chance.sample(lying, min(chance.randint(1, 4), len(lying)))
    places = sorted(set(table.mat.zones().values()))
    if len(pieces) > 1 and chance.random() < 0.5:
        to = [table.lies[piece] for piece in (*pieces[1:], pieces[0])]
    else:
        to = [chance.choice((*places, OFF)) for _ in pieces]
    table.swap(pieces, to)


def fewest(table: MovedTable, most: int) -> int:
    """How many pieces must be moved at least, found by trying: first one, then two, and so on."""
    should, seen = _should(table), {piece: table.lies[piece] for piece in table.on}
    pieces = sorted({piece for piece in {*should, *seen} if should.get(piece) != seen.get(piece)})
    for n in range(most + 1):
        for moved in combinations(pieces, n):
            targets = [sorted({*should.values(), OFF}) for _ in moved]
            for to in product(*targets) if n <= 2 else [tuple(should.get(piece, OFF) for piece in moved)]:
                after = {**seen, **dict(zip(moved, to, strict=True))}
                if {p: at for p, at in after.items() if at != OFF} == should:
                    return n
    return most + 1


def _should(table: MovedTable) -> dict[PieceId, PlaceId]:
    now = reading.look(table.desk)
    return {piece: place for place, piece in now.should.lying if place not in now.should.believed}


def put_right(table: MovedTable, named: tuple[Amiss, ...]) -> None:
    """As people do: take up what lies wrong, then lay each piece where it belongs."""
    table.swap([each.piece for each in named], [each.belongs or OFF for each in named])


def play(kit: Kit, mat: Mat, tables: int, chance: random.Random, spoil: int = 0) -> tuple[Counter[str], list[str]]:
    """`spoil` makes the list longer (1) or shorter (-1) than it is."""
    counts, wrong, seed = Counter[str](), list[str](), 0
    while counts["scrambled"] < tables:
        seed += 1
        with MovedTable(kit.game, kit.setup(kit.seats()[1], seed), mat, chance) as table:
            for act in range(300):
                if (
                    not table.desk.referee.at.decisions
                    or counts["scrambled"] >= tables
                    or not _acted(table, kit, chance)
                ):
                    break
                if act % EVERY == 0 and table.on and not table.desk.hands.found and not _crowded(table):
                    trouble = _one(table, chance, counts, spoil)
                    if trouble:
                        wrong.append(trouble)
                    break
    return counts, wrong


def _acted(table: MovedTable, kit: Kit, chance: random.Random) -> bool:
    """One sensible act, said; hands follow."""
    table.say(kit.sensible_pick(table.state, chance))
    table.follow()
    return not table.desk.hands.astray


def _crowded(table: MovedTable) -> bool:
    return bool(reading.look(table.desk).should.believed)


def _one(table: MovedTable, chance: random.Random, counts: Counter[str], spoil: int) -> str:
    seq = table.desk.referee.at.seq
    scramble(table, chance)
    table.rest()
    counts["scrambled"] += 1
    if table.done_since(seq):
        counts["a legal act"] += 1
        return ""
    named = table.desk.hands.astray
    if not named:
        counts["asked or not seen"] += 1
        return ""
    counts["out of step"] += 1
    named = (*named, named[0]) if spoil > 0 else named[:-1] if spoil else named
    if len(named) != fewest(table, 4):
        return f"{len(named)} repairs named, {fewest(table, 4)} needed: {named}"
    put_right(table, named)
    table.rest()
    return f"still out of step: {table.desk.hands.astray}" if table.desk.hands.found else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=2_000, help="for each game and mat")
    parser.add_argument("--short", action="store_true", help="a few seconds in all")
    parser.add_argument("--seed", type=int, default=18)
    options = parser.parse_args()
    tables, bad = 8 if options.short else options.tables, 0
    for name in GAMES:
        kit = Kit(shelf.open(name))
        trays = kit.game.trays(kit.pack)
        for mat in (each for each in kit.game.mats(kit.seats()[1]) if set(each.zones().values()) - trays):
            start, seed = time.monotonic(), f"{options.seed}{name}{mat.name}"
            counts, wrong = play(kit, mat, tables, random.Random(seed))
            print(
                f"{name:15} {mat.name:6} {dict(counts)}, {len(wrong)} wrong, {time.monotonic() - start:.0f} s",
                flush=True,
            )
            for each in wrong[:5]:
                print("  ", each)
            caught = [len(play(kit, mat, min(tables, 50), random.Random(seed), spoil)[1]) for spoil in (1, -1)]
            print(f"{'':22} a list too long caught {caught[0]} times, one too short {caught[1]} times")
            bad += len(wrong) + (0 in caught)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
