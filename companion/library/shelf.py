"""The games found on disk: one folder of `companion.games` is one game."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar

from companion import games as _games
from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.ids import GameId

from . import packs
from .toml_forms import nearest

P = TypeVar("P")

_LOCALE = Path(__file__).parent.parent / "locale"


WORKSHOP: Final = "WORKSHOP.md"
"""Lies in the folder of a game that is not finished."""


class UnknownGame(CompanionError, LookupError):
    """A game that is not on the shelf."""


class UnknownPack(CompanionError, LookupError):
    """A pack that is not there."""


class BrokenGame(CompanionError, ImportError):
    """A folder of the shelf that gives no game."""


def games() -> tuple[GameId, ...]:
    """The ids of all games that people are offered; none of them is imported.

    A game whose folder holds a WORKSHOP.md is still being built: that page says what it lacks, and it is not offered.
    """
    found = (GameId(m.name.replace("_", "-")) for m in pkgutil.iter_modules(_games.__path__) if m.ispkg)
    return tuple(sorted(game_id for game_id in found if not (_folder(game_id) / WORKSHOP).exists()))


def open(game_id: str) -> Game[Any, Any]:  # noqa: A001
    """The game of that id; raises UnknownGame with the nearest name, BrokenGame when its folder gives none."""
    if game_id not in games():
        guess = nearest(game_id, games())
        meant = f"did you mean {guess!r}?" if guess else f"there are: {', '.join(games()) or 'none'}"
        raise UnknownGame(f"no game {game_id!r} on the shelf; {meant}")
    module = import_module(f"{_games.__name__}.{_folder_name(game_id)}")
    game = getattr(module, "GAME", None)
    if not isinstance(game, Game):
        raise BrokenGame(f"{module.__name__} gives no game: its __init__.py must set GAME to a Game")
    if game.id != game_id:
        raise BrokenGame(f"{module.__name__} calls its game {game.id!r}; the id must be {game_id!r}, after its folder")
    return game


def pack(game: Game[Any, P], name: str = "", data: Path | None = None) -> P:
    """A pack of a game: the shipped one without a name, else that of the owner in `data`/packs/<game>/<name>.

    A game may ship more packs in its folder, to be copied and filled in.
    """
    return packs.load(pack_folder(game.id, name, data), game.pack)  # type: ignore[type-var]


def pack_names(game_id: GameId, data: Path) -> tuple[str, ...]:
    """The packs of a game that have names: those that come with it besides the usual one, then the owner's own."""
    return (*_names_in(_folder(game_id) / "packs"), *_names_in(data / "packs" / game_id))


def _names_in(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.parent.name for path in folder.glob(f"*/{packs.HEAD_FILE}")))


def pack_folder(game_id: GameId, name: str = "", data: Path | None = None) -> Path:
    if not name:
        return _folder(game_id) / "pack"
    names = pack_names(game_id, data) if data is not None else ()
    if data is None or name not in names:
        guess = nearest(name, names)
        meant = f"did you mean {guess!r}?" if guess else f"there are: {', '.join(names) or 'none'}"
        raise UnknownPack(f"no pack {name!r} for {game_id}; {meant}")
    own = data / "packs" / game_id / name
    return own if own.exists() else _folder(game_id) / "packs" / name


def texts_folders(game_id: GameId) -> tuple[Path, ...]:
    """Where the texts of a game are, its own first, then the companion's."""
    return (_folder(game_id) / "texts", _LOCALE)


def _folder(game_id: GameId) -> Path:
    return Path(_games.__path__[0]) / _folder_name(game_id)


def _folder_name(game_id: str) -> str:
    return game_id.replace("-", "_")
