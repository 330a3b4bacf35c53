"""The games found on disk: each folder of `companion.games` is one, and so is each that others have published."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar

from companion import games as _games
from companion.core import CompanionError, Game, GameId

from . import packs, published
from .published import LeftOut
from .toml_forms import nearest

P = TypeVar("P")

_LOCALE = Path(__file__).parent.parent / "locale"
_ALIKE = Path(__file__).parent.parent / "games" / "texts"


WORKSHOP: Final = "WORKSHOP.md"
"""Marks the folder of an unfinished game."""


class UnknownGame(CompanionError, LookupError):
    """The game is not on the shelf."""


class UnknownPack(CompanionError, LookupError):
    """There is no such pack."""


class BrokenGame(CompanionError, ImportError):
    """A folder of the shelf that does not contain a game."""


def games() -> tuple[GameId, ...]:
    """The ids of all games on offer; imports none of ours.

    A game whose folder has a WORKSHOP.md is still being built: that page says what it lacks, and it is not offered.
    """
    ours = (game_id for game_id in _ours() if not (_folder_here(game_id) / WORKSHOP).exists())
    return tuple(sorted((*ours, *_published().games)))


def left_out() -> tuple[LeftOut, ...]:
    """The games that others published and that cannot be played here, each with the reason."""
    return _published().left_out


def open(game_id: str) -> Game[Any, Any]:  # noqa: A001
    """The game with that id; raises UnknownGame with the nearest name, or BrokenGame if its folder has no game."""
    if game_id not in games():
        raise UnknownGame(f"no game {game_id!r} on the shelf; {_meant(game_id)}")
    others = _published().games.get(GameId(game_id))
    return _opened(game_id) if others is None else others.game


def _meant(game_id: str) -> str:
    if (why := next((each.why for each in left_out() if each.game == game_id), None)) is not None:
        return f"it is installed but left out: {why}"
    guess = nearest(game_id, games())
    return f"did you mean {guess!r}?" if guess else f"there are: {', '.join(games()) or 'none'}"


def _opened(game_id: str) -> Game[Any, Any]:
    name = module(GameId(game_id))
    try:
        game = getattr(import_module(name), "GAME", None)
    except (Exception, SystemExit) as error:
        raise BrokenGame(f"{name} cannot be imported: {type(error).__name__}: {error}; install it again") from error
    if not isinstance(game, Game):
        raise BrokenGame(f"{name} gives no game: its __init__.py must set GAME to a Game")
    if game.id != game_id:
        raise BrokenGame(f"{name} calls its game {game.id!r}; the id must be {game_id!r}, after its folder")
    return game


def module(game_id: GameId) -> str:
    """The module that gives the game."""
    others = _published().games.get(game_id)
    return f"{_games.__name__}.{_folder_name(game_id)}" if others is None else others.module


def folder(game_id: GameId) -> Path:
    """Where the game is: its code, pack and texts."""
    others = _published().games.get(game_id)
    return _folder_here(game_id) if others is None else others.folder


def pack(game: Game[Any, P], name: str = "", data: Path | None = None) -> P:
    """A pack of a game: the shipped one without a name, else the owner's in `data`/packs/<game>/<name>.

    A game may ship more packs in its folder, to be copied and filled in.
    """
    return packs.load(pack_folder(game.id, name, data), game.pack)  # type: ignore[type-var]


def pack_names(game_id: GameId, data: Path) -> tuple[str, ...]:
    """The packs of a game that have names: others that come with it, then the owner's own."""
    return (*_names_in(folder(game_id) / "packs"), *_names_in(data / "packs" / game_id))


def _names_in(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.parent.name for path in folder.glob(f"*/{packs.HEAD_FILE}")))


def pack_folder(game_id: GameId, name: str = "", data: Path | None = None) -> Path:
    if not name:
        return folder(game_id) / "pack"
    names = pack_names(game_id, data) if data is not None else ()
    if data is None or name not in names:
        guess = nearest(name, names)
        meant = f"did you mean {guess!r}?" if guess else f"there are: {', '.join(names) or 'none'}"
        raise UnknownPack(f"no pack {name!r} for {game_id}; {meant}")
    own = data / "packs" / game_id / name
    return own if own.exists() else folder(game_id) / "packs" / name


def texts_folders(game_id: GameId) -> tuple[Path, ...]:
    """Where the texts of a game are: its own first, then the companion's, then those that games share."""
    return (folder(game_id) / "texts", _LOCALE, _ALIKE)


def _ours() -> frozenset[GameId]:
    return _in_folders(tuple(_games.__path__))


@cache
def _in_folders(folders: tuple[str, ...]) -> frozenset[GameId]:
    return frozenset(GameId(m.name.replace("_", "-")) for m in pkgutil.iter_modules(folders) if m.ispkg)


def _published() -> published.Found:
    return published.found(_ours())


def _folder_here(game_id: GameId) -> Path:
    return Path(_games.__path__[0]) / _folder_name(game_id)


def _folder_name(game_id: str) -> str:
    return game_id.replace("-", "_")
