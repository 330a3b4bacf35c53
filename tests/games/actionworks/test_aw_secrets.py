"""What a hidden card would do. The kit checks that nobody can tell apart what they were never shown."""

from __future__ import annotations

import msgspec

from companion.core import (
    PUBLIC,
    SeatId,
)
from companion.games.actionworks import GAME
from tests.games.actionworks.play import laid


def test_what_would_be_done_with_a_hidden_card_is_not_foreseen_in_public() -> None:
    table = laid("make-7 take-4", "borrow-5")
    for intent in table.legal(SeatId(0)):
        shown = msgspec.json.encode(GAME.foresee(table.view(PUBLIC), intent)).decode()
        assert "make" not in shown
        assert '"points",7' not in shown
