"""Entries in doubt: the disk failed so that nobody knows whether they reached it."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from companion.core import Input

from . import store
from .entries import Body
from .errors import JournalFailed, naming
from .store import BEGINNING, Row, make


class Doubts:
    """At most one row for each table; nothing is added to a table before its row is settled."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self._path: Final = path
        self._db = db
        self._rows: dict[str, Row] = {}

    def __contains__(self, table: str) -> bool:
        return table in self._rows

    def add(self, table: str, row: Row) -> None:
        self._rows[table] = row

    def is_there_after_all(self, table: str, number: int, row: Row) -> bool:
        """Whether a row is recorded though the disk said no; where that cannot be known it is in doubt, and False."""
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
        """The row in doubt, synced, or None if it never got there; raises while nobody knows."""
        found = self._find(table, number)
        self.drop(table)
        return found

    def settle_as(self, table: str, number: int, body: Body, cause: Input | None, state: str) -> Row | None:
        """As `settle`, but a row that says anything else stays in doubt and is named."""
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
