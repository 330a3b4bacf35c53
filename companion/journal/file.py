"""The file itself: made whole or not at all, locked, and looked over before anything is written to it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, Literal, TypeAlias
from urllib.parse import quote

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

FORMAT: Final = 1
"""The format number (`user_version`): grows when an older program could not read or continue what is written."""

APPLICATION: Final = int.from_bytes(b"tblc", "big")
"""SQLite's `application_id`: what tells a journal from any other database."""

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
    """Take the journal for this program alone; the file descriptor holds it until it is closed.

    The lock file stays behind on purpose: removing it would let two programs each lock a different one.
    """
    fd = os.open(beside(path, ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(fd, 20, 0).decode("ascii", "replace").strip() or "unknown"
        os.close(fd)
        raise JournalLocked(path, f"process {holder} holds {beside(path, '.lock').name}") from None
    with suppress(OSError):  # the number only makes the message better; a full disk is told when it matters
        os.ftruncate(fd, 0)
        os.pwrite(fd, f"{os.getpid()}\n".encode(), 0)
    return fd


def make(path: Path) -> None:
    """Make an empty journal under another name and put it in place whole: a file at `path` is never half made."""
    if (wal := beside(path, "-wal")).exists():
        raise JournalDamaged(path, f"the file is gone but {wal.name}, which holds its newest entries, is there")
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
    """The one connection that writes; raises by name what is wrong with the file, having changed nothing."""
    connect_to_read(path).close()  # SQLite would tidy up a file that is not ours if it were let in to write
    if not may_write(path):
        raise JournalReadOnly(path, "no permission to write to it")
    db = opener(path, isolation_level=None, check_same_thread=False, timeout=_BUSY_SECONDS)
    try:
        db.text_factory = _lenient
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("PRAGMA cell_size_check = ON")
        _check_health(path, db)
        db.execute(f"PRAGMA synchronous = {synchronous}")
        if db.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
            raise JournalFailed(path, "SQLite cannot keep a write-ahead log on this disk")
        _check_writable(db)
    except BaseException:
        db.close()
        raise
    return db


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A connection that can never write, for looking on while another program plays.

    Nothing here may open and close the file by itself: that would take away the locks that SQLite holds on it for
    another connection of this program.
    """
    if not path.is_file():
        raise NotAJournal(path, "it is a folder" if path.is_dir() else "there is no such file")
    # On a read-only disk SQLite cannot make its index; with no log beside the file there is nothing to miss.
    still = not os.access(path.parent, os.W_OK) and not beside(path, "-wal").exists()
    uri = f"file:{quote(str(path.absolute()))}?mode=ro" + ("&immutable=1" if still else "")
    db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=_BUSY_SECONDS)
    try:
        db.text_factory = _lenient
        db.execute("PRAGMA trusted_schema = OFF")
        _check_ours(path, db)
    except BaseException:
        db.close()
        raise
    return db


def sync_folder(folder: Path) -> None:
    """Make the name of a new file as lasting as its bytes."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _lenient(text: bytes) -> str:
    """A broken text is read as another text, which the chain then notices."""
    return text.decode("utf-8", "replace")


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
    """A file that it may not write to, SQLite opens to read only, and says nothing before the first change."""
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
