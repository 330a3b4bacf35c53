"""The open journal: one file, one writing connection, every entry synced before anyone is told."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeAlias

from msgspec import Struct

from companion.core import Input, Seq

from . import checks, copies, file, kept, listing, store, transfer
from .checks import Problem
from .entries import Body, Entry, GameRow, Opened
from .errors import (
    JournalDamaged,
    JournalError,
    JournalFailed,
    JournalGone,
    JournalReadOnly,
    NoSuchTable,
    beside,
    named,
    naming,
)
from .store import BEGINNING, Row, command_of, make, short_ids
from .transfer import Imported
from .witness import Doubts, Told, Witness

JOURNAL: Final = "games.journal"
"""Its file in the data folder."""
_START: Final = Seq(0)
Drafted: TypeAlias = Callable[[Entry], None]


def _nobody(_entry: Entry) -> None:
    """Nobody needs the entry before it is synced."""


class _Tail(Struct, frozen=True):
    """Where the next entry of a table goes."""

    number: int
    seq: int
    chain: str


class Journal:
    """Every game in one file. A context manager; `close` is final.

    It may be passed between threads, but only one may use it at a time; others `look`. All methods raise the named
    errors of `companion.journal.errors`, each with a `said` to show. After an error the journal is as it was before the
    call, and the call may be repeated.
    """

    def __init__(
        self, path: Path, db: sqlite3.Connection, lock: int | None = None, witness: Witness | None = None
    ) -> None:
        self.path: Final = path
        self._db = db
        self._lock = lock
        self._witness = witness
        self._untidy = False
        self._tails: dict[str, _Tail] = {}
        self._doubts: Final = Doubts(path, db)
        self._parts: Final = (str(path), str(beside(path, "-wal")))
        self._inodes: Final = tuple(map(_inode, self._parts))

    @classmethod
    def open(
        cls, path: Path, *, _synchronous: file.Synchronous = "FULL", _connect: file.Connect = sqlite3.connect
    ) -> Self:
        """Open the journal at `path` for writing, for this program alone; a missing one is created.

        The two private options exist for proofs: a journal that does not sync, and a disk that misbehaves.
        """
        with naming(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            lock = file.lock(path)
            try:
                if not path.exists():
                    file.make(path)
                db = file.connect(path, _synchronous, _connect)
            except BaseException:
                os.close(lock)
                raise
            try:
                journal = cls(path, db, lock, Witness(path))
            except BaseException:
                db.close()
                os.close(lock)
                raise
        journal.tidy()
        return journal

    @classmethod
    def look(cls, path: Path) -> Self:
        """Open an existing journal for reading only, even while another program writes to it."""
        with naming(path):
            return cls(path, file.connect_to_read(path))

    def close(self) -> None:
        """Close it. A file that was deleted meanwhile is still open here and gets rewritten: nothing is lost."""
        put_back = self._lock is not None and not self.path.exists() and copies.put_back(self._db, self.path)
        self._db.close()
        if put_back:
            beside(self.path, "-wal").unlink(missing_ok=True)  # everything in it is in the file
        if self._witness is not None:
            self._witness.close()
            self._witness = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def create(self, opened: Opened, at: float, state: str, then: tuple[tuple[Body, Input | None], ...] = ()) -> str:
        """Open a new table and return its short id; `opened` is its entry 1, synced before this returns.

        The bodies of `then` follow with their causes, together with entry 1 or not at all; they leave the state
        unchanged.

        If a failing disk leaves the outcome unclear, trying again may leave a second table with one entry in the list;
        it was never shown and can be archived.
        """
        row = make(BEGINNING, Seq(1), opened, None, at, state)
        with naming(self.path), self._transaction():
            table = next(name for name in short_ids(row.chain) if store.number_of(self._db, name) is None)
            number = store.add_table(self._db, table)
            store.insert(self._db, number, row, None)
            for body, cause in then:
                row = make(row.chain, Seq(row.seq + 1), body, cause, at, state)
                store.insert(self._db, number, row, command_of(cause))
        self._recorded(table, row)
        return table

    def append(
        self, table: str, body: Body, cause: Input | None, at: float, state: str, drafted: Drafted = _nobody
    ) -> Entry:
        """Add one entry and return it, synced: from now on it may be shown.

        Before it is written, `drafted` is given it as it will be: to get ready for it, not to show it.

        If this raises, the entry was not recorded, its seq is not used up, and the call may be repeated. A disk may
        fail in such a way that nobody knows whether the entry reached it; then the row is read again and decides. If
        even that fails, the next `append` to this table settles it first: an entry that is there after all is returned
        instead of being added twice (same body, cause and state), and a different one is refused until `settle` has
        been called and its result read.
        """
        if table in self._doubts:
            found = self._doubts.settle_as(table, self._number(table), body, cause, state)
            if found is not None:
                self._recorded(table, found)
                return found.entry()
        tail = self._tails.get(table) or self._find_tail(table)
        row = make(tail.chain, Seq(tail.seq + 1), body, cause, at, state)
        entry = Entry(row.seq, row.at, body, cause, state, row.chain)
        self._check_in_place()
        drafted(entry)
        try:
            store.insert(self._db, tail.number, row, command_of(cause))
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.Error as error:
            self._tails.pop(table, None)
            if not self._doubts.is_there_after_all(table, tail.number, row):
                raise named(self.path, error) from error
        self._tails[table] = _Tail(tail.number, row.seq, row.chain)
        self._recorded(table, row)
        return entry

    def settle(self, table: str) -> None:
        """Find out whether an entry in doubt is there, so that `entries` can be trusted; raises while unknown."""
        if table in self._doubts:
            found = self._doubts.settle(table, self._number(table))
            if found is not None:
                self._recorded(table, found)

    @property
    def is_tidy(self) -> bool:
        """Whether nothing has been recorded since `tidy`."""
        return not self._untidy

    def tidy(self) -> bool:
        """Move everything from the log into the file proper, while nobody is waiting; returns whether it worked.

        The more is in both, the less harm a damaged log can do. The new log is also started here: SQLite syncs its
        beginning separately, which would cost the next entry a second sync before it is shown. A failing disk is no
        trouble here: everything is in the log, and the next entry will report it.
        """
        self._untidy = False
        try:
            self._check_in_place()
            return store.begin_log(self._db)
        except (sqlite3.Error, JournalFailed):
            return False

    def entries(self, table: str, after: Seq = _START) -> Iterator[Entry]:
        """The entries after `after`, oldest first, each checked against the chain; JournalDamaged at the first bad one.

        Exhaust it before the journal is closed.
        """
        number = self._number(table)
        with naming(self.path):
            before = store.row(self._db, number, after)
            chain = BEGINNING if before is None else before.chain
            for seq, row in enumerate(store.rows(self._db, number, after), start=after + 1):
                yield checks.sound(self.path, table, row, seq, chain)
                chain = row.chain

    def command(self, table: str, command: str) -> Entry | None:
        """The first entry that a phone's command led to, even before a restart; None if it led to none."""
        number = self._number(table)
        with naming(self.path):
            row = store.row_of_command(self._db, number, command)
            if row is None:
                return None
            before = store.row(self._db, number, row.seq - 1)
            return checks.sound(self.path, table, row, row.seq, BEGINNING if before is None else before.chain)

    def keep(self, table: str, seq: Seq, state: bytes) -> bool:
        """Save the state after entry `seq`, replacing the one saved before.

        It only saves time when the game is resumed, so a failing disk is no trouble here: it returns False.
        """
        try:
            with naming(self.path):
                return kept.keep(self._db, self._number(table), seq, state)
        except JournalError:
            return False

    def kept(self, table: str) -> tuple[Seq, bytes] | None:
        """The last saved state; None if there is none or it does not match the entries as they are."""
        number = self._number(table)
        with naming(self.path):
            return kept.kept(self._db, number)

    def games(self) -> tuple[GameRow, ...]:
        """Every table, oldest first, archived ones too."""
        with naming(self.path):
            return listing.games(self._db)

    def archive(self, table: str, archived: bool) -> None:
        """Put a game away, or bring it back; its entries stay."""
        number = self._number(table)
        with naming(self.path):
            store.shelve(self._db, number, archived)

    def export(self, table: str, path: Path) -> None:
        """Write one game to one text file, whole or not at all. It contains every secret of the game."""
        transfer.write(self._db, self.path, table, self._number(table), path)

    def copy(self, path: Path) -> None:
        """Write the whole journal as it is now to a self-contained file, replacing any that is there."""
        copies.copy(self._db, path)

    def forget(self, table: str) -> None:
        """Delete a game for good: no byte of it is left in the file or its log. Earlier copies still have it."""
        number = self._number(table)
        with naming(self.path):
            if self._witness is not None:
                self._witness.forget()
            self._db.execute("PRAGMA secure_delete = ON")
            with self._transaction():
                store.delete(self._db, number)
            self._tails.pop(table, None)
            self._doubts.drop(table)
            store.wipe(self._db)

    def import_(self, path: Path) -> Imported:
        """Add an exported game, under its own id if that is free here; ExportDamaged if any of it was changed."""
        with naming(self.path), self._transaction():
            imported = transfer.read(self._db, path)
        last = self._last(imported.table, self._number(imported.table))
        self._recorded(imported.table, last)
        return imported

    def verify(self, table: str) -> tuple[Problem, ...]:
        """Everything that is not as it was written, in this table or in the file as a whole; () if all is well."""
        return tuple(checks.problems(self._db, table, self._number(table)))

    def _recorded(self, table: str, row: Row) -> None:
        """An entry is synced and may be shown; if the sync cannot be trusted, it is in doubt."""
        self._untidy = True
        if self._witness is not None and not self._witness.tell(Told(table, row.seq, row.chain)):
            self._tails.pop(table, None)
            self._doubts.add(table, row)
            raise JournalReadOnly(self.path, f"the disk turned read-only while entry {row.seq} was written")

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
        last = self._last(table, number)
        return _Tail(number, last.seq, last.chain)

    def _last(self, table: str, number: int) -> Row:
        with naming(self.path):
            last = store.last_row(self._db, number)
        if last is None:
            raise JournalDamaged(self.path, f"table {table} has no entries")
        return last

    def _check_in_place(self) -> None:
        """SQLite would go on writing to files that someone removed or replaced, and lose everything with them."""
        for part, inode in zip(self._parts, self._inodes, strict=True):
            if _inode(part) != inode:
                raise JournalGone(Path(part), "it is not there any more, or another file is")


def _inode(path: str) -> int | None:
    try:
        return os.stat(path).st_ino  # noqa: PTH116 — every tap waits for it
    except OSError:
        return None
