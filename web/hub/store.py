"""What a hub keeps: each result once, the tables' names, and who is left out. One SQLite file of its own."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from companion.core import CompanionError
from web.club import GameOver, TableId

from .league import key_of

STORE: Final = "hub.db"
FORMAT: Final = 1
_SCHEMA: Final = """
CREATE TABLE tables (id TEXT PRIMARY KEY, name TEXT NOT NULL, shown INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE results (id TEXT PRIMARY KEY, host TEXT NOT NULL, seq INTEGER NOT NULL, stands INTEGER NOT NULL,
  ended REAL NOT NULL, body BLOB NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX by_end ON results (ended);
CREATE TABLE paired (id TEXT PRIMARY KEY, hash TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE left_out (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
"""
_KEEP: Final = """
INSERT INTO results VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
SET seq = excluded.seq, stands = excluded.stands, ended = excluded.ended, body = excluded.body
WHERE (excluded.seq, coalesce(json_extract(CAST(excluded.body AS TEXT), '$.again'), 0), excluded.body)
  > (seq, coalesce(json_extract(CAST(body AS TEXT), '$.again'), 0), body)
"""
"""Whichever of two results for one game arrives first, the later one stays."""


class NotAStore(CompanionError, ValueError):
    """A file that wasn't made by a hub of this version."""


class NotKept(CompanionError, OSError):
    """The disk could not write or read it; nothing of it was acknowledged."""


class Kept(Struct, frozen=True):
    """A table that this hub has heard of."""

    id: TableId
    name: str
    shown: bool


class FromTable(Struct, frozen=True):
    """A result that counts, with its table's name."""

    table: str
    finished: GameOver


class Store:
    """Thread-safe. Whatever it was given is on the disk when a call returns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        try:
            self._open()
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise NotAStore(f"{path} is no record of a hub ({error}); move it away, and a new one is begun") from error

    def _open(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        (found,) = self._db.execute("PRAGMA user_version").fetchone()
        if found == 0:
            self._db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {FORMAT}; COMMIT;")
        elif found != FORMAT:
            self._db.close()
            made = f"{self.path} has format {found} and this version reads {FORMAT}"
            raise NotAStore(f"{made}; use the version that made it, or a newer one")

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def keep(self, table: TableId, finished: GameOver) -> None:
        """Keep a result; the same one is kept once, and of two for one game the later one counts."""
        body = msgspec.json.encode(finished)
        row = (finished.id, table, finished.seq, finished.stands, finished.ended, body)
        with self._at() as db:
            db.execute(_KEEP, row)

    def note(self, table: TableId, name: str, shown: bool) -> None:
        """A table's name, and whether its people want it shown."""
        with self._at() as db:
            db.execute("INSERT OR REPLACE INTO tables VALUES (?, ?, ?)", (table, name, shown))

    def pair(self, table: TableId, hashed: str) -> None:
        """Remember the secret by which a table proves that it is the same one."""
        with self._at() as db:
            db.execute("INSERT OR REPLACE INTO paired VALUES (?, ?)", (table, hashed))

    def paired(self, table: TableId) -> str:
        with self._at() as db:
            found = db.execute("SELECT hash FROM paired WHERE id = ?", (table,)).fetchone()
        return "" if found is None else str(found[0])

    def tables(self) -> tuple[Kept, ...]:
        with self._at() as db:
            rows = db.execute("SELECT id, name, shown FROM tables ORDER BY name, id").fetchall()
        return tuple(Kept(TableId(id_), name, bool(shown)) for id_, name, shown in rows)

    def forget(self, table: TableId) -> None:
        """Take a table off every list, with its results."""
        with self._at() as db:
            db.execute("BEGIN")
            db.execute("DELETE FROM results WHERE host = ?", (table,))
            db.execute("DELETE FROM tables WHERE id = ?", (table,))
            db.execute("DELETE FROM paired WHERE id = ?", (table,))
            db.execute("COMMIT")

    def leave_out(self, name: str, on: bool = True) -> None:
        """Leave somebody out of every list from now on, or not; what was kept stays, without the name."""
        told = "INSERT OR IGNORE INTO left_out VALUES (?)" if on else "DELETE FROM left_out WHERE name = ?"
        with self._at() as db:
            db.execute(told, (key_of(name),))

    def left_out(self) -> frozenset[str]:
        """Names as normalised by `key_of`."""
        with self._at() as db:
            return frozenset(name for (name,) in db.execute("SELECT name FROM left_out"))

    def results(self, since: float = 0.0) -> tuple[FromTable, ...]:
        """Results that count, of tables that want to be shown, in the order in which the games ended."""
        told = """SELECT tables.name, body FROM results JOIN tables ON tables.id = host
                  WHERE stands AND shown AND ended >= ? ORDER BY ended, results.id"""
        with self._at() as db:
            rows = db.execute(told, (since,)).fetchall()
        return tuple(FromTable(name, msgspec.json.decode(body, type=GameOver)) for name, body in rows)

    def edition(self) -> int:
        """A number that changes with everything kept here."""
        with self._at() as db:
            return db.total_changes

    @contextmanager
    def _at(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._db
            except sqlite3.Error as error:
                raise NotKept(f"{self.path} cannot be used ({error}); see whether its disk is full") from error
