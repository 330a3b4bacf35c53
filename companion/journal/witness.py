"""A small file beside the journal that names the last recorded entry, so that a shortened record is noticed.

The chain proves every entry that is there, but not how many there should be: cutting off or deleting the log leaves a
shorter record that is sound. The witness is written after an entry is synced and is not synced itself, so it costs next
to nothing. After a power cut it may name an older entry, never one that is not there. `Doubts` are entries of which
nobody knows whether they reached the disk.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from hashlib import blake2b
from pathlib import Path
from typing import Final

from msgspec import Struct

from companion.core import Input, Seq

from . import store
from .entries import Body
from .errors import JournalFailed, beside, naming
from .store import BEGINNING, Row, make

ENDING: Final = ".witness"
_LONGEST: Final = 512
"""One sector: a disk writes it whole or not at all."""


class Told(Struct, frozen=True):
    """The last recorded entry, with its chain."""

    table: str
    seq: Seq
    chain: str


class Witness:
    """The witness of a journal that is open for writing."""

    def __init__(self, journal: Path) -> None:
        self._fd = os.open(beside(journal, ENDING), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def tell(self, told: Told) -> bool:
        """Remember an entry that was synced; returns whether that sync can be trusted.

        If a file system turns read-only at that moment, Linux reports success for a sync that wrote nothing. Then this
        write fails, too. Any other failure is harmless: the witness still names an older entry.
        """
        try:
            os.pwrite(self._fd, _line(told), 0)
        except OSError as error:
            return error.errno != errno.EROFS
        return True

    def forget(self) -> None:
        """Name no entry any more, and make sure of it; call it before entries are removed on purpose."""
        os.ftruncate(self._fd, 0)
        os.fsync(self._fd)

    def close(self) -> None:
        os.close(self._fd)


def told(journal: Path) -> Told | None:
    """What the witness of a journal says; None if there is none, or it is damaged itself."""
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


class Doubts:
    """At most one row per table; nothing is added to a table before its row is settled."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self._path: Final = path
        self._db = db
        self._rows: dict[str, Row] = {}

    def __contains__(self, table: str) -> bool:
        return table in self._rows

    def add(self, table: str, row: Row) -> None:
        self._rows[table] = row

    def is_there_after_all(self, table: str, number: int, row: Row) -> bool:
        """Whether a row was recorded although the disk said no; if that cannot be known, it is in doubt, and False."""
        try:
            found = store.row(self._db, number, row.seq)
            if found is None or found.chain != row.chain:
                return False
            if store.synced(self._db):
                return True
        except sqlite3.Error:
            pass
        self.add(table, row)
        return False

    def settle(self, table: str, number: int) -> Row | None:
        """The row in doubt, synced, or None if it never got there; raises while nobody can know."""
        found = self._find(table, number)
        self.drop(table)
        return found

    def settle_as(self, table: str, number: int, body: Body, cause: Input | None, state: str) -> Row | None:
        """Like `settle`, but a row that says anything else stays in doubt and is named."""
        doubt, found = self._rows[table], self._find(table, number)
        if found is not None:
            wanted = make(BEGINNING, doubt.seq, body, cause, doubt.at, state)
            if (wanted.body, wanted.cause, wanted.state) != (found.body, found.cause, found.state):
                found_instead = f"entry {doubt.seq} of table {table}, never shown, is there; read it first"
                raise JournalFailed(self._path, found_instead)
        self.drop(table)
        return found

    def drop(self, table: str) -> None:
        self._rows.pop(table, None)

    def _find(self, table: str, number: int) -> Row | None:
        doubt = self._rows[table]
        with naming(self._path):
            found = store.row(self._db, number, doubt.seq)
            if found is not None and not store.synced(self._db):
                raise JournalFailed(self._path, f"entry {doubt.seq} of table {table} cannot be synced")
        return found
