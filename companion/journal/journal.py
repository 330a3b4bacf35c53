"""The open journal: one file, one connection that writes, every entry synced before anyone is told."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from msgspec import Struct

from companion.core.ids import Seq
from companion.core.inputs import Input

from . import checks, file, listing, store, transfer
from .checks import Problem
from .entries import Body, Entry, GameRow, Opened
from .errors import JournalDamaged, JournalError, JournalFailed, NoSuchTable, beside, named, naming
from .rows import BEGINNING, Row, command_of, make, short_ids
from .transfer import Imported

JOURNAL: Final = "games.journal"
"""Its file in the data folder."""
_START: Final = Seq(0)


class _Tail(Struct, frozen=True):
    """Where the next entry of a table goes."""

    number: int
    seq: int
    chain: str


class Journal:
    """Every game in one file. A context manager; `close` is final.

    It may be handed from one thread to another, but only one may use it at a time; others `look`. All methods raise
    the named errors of `companion.journal.errors`, each with a `said` to show. After an error the journal is as it
    was before the call, and the call may be made again.
    """

    def __init__(self, path: Path, db: sqlite3.Connection, lock: int | None) -> None:
        self.path: Final = path
        self._db = db
        self._lock = lock
        self._tails: dict[str, _Tail] = {}
        self._doubts: dict[str, Row] = {}
        self._parts: Final = (str(path), str(beside(path, "-wal")))
        self._inodes: Final = tuple(map(_inode, self._parts))

    @classmethod
    def open(
        cls, path: Path, *, _synchronous: file.Synchronous = "FULL", _connect: file.Connect = sqlite3.connect
    ) -> Self:
        """Open the journal at `path` to write, for this program alone; a missing one is made.

        The two private options exist for proofs: a journal that does not sync, and a disk that misbehaves.
        """
        with naming(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = file.lock(path)
            try:
                if not path.exists():
                    file.make(path)
                return cls(path, file.connect(path, _synchronous, _connect), lock)
            except BaseException:
                os.close(lock)
                raise

    @classmethod
    def look(cls, path: Path) -> Self:
        """Open an existing journal to read only, also while another program writes to it."""
        with naming(path):
            return cls(path, file.connect_to_read(path), None)

    def close(self) -> None:
        self._db.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def create(self, opened: Opened, at: float, state: str) -> str:
        """Open a new table and return its short id; `opened` is its entry 1, synced before this returns.

        Where a failing disk leaves it open whether that succeeded, trying again may leave a second table with one
        entry in the list; it was never shown and can be archived.
        """
        row = make(BEGINNING, Seq(1), opened, None, at, state)
        with naming(self.path), self._transaction():
            table = next(name for name in short_ids(row.chain) if store.number_of(self._db, name) is None)
            store.insert(self._db, store.add_table(self._db, table), row, None)
        return table

    def append(self, table: str, body: Body, cause: Input | None, at: float, state: str) -> Entry:
        """Add one entry and return it, synced: from now on it may be shown.

        If this raises, the entry was not recorded, its seq is not used up, and it may be tried again. A disk may fail
        so that nobody knows whether the entry reached it; then the row is read again and decides. If even that fails,
        the next `append` to this table settles it first: an entry found there after all is returned instead of added
        twice (same body, cause and state), and a different one is refused until `settle` was called and what it found
        was read.
        """
        if table in self._doubts and (entry := self._settle(table, body, cause, state)) is not None:
            return entry
        tail = self._tails.get(table) or self._find_tail(table)
        row = make(tail.chain, Seq(tail.seq + 1), body, cause, at, state)
        self._check_in_place()
        try:
            store.insert(self._db, tail.number, row, command_of(cause))
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.Error as error:
            self._tails.pop(table, None)
            if not self._is_there_after_all(table, tail.number, row):
                raise named(self.path, error) from error
        self._tails[table] = _Tail(tail.number, row.seq, row.chain)
        return Entry(row.seq, row.at, body, cause, state, row.chain)

    def settle(self, table: str) -> None:
        """Find out whether an entry in doubt is there, so that `entries` can be trusted; raises while nobody knows."""
        if table in self._doubts:
            self._find_doubted(table)
            del self._doubts[table]

    def entries(self, table: str, after: Seq = _START) -> Iterator[Entry]:
        """The entries after `after`, oldest first, each checked against the chain; JournalDamaged at the first bad one.

        Read it to its end before the journal is closed.
        """
        number = self._number(table)
        with naming(self.path):
            before = store.row(self._db, number, after)
            chain = BEGINNING if before is None else before.chain
            for seq, row in enumerate(store.rows(self._db, number, after), start=after + 1):
                yield checks.sound(self.path, table, row, seq, chain)
                chain = row.chain

    def command(self, table: str, command: str) -> Entry | None:
        """The first entry that a phone's command led to, also before a restart; None if it led to none."""
        number = self._number(table)
        with naming(self.path):
            row = store.row_of_command(self._db, number, command)
            if row is None:
                return None
            before = store.row(self._db, number, row.seq - 1)
            return checks.sound(self.path, table, row, row.seq, BEGINNING if before is None else before.chain)

    def keep(self, table: str, seq: Seq, state: bytes) -> bool:
        """Keep the state after entry `seq` in place of the one kept before.

        It only saves time when the game is resumed, so a disk that fails here is no trouble: False says so.
        """
        try:
            with naming(self.path):
                number = self._number(table)
                row = store.row(self._db, number, seq)
                if row is not None:
                    store.keep(self._db, number, seq, state, _seal(row.chain, state))
                return row is not None
        except JournalError:
            return False

    def kept(self, table: str) -> tuple[Seq, bytes] | None:
        """The state kept last; None if there is none or it does not belong to the entries as they are."""
        number = self._number(table)
        with naming(self.path):
            found = store.kept(self._db, number)
            row = None if found is None else store.row(self._db, number, found.seq)
        if found is None or row is None or found.seal != _seal(row.chain, found.state):
            return None
        return found.seq, found.state

    def games(self) -> tuple[GameRow, ...]:
        """Every table, oldest first, archived ones too."""
        with naming(self.path):
            return listing.games(self._db)

    def archive(self, table: str, archived: bool) -> None:
        """Put a game away, or back; its entries stay."""
        number = self._number(table)
        with naming(self.path):
            store.shelve(self._db, number, archived)

    def export(self, table: str, path: Path) -> None:
        """Write one game to one text file, whole or not at all. It holds every secret of the game."""
        transfer.write(self._db, self.path, table, self._number(table), path)

    def copy(self, path: Path) -> None:
        """Write the whole journal as it is at this moment to a file that needs no other; a file there is replaced."""
        with naming(path):
            path.unlink(missing_ok=True)
            with closing(sqlite3.connect(path)) as target:
                self._db.backup(target)
                target.execute("PRAGMA journal_mode = DELETE")

    def forget(self, table: str) -> None:
        """Delete a game for good: no byte of it is left in the file or its log. Files copied before still have it."""
        number = self._number(table)
        with naming(self.path):
            self._db.execute("PRAGMA secure_delete = ON")
            with self._transaction():
                store.delete(self._db, number)
            self._tails.pop(table, None)
            self._doubts.pop(table, None)
            store.wipe(self._db)

    def import_(self, path: Path) -> Imported:
        """Add an exported game, under its own id if that is free here; ExportDamaged if any of it was changed."""
        with naming(self.path), self._transaction():
            return transfer.read(self._db, path)

    def verify(self, table: str) -> tuple[Problem, ...]:
        """Everything that is not as it was written, in this table or in the file as a whole; () if all is well."""
        return tuple(checks.problems(self._db, table, self._number(table)))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._check_in_place()
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _number(self, table: str) -> int:
        with naming(self.path):
            number = store.number_of(self._db, table)
        if number is None:
            raise NoSuchTable(self.path, repr(table))
        return number

    def _find_tail(self, table: str) -> _Tail:
        number = self._number(table)
        with naming(self.path):
            last = store.last_row(self._db, number)
        if last is None:
            raise JournalDamaged(self.path, f"table {table} has no entries")
        return _Tail(number, last.seq, last.chain)

    def _check_in_place(self) -> None:
        """SQLite would go on writing to files that someone removed or replaced, and all would be lost with them."""
        for part, inode in zip(self._parts, self._inodes, strict=True):
            if _inode(part) != inode:
                raise JournalFailed(self.path, f"{part} was moved away or replaced while it was open")

    def _is_there_after_all(self, table: str, number: int, row: Row) -> bool:
        try:
            found = store.row(self._db, number, row.seq)
            if found is None or found.chain != row.chain:
                return False
            if store.synced(self._db):
                return True
        except sqlite3.Error:
            pass
        self._doubts[table] = row
        return False

    def _settle(self, table: str, body: Body, cause: Input | None, state: str) -> Entry | None:
        doubt, found = self._doubts[table], self._find_doubted(table)
        if found is not None:
            wanted = make(BEGINNING, doubt.seq, body, cause, doubt.at, state)
            if (wanted.body, wanted.cause, wanted.state) != (found.body, found.cause, found.state):
                found_instead = f"entry {doubt.seq} of table {table}, never shown, is there; read it first"
                raise JournalFailed(self.path, found_instead)
        del self._doubts[table]
        return None if found is None else found.entry()

    def _find_doubted(self, table: str) -> Row | None:
        """The row in doubt, synced, or None if it never got there."""
        doubt, number = self._doubts[table], self._number(table)
        with naming(self.path):
            found = store.row(self._db, number, doubt.seq)
            if found is not None and not store.synced(self._db):
                raise JournalFailed(self.path, f"entry {doubt.seq} of table {table} cannot be synced")
        return found


def _inode(path: str) -> int | None:
    try:
        return os.stat(path).st_ino  # noqa: PTH116 — on the path of a tap
    except OSError:
        return None


def _seal(chain: str, state: bytes) -> str:
    """Binds a kept state to the entries that led to it."""
    return blake2b(chain.encode() + state, digest_size=16, person=b"kept state").hexdigest()
