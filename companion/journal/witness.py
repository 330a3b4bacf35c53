"""Which entry was recorded last, told by a small file beside the journal: a record that became shorter is noticed.

The chain proves every entry that is there, and nothing about how many there should be: a log that was cut off or
thrown away leaves a shorter record that is sound. The witness is written after an entry was synced and is not synced
itself, so it costs next to nothing. After a power cut it may tell of an older entry, never of one that is not there.
"""

from __future__ import annotations

import errno
import os
from hashlib import blake2b
from pathlib import Path
from typing import Final

from msgspec import Struct

from companion.core import Seq

from .errors import beside

ENDING: Final = ".witness"
_LONGEST: Final = 512
"""One sector: a disk writes it whole or not at all."""


class Told(Struct, frozen=True):
    """The entry that was recorded last, with its chain."""

    table: str
    seq: Seq
    chain: str


class Witness:
    """The witness of a journal that is open to write."""

    def __init__(self, journal: Path) -> None:
        self._fd = os.open(beside(journal, ENDING), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def tell(self, told: Told) -> bool:
        """Remember an entry that was synced; whether that sync can be believed.

        On a file system that turns read-only in that moment, Linux lets a sync succeed that wrote nothing. Then this
        fails, too. Any other failure is no trouble: an older entry stays told.
        """
        try:
            os.pwrite(self._fd, _line(told), 0)
        except OSError as error:
            return error.errno != errno.EROFS
        return True

    def forget(self) -> None:
        """Tell of no entry any more, and be sure of it: call it before entries are taken away on purpose."""
        os.ftruncate(self._fd, 0)
        os.fsync(self._fd)

    def close(self) -> None:
        os.close(self._fd)


def told(journal: Path) -> Told | None:
    """What the witness of a journal tells; None where there is none, or it is damaged itself."""
    try:
        with beside(journal, ENDING).open("rb") as file:
            line = file.read(_LONGEST).partition(b"\n")[0]
        table, seq, chain, _ = line.decode("ascii").split(" ")
        found = Told(table, Seq(int(seq)), chain)
    except (FileNotFoundError, ValueError):
        return None
    return found if _line(found) == line + b"\n" else None


def _line(told: Told) -> bytes:
    said = f"{told.table} {told.seq} {told.chain}"
    check = blake2b(said.encode(), digest_size=8, person=b"witness").hexdigest()
    return f"{said} {check}\n".encode()
