"""Prices and markets traced twice on many random boards: by the game, and by the independent tracer.

python tests/campaigns/timeline_tracer.py [--boards N] [--seed S] [--short]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from companion.core import PieceId
from companion.games.timeline.state import COLOURS, Laid, lines_of, markets_in
from companion.games.timeline.state.cards import turned
from tests.games.timeline.board import PACK
from tests.games.timeline.tracer import goods_by_market, random_column

SHORT = 2000


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--boards", type=int, default=10**6)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--short", action="store_true")
    options = asked.parse_args()
    boards = SHORT if options.short else options.boards
    faces = (*lines_of(PACK, False).values(), *(turned(face) for face in lines_of(PACK, False).values()))
    rng, wrong = Random(options.seed), 0
    for number in range(boards):
        painted = [random_column(rng, faces, gaps=number % 2 == 1) for _ in range(rng.randint(4, 6))]
        columns = tuple(tuple(Laid(PieceId("x"), top, lines) for top, lines in column) for column in painted)
        ours = {lane: COLOURS[good] for good, lane in enumerate(markets_in(PACK, columns))}
        if ours != goods_by_market(painted, PACK.start, -24, 40):
            wrong += 1
            print(f"board {number}: {painted}")
    print(f"{boards} boards, {wrong} differ")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
