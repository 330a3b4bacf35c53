"""Results that the hub has not kept yet. They are on disk: a broker that is killed forgets what it has acknowledged."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from companion.library import write_whole

from .payloads import GameOver, Kept

REMEMBERED: Final = 64
"""So many that were kept are remembered, to know whether an end is news."""


class Letter(Struct, frozen=True):
    over: GameOver
    kept: bool = False


class Outbox:
    """One file for each game. A file that cannot be read is left alone; the game itself is in the journal."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._letters = {letter.over.id: letter for letter in _read(folder)}

    def put(self, over: GameOver) -> bool:
        """Keep it until the hub has it; False where it is no news."""
        before = self._letters.get(over.id)
        if before is not None and before.over == over:
            return False
        self._write(Letter(over))
        self._trim()
        return True

    def last(self, result: str) -> GameOver | None:
        """What was said of this game before."""
        letter = self._letters.get(result)
        return None if letter is None else letter.over

    def waiting(self) -> tuple[GameOver, ...]:
        """What the hub has not kept, oldest first."""
        found = (letter.over for letter in self._letters.values() if not letter.kept)
        return tuple(sorted(found, key=lambda over: over.ended))

    def kept(self, said: Kept) -> None:
        """The hub has it; what it says of an older end of the same game counts for nothing."""
        letter = self._letters.get(said.id)
        if letter is not None and not letter.kept and said.seq >= letter.over.seq:
            self._write(Letter(letter.over, kept=True))

    def _write(self, letter: Letter) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        write_whole(self._path(letter.over.id), msgspec.json.encode(letter).decode())
        self._letters[letter.over.id] = letter

    def _path(self, result: str) -> Path:
        return self._folder / f"{hashlib.blake2b(result.encode(), digest_size=8).hexdigest()}.json"

    def _trim(self) -> None:
        kept = sorted((each.over.ended, key) for key, each in self._letters.items() if each.kept)
        for _, key in kept[:-REMEMBERED]:
            del self._letters[key]
            self._path(key).unlink(missing_ok=True)


def _read(folder: Path) -> Iterator[Letter]:
    for path in sorted(folder.glob("*.json")):
        with contextlib.suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError):
            yield msgspec.json.decode(path.read_bytes(), type=Letter)
