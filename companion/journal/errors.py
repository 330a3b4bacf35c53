"""What can go wrong with the file, each by its name. `said` is what OLED and phones show, its "hands" text the cure."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Final

from companion.core import CompanionError, Name, Said, say


class JournalError(CompanionError):
    """The parent of all that can be wrong with the file. No entry is lost or forged by any of them."""

    key: ClassVar[str]
    what: ClassVar[str]
    cure: ClassVar[str]

    def __init__(self, path: Path, found: str) -> None:
        super().__init__(f"{path}: {self.what}: {found}. {self.cure}")
        self.path: Final = path
        self.found: Final = found

    @property
    def said(self) -> Said:
        return say(self.key, file=Name(self.path.name))


class JournalNewer(JournalError, ValueError):
    key = "trouble.journal-newer"
    what = "this was written by a newer version of the companion"
    cure = "Update the companion, or choose another file; this one was not touched."


class JournalDamaged(JournalError, ValueError):
    key = "trouble.journal-damaged"
    what = "this record is damaged"
    cure = "“companion journal salvage” saves what is sound; a backup or an export is better if there is one."


class NotAJournal(JournalDamaged):
    key = "trouble.journal-not-ours"
    what = "this file is not a journal of the companion"
    cure = "Choose another file, or move this one away; it was not touched."


class JournalLocked(JournalError, BlockingIOError):
    key = "trouble.journal-locked"
    what = "another program has this journal open"
    cure = "Stop that program, then try again."


class JournalFull(JournalError, OSError):
    key = "trouble.journal-full"
    what = "there is no room left for the journal"
    cure = "Free some space on that disk; nothing is lost, and the game can go on."


class JournalReadOnly(JournalError, PermissionError):
    key = "trouble.journal-read-only"
    what = "the journal cannot be written to"
    cure = "Make its folder writable for this user (a worn-out card turns read-only: copy it to a new one)."


class JournalFailed(JournalError, OSError):
    key = "trouble.journal-failed"
    what = "the disk failed under the journal"
    cure = "Check card, cable and power, then try again; if it stays, restart from a copy on another disk."


class JournalGone(JournalFailed):
    key = "trouble.journal-gone"
    what = "this was moved away, deleted or replaced while the journal was open"
    cure = "Put it back; or stop the companion, which saves what was played as long as nothing else is in its place."


class NoSuchTable(JournalError, LookupError):
    key = "trouble.journal-no-table"
    what = "this journal has no such table"
    cure = "Look at the list of games for the ids it has."


_FULL: Final = (errno.ENOSPC, errno.EDQUOT)
_READ_ONLY: Final = (errno.EROFS, errno.EACCES, errno.EPERM)
_BY_CODE: Final[dict[int, type[JournalError]]] = {
    sqlite3.SQLITE_FULL: JournalFull,
    sqlite3.SQLITE_READONLY: JournalReadOnly,
    sqlite3.SQLITE_PERM: JournalReadOnly,
    sqlite3.SQLITE_BUSY: JournalLocked,
    sqlite3.SQLITE_LOCKED: JournalLocked,
    sqlite3.SQLITE_CORRUPT: JournalDamaged,
    sqlite3.SQLITE_NOTADB: NotAJournal,
}
_EFFECTIVE: Final = os.access in os.supports_effective_ids
_NO_ROOM: Final = 64 * 1024
"""SQLite calls it an I/O error when the little index beside the file finds no room; it needs 32 KiB."""


def named(path: Path, error: sqlite3.Error | OSError) -> JournalError:
    """The error of ours that stands for one of SQLite or of the system."""
    if isinstance(error, OSError):
        return _kind_of_errno(error.errno)(path, error.strerror or str(error))
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    kind = _BY_CODE.get(code & 0xFF) or _kind_of_disk(path)
    return kind(path, f"{error} ({getattr(error, 'sqlite_errorname', 'no code')})")


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Inside, every error of SQLite or of the system comes out under our name for it."""
    try:
        yield
    except JournalError:
        raise
    except sqlite3.ProgrammingError:
        raise  # a mistake of ours, not of the disk
    except UnicodeDecodeError as error:  # a damaged text, or SQLite's own message that quotes one
        raise JournalDamaged(path, str(error)) from error
    except (sqlite3.Error, OSError) as error:
        raise named(path, error) from error


def _kind_of_errno(number: int | None) -> type[JournalError]:
    if number in _FULL:
        return JournalFull
    return JournalReadOnly if number in _READ_ONLY else JournalFailed


def _kind_of_disk(path: Path) -> type[JournalError]:
    try:
        disk = os.statvfs(path.parent)
    except OSError:
        return JournalFailed
    if disk.f_bavail * disk.f_frsize < _NO_ROOM:
        return JournalFull
    return JournalFailed if may_write(path) and not _has_turned_read_only(path) else JournalReadOnly


def _has_turned_read_only(path: Path) -> bool:
    """Whether the file system lets nothing be opened to write any more: Linux does that to a card with errors, and
    asked for permission it still says yes."""
    try:
        os.close(os.open(beside(path, ".lock"), os.O_RDWR | os.O_CLOEXEC))
    except OSError as error:
        return error.errno == errno.EROFS
    return False


def beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def may_write(path: Path) -> bool:
    """Whether this user may write to the journal and to what SQLite keeps beside it, on this disk as it is mounted."""
    parts = (path.parent, path, beside(path, "-wal"), beside(path, "-shm"))
    return all(os.access(part, os.W_OK, effective_ids=_EFFECTIVE) for part in parts if part.exists())
