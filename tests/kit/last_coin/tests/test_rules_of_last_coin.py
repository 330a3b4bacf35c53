"""Read by the kit for its marks; `test_kit_tiny.py` beside it plays."""

from __future__ import annotations

import pytest


@pytest.mark.rule("L1", "L2")
def test_the_last_coin_wins() -> None:
    from last_coin import GAME, State, Taken

    after = GAME.apply(State(heap=2, turn=0), Taken(0, 2))
    assert GAME.result(after).winners == (0,)
