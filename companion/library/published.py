"""Games that others publish: installed packages, found through the entry point group `table_companion.games`.

The name of an entry point is the id of its game, its value the module and the name of the game in it: `high-card =
"high_card:GAME"`. A game that cannot be played for any reason is named and left out; the box goes on.
"""

from __future__ import annotations

import logging
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from companion.core import Game, GameId

from . import packs
from .texts import Texts

log = logging.getLogger(__name__)

GROUP: Final = "table_companion.games"


class Published(Struct, frozen=True):
    """A playable game, and the folder with its texts and its pack."""

    game: Game[Any, Any]
    folder: Path
    module: str


class LeftOut(Struct, frozen=True):
    """A game that cannot be played: its name, the package that brought it, and why not."""

    game: str
    package: str
    why: str


class Found(Struct, frozen=True):
    games: dict[GameId, Published]
    left_out: tuple[LeftOut, ...]


def found(taken: frozenset[GameId]) -> Found:
    """The installed games; `taken` are the ids of ours. Each package is loaded once."""
    return _found(taken, tuple(sys.path))


@cache
def _found(taken: frozenset[GameId], _path: tuple[str, ...]) -> Found:
    # Only whoever asks for the shelf waits for this import: the display shows something before.
    from importlib.metadata import entry_points

    games: dict[GameId, Published] = {}
    left_out = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        try:
            games[GameId(point.name)] = _loaded(point, taken | games.keys())
        except (Exception, SystemExit) as error:  # noqa: BLE001 - others wrote it: whatever it does, the box goes on
            package = point.dist.name if point.dist is not None else point.module
            left_out.append(LeftOut(point.name, package, f"{type(error).__name__}: {error}"))
            log.warning("the game %s of %s is left out: %s: %s", point.name, package, type(error).__name__, error)
    return Found(games, tuple(left_out))


def _loaded(point: Any, taken: frozenset[GameId]) -> Published:
    """The game with a pack and texts that can be read: anything that would fail once people choose it fails here."""
    if point.name in taken:
        raise ValueError(f"another game is called {point.name!r} already; give this one another id")
    game = point.load()
    if not isinstance(game, Game):
        raise TypeError(f"{point.value} is not a Game; the entry point must name one, such as 'high_card:GAME'")
    if game.id != point.name:
        raise ValueError(f"{point.value} calls itself {game.id!r}; the name of the entry point must be the same")
    source = sys.modules[point.module].__file__
    if source is None:
        raise ImportError(f"{point.module} has no folder; its package needs an __init__.py beside texts/ and pack/")
    folder = Path(source).parent
    Texts.load(folder / "texts")
    packs.load(folder / "pack", game.pack)
    return Published(game, folder, point.module)
