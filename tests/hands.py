"""Which tests one worker of pytest-xdist runs together."""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

from companion.library import shelf

KIT = "companion/app/kit/"


def together(test: str) -> str:
    """One worker runs a whole file, so that what it needs is prepared once.

    The kit prepares for each game, and its longest file would keep one worker busy after all others are done, so
    there the unit is a file with one game.
    """
    file, _, name = test.partition("::")
    game = next((game for game in shelf.games() if game in name), "") if file.startswith(KIT) else ""
    return f"{file} {game}"


class ByFileAndGame(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return together(nodeid)
