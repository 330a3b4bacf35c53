"""Results that the hub has not kept yet. They are on disk, because a broker that is killed forgets what it has
acknowledged.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.library import write_whole

from .payloads import GameOver, Kept
from .telling import Guests
from .topics import TableId

REMEMBERED: Final = 64
"""How many kept results are remembered, to know whether an end is news."""


class Letter(Struct, frozen=True):
    over: GameOver
    kept: bool = False


class Outbox:
    """One file for each game. A file that cannot be read is left alone; the game itself is in the journal."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._letters = {letter.over.id: letter for letter in _read(folder)}

    def put(self, over: GameOver) -> bool:
        """Keep it until the hub has it; False if it isn't news."""
        before = self.last(over.id)
        if before is not None and before.seq == over.seq:
            if replace(over, again=before.again) == before:
                return False
            over = replace(over, again=before.again + 1)
        self._write(Letter(over))
        self._trim()
        return True

    def last(self, result: str) -> GameOver | None:
        """What was last said about this game."""
        letter = self._letters.get(result)
        return None if letter is None else letter.over

    def waiting(self) -> tuple[GameOver, ...]:
        """What the hub has not kept, oldest first."""
        found = (letter.over for letter in self._letters.values() if not letter.kept)
        return tuple(sorted(found, key=lambda over: over.ended))

    def kept(self, said: Kept) -> None:
        """The hub has it; what it says about an older end of the same game doesn't count."""
        letter = self._letters.get(said.id)
        if letter is not None and not letter.kept and (said.seq, said.again) >= (letter.over.seq, letter.over.again):
            self._write(Letter(letter.over, kept=True))

    def only(self, table: TableId) -> None:
        """Throw away what was said as another table: it was for another club."""
        for key in [key for key in self._letters if not key.startswith(f"{table}/")]:
            del self._letters[key]
            self._path(key).unlink(missing_ok=True)

    def name(self, guests: Guests) -> None:
        """From now on only these people may be named in what the hub has not kept."""
        for over in self.waiting():
            self.put(replace(over, seats=tuple(replace(seat, name=guests.called(seat.name)) for seat in over.seats)))

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
