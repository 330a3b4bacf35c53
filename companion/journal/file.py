"""The file itself: created whole or not at all, locked, and checked before anything is written to it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, Literal, TypeAlias
from urllib.parse import quote

from . import store, wal, witness
from .errors import (
    JournalDamaged,
    JournalFailed,
    JournalLocked,
    JournalNewer,
    JournalReadOnly,
    NotAJournal,
    beside,
    may_write,
)
from .store import BEGINNING

FORMAT: Final = 1
"""The format number (`user_version`): goes up when an older program could not read or continue what is written."""

APPLICATION: Final = int.from_bytes(b"tblc", "big")
"""SQLite's `application_id`, which tells a journal from any other database."""

Synchronous = Literal["FULL", "NORMAL", "OFF"]
Connect: TypeAlias = Callable[..., sqlite3.Connection]

_BUSY_SECONDS: Final = 0.25
_SCHEMA: Final = (
    """CREATE TABLE tables (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  shelf TEXT NOT NULL CHECK (shelf IN ('open', 'archived'))
) STRICT""",
    """CREATE TABLE entries (
  id INTEGER PRIMARY KEY,
  number INTEGER AS (id >> 32) VIRTUAL,
  seq INTEGER AS (id & 4294967295) VIRTUAL,
  at REAL NOT NULL,
  body TEXT NOT NULL,
  cause TEXT,
  command TEXT,
  state TEXT NOT NULL,
  chain TEXT NOT NULL
) STRICT""",
    "CREATE INDEX commands ON entries (command, id) WHERE command IS NOT NULL",
    """CREATE INDEX seatings ON entries (id) WHERE substr(body, 1, 16) = '{"type":"seated"'""",
    """CREATE TABLE kept (
  number INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  state BLOB NOT NULL,
  seal TEXT NOT NULL
) STRICT""",
)


def lock(path: Path) -> int:
    """Lock the journal for this program alone; the lock lasts until the file descriptor is closed.

    The lock file stays behind on purpose: removing it would let two programs each lock a different one.
    """
    fd = os.open(beside(path, ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(fd, 20, 0).decode("ascii", "replace").strip() or "unknown"
        os.close(fd)
        raise JournalLocked(path, f"process {holder} holds {beside(path, '.lock').name}") from None
    with suppress(OSError):  # the number only improves the message; a full disk is reported when it matters
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
    return fd


def make(path: Path) -> None:
    """Create an empty journal under another name and move it into place: a file at `path` is never half made."""
    _check_nothing_left(path)
    draft = beside(path, ".new")
    for leftover in (draft, beside(draft, "-wal"), beside(draft, "-shm"), beside(draft, "-journal")):
        leftover.unlink(missing_ok=True)
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))  # it will hold the secrets of a game
    with closing(sqlite3.connect(draft, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = FULL")
        db.execute("BEGIN")
        for statement in _SCHEMA:
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION}")
        db.execute(f"PRAGMA user_version = {FORMAT}")
        db.execute("COMMIT")
        db.execute("PRAGMA journal_mode = WAL")
    draft.rename(path)
    sync_folder(path.parent)


def connect(path: Path, synchronous: Synchronous, opener: Connect = sqlite3.connect) -> sqlite3.Connection:
    """The one connection that writes; raises a named error for anything wrong with the file, having changed nothing.

    The caller holds the lock.
    """
    with closing(connect_to_read(path, alone=True)) as db:  # one that may write would tidy up even damaged files
        _check_health(path, db)
    if not may_write(path):
        raise JournalReadOnly(path, "no permission to write to it")
    db = opener(path, isolation_level=None, check_same_thread=False, timeout=_BUSY_SECONDS)
    try:
        db.text_factory = _lenient
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("PRAGMA cell_size_check = ON")
        db.execute(f"PRAGMA synchronous = {synchronous}")
        if db.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
            raise JournalFailed(path, "SQLite cannot keep a write-ahead log on this disk")
        _check_writable(db)
    except BaseException:
        db.close()
        raise
    return db


def connect_to_read(path: Path, *, alone: bool = False) -> sqlite3.Connection:
    """A connection that can never write, for looking on while another program plays; `alone` if none can.

    Nothing here may open and close the file directly: that would drop the locks that SQLite holds on it for another
    connection of this program. The log beside it has no locks.
    """
    if not path.is_file():
        _check_nothing_left(path)
        raise NotAJournal(path, "it is a folder" if path.is_dir() else "there is no such file")
    _check_log(path, alone)
    told = witness.told(path)
    # On a read-only disk SQLite cannot create its index; without a log beside the file nothing would be missed.
    still = not os.access(path.parent, os.W_OK) and not beside(path, "-wal").exists()
    uri = f"file:{quote(str(path.absolute()))}?mode=ro" + ("&immutable=1" if still else "")
    db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=_BUSY_SECONDS)
    try:
        db.text_factory = _lenient
        db.execute("PRAGMA trusted_schema = OFF")
        _check_ours(path, db)
        _check_told(path, db, told)
    except BaseException:
        db.close()
        raise
    return db


