"""Games cache by the pack what they have worked out, so a new game must not bring its own copy of the pack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.app.opening import make_setup
from companion.core import Setup
from companion.journal import Journal
from companion.library import shelf
from companion.table import Referee


def test_games_with_the_same_pack_share_it(tmp_path: Path) -> None:
    game = shelf.open("actionworks")
    shipped = make_setup(game, 2)
    with Journal.open(tmp_path / "journal.db") as journal:

        def begun(setup: Setup[Any]) -> Any:
            names = ("Ada", "Ben", "Eve")[: setup.seats]
            return Referee.begin(game, setup, names, "strict", journal, lambda: 0.0).setup.pack

        first = begun(shipped)
        assert first == shipped.pack
        assert begun(make_setup(game, 3)) is first
        own = replace(shipped.pack, id="ours")
        assert begun(replace(shipped, pack=own)) == own
