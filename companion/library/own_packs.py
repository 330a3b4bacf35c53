"""Packs that owners of a game made themselves: copied, changed card by card, imported from files, passed on."""

from __future__ import annotations

import re
import threading
import unicodedata
from pathlib import Path
from typing import Any, Final

from companion.core import CompanionError, Game, GameId, PieceId

from . import card_photos, packs, shelf
from .packs import Head, InBoth
from .toml_forms import parse_toml

LONGEST_ID: Final = 32
SHIPPED: Final = ""
"""The name of the pack that comes with a game."""


class NotOurs(CompanionError, PermissionError):
    """A pack that cannot be changed here: the shipped one, or one that somebody keeps in several files."""


class ChangedMeanwhile(CompanionError, RuntimeError):
    """Somebody else has changed the pack since it was shown."""


class OwnPacks:
    """The packs in `data`/packs. Thread-safe; every change is saved when the call returns."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._lock = threading.Lock()

    def names(self, game_id: GameId) -> tuple[str, ...]:
        return shelf.pack_names(game_id, self._data)

    def load(self, game: Game[Any, Any], name: str) -> Any:
        """A pack of the game; without a name, the shipped one. Raises UnknownPack, PackError."""
        return shelf.pack(game, name, self._data)

    def head(self, game_id: GameId, name: str) -> Head:
        return packs.head(shelf.pack_folder(game_id, name, self._data))

    def may_change(self, game_id: GameId, name: str) -> bool:
        if name == SHIPPED:
            return False
        folder = shelf.pack_folder(game_id, name, self._data)
        return folder.is_relative_to(self._data) and len(tuple(folder.glob("*.toml"))) == 1

    def text(self, game: Game[Any, Any], name: str) -> str:
        """A pack as one file, to pass on."""
        return packs.text(self.load(game, name), self.head(game.id, name))

    def file(self, game: Game[Any, Any], name: str) -> str:
        """The same with the photos of its cards."""
        return self.text(game, name) + card_photos.lines(shelf.pack_folder(game.id, name, self._data))

    def photo(self, game_id: GameId, name: str, card: str) -> bytes | None:
        """The photo of a card, if its owner has taken one."""
        if name not in self.names(game_id):
            return None
        return card_photos.find(shelf.pack_folder(game_id, name, self._data), card)

    def keep_photo(self, game: Game[Any, Any], name: str, card: PieceId, photo: bytes) -> None:
        """Save the photo of a card; raises NotOurs, NotSaved."""
        with self._lock:
            if not self.may_change(game.id, name):
                raise NotOurs(f"the pack {name!r} of {game.id} cannot be changed here; make a copy and change that")
            card_photos.keep(shelf.pack_folder(game.id, name, self._data), card, photo)

    def mark(self, game: Game[Any, Any], name: str) -> str:
        """A mark that changes whenever the pack does."""
        from hashlib import blake2s

        return blake2s(self.text(game, name).encode(), digest_size=8).hexdigest()

    def copy(self, game: Game[Any, Any], of: str, called: str, author: str, note: InBoth) -> str:
        """Make a copy that can be changed; returns its name."""
        with self._lock:
            name = self._free_name(game.id, called)
            kept = self._keep(game, self.load(game, of), Head(name, InBoth(called, called), author, note))
            folders = (shelf.pack_folder(game.id, each, self._data) for each in (of, kept))
            card_photos.copy(*folders)
            return kept

    def take_in(self, game: Game[Any, Any], text: str) -> str:
        """Keep a pack from a file under its own name, or a similar one; raises PackError with every problem."""
        pack, head = packs.parse(text, game.pack)
        with self._lock:
            name = self._free_name(game.id, head.id)
            kept = self._keep(game, pack, Head(name, head.name, head.author, head.note))
            tables, _ = parse_toml(text, packs.HEAD_FILE)
            for card, photo in card_photos.parsed(tables.get(card_photos.TABLE)).items():
                card_photos.keep(shelf.pack_folder(game.id, kept, self._data), card, photo)
            return kept

    def change(self, game: Game[Any, Any], name: str, pack: Any, mark: str) -> None:
        """Replace the pack that had this `mark` with `pack`."""
        with self._lock:
            if not self.may_change(game.id, name):
                raise NotOurs(f"the pack {name!r} of {game.id} cannot be changed here; make a copy and change that")
            if mark != self.mark(game, name):
                raise ChangedMeanwhile(f"the pack {name!r} has changed meanwhile; open it again and repeat the change")
            self._keep(game, pack, self.head(game.id, name))

    def throw_away(self, game: Game[Any, Any], name: str) -> None:
        """Delete a pack; games being played with it have their own copy."""
        with self._lock:
            if not self.may_change(game.id, name):
                raise NotOurs(f"the pack {name!r} of {game.id} cannot be deleted here; only packs made here can")
            import shutil

            shutil.rmtree(shelf.pack_folder(game.id, name, self._data))

    def _keep(self, game: Game[Any, Any], pack: Any, head: Head) -> str:
        """Save only what can be read back."""
        packs.parse(packs.text(pack, head), game.pack)
        packs.save(self._data / "packs" / game.id / head.id, pack, head)
        return head.id

    def _free_name(self, game_id: GameId, called: str) -> str:
        plain = unicodedata.normalize("NFKD", called).encode("ascii", "ignore").decode().lower()
        name = "-".join(re.findall(r"[a-z0-9]+", plain))[:LONGEST_ID].strip("-") or "own"
        taken = self.names(game_id)
        tries = (name if n == 1 else f"{name}-{n}" for n in range(1, len(taken) + 2))
        return next(free for free in tries if free not in taken)