def parts(path: Path) -> tuple[Path, ...]:
    """All files of a journal: the file, and what belongs to it alone. The lock belongs to the place."""
    return (path, *(beside(path, ending) for ending in ("-wal", "-shm", witness.ENDING)))


def is_there(path: Path) -> bool:
    """Whether there is a journal, or what is left of one."""
    return path.exists() or _has_log(path) or witness.told(path) is not None


def sync_folder(folder: Path) -> None:
    """Make the name of a new file as durable as its bytes."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _lenient(text: bytes) -> str:
    """A broken text is read as a different text, which the chain then notices."""
    return text.decode("utf-8", "replace")


def _check_nothing_left(path: Path) -> None:
    """Make sure that a missing file never existed; a new one would pass for all there ever was."""
    if _has_log(path):
        log = beside(path, "-wal").name
        raise JournalDamaged(path, f"the file is gone but {log}, which holds its newest entries, is there")
    if (told := witness.told(path)) is not None:
        also = beside(path, witness.ENDING).name
        found = f"the file is gone, though game {told.table} was recorded in it up to entry {told.seq}"
        raise JournalDamaged(path, f"{found} (to begin anew all the same, remove {also})")


def _has_log(path: Path) -> bool:
    """Whether there is anything in the log; readers may leave an empty one."""
    log = beside(path, "-wal")
    return log.exists() and log.stat().st_size > 0


def _check_log(path: Path, alone: bool) -> None:
    """Raise if entries were lost from the log. If another program is writing, it checked before it began."""
    found = _damage_of_log(path)
    if found is not None and not alone:
        found = None if _is_locked(path) else _damage_of_log(path)  # it may have been written to meanwhile
    if found is not None:
        raise JournalDamaged(path, f"{beside(path, '-wal').name}: {found}")


def _damage_of_log(path: Path) -> str | None:
    try:
        return wal.damage(beside(path, "-wal").read_bytes())
    except FileNotFoundError:
        return None


def _is_locked(path: Path) -> bool:
    try:
        fd = os.open(beside(path, ".lock"), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False


def _check_told(path: Path, db: sqlite3.Connection, told: witness.Told | None) -> None:
    """Raise if the last recorded entry is not there."""
    if told is None or not _is_missing(db, told):
        return
    if witness.told(path) == told:  # otherwise the game was forgotten just now
        raise JournalDamaged(path, f"entry {told.seq} of table {told.table} was recorded and is not there any more")


def _is_missing(db: sqlite3.Connection, told: witness.Told) -> bool:
    """Whether its place is empty or holds another sound entry; a changed one is reported with its game."""
    number = store.number_of(db, told.table)
    row = None if number is None else store.row(db, number, told.seq)
    if number is None or row is None:
        return True
    before = store.row(db, number, told.seq - 1)
    return row.chain != told.chain and row.follows(BEGINNING if before is None else before.chain)


def _check_ours(path: Path, db: sqlite3.Connection) -> None:
    (application,) = db.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION:
        found = f"its application id is {application:#x} instead of {APPLICATION:#x}"
        raise NotAJournal(path, found if path.stat().st_size else "it is empty")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > FORMAT:
        raise JournalNewer(path, f"its format is {version}, this program knows up to {FORMAT}")
    if version < FORMAT:
        raise JournalDamaged(path, f"its format number is {version}, which never existed")


def _check_writable(db: sqlite3.Connection) -> None:
    """SQLite opens a file it may not write to as read-only and says nothing until the first change."""
    db.execute("BEGIN")
    try:
        db.execute(f"PRAGMA user_version = {FORMAT}")
    finally:
        db.execute("ROLLBACK")


def _check_health(path: Path, db: sqlite3.Connection) -> None:
    for (found,) in db.execute("PRAGMA quick_check(1)"):
        if found != "ok":
            raise JournalDamaged(path, found)
    schema = {sql for (sql,) in db.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")}
    if schema != set(_SCHEMA):
        raise JournalDamaged(path, "its tables are not those of the format")
