"""Fair random playouts (see `fair`) of each game against an anchor of its kind, by turns in one run, in CPU time."""

from __future__ import annotations

import pytest

from companion.core import GameId
from companion.library import shelf
from tests.bench import fair
from tests.bench.measured import Measured

SLICES, OURS, THEIRS = 16, 1000, 500
"""Many short slices, to average out other work on the machine and the different seats and options."""
# The limits are a fifth below what the slowest machine gave: against RLCard, which works with NumPy, it was 1.5 to 2.


@pytest.mark.parametrize(
    ("game", "anchor", "theirs", "limit", "target"),
    [
        ("timeline", "python-chess", fair.chess_moves, 1.5, 1.2),
        ("one-false-step", "catanatron", fair.settlers, 1.1, 1.5),
        ("us-patent", "catanatron", fair.settlers, 1.0, 2.5),
        ("actionworks", "RLCard uno", fair.uno, 1.2, 3.0),
    ],
)
def test_fair_playouts(game: str, anchor: str, theirs: fair.Anchor, limit: float, target: float, row: Measured) -> None:
    ours, anchors = fair.ours(shelf.open(GameId(game))), theirs()
    fair.per_second(ours, 2 * OURS), fair.per_second(anchors, 2 * THEIRS)

    def slices() -> list[float]:
        return [fair.per_second(ours, OURS) / fair.per_second(anchors, THEIRS) for _ in range(SLICES)]

    row.at_least(f"{game}, fair playouts", anchor, slices(), limit, target, slices)
