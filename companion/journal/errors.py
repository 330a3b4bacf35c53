"""What can go wrong with the file, each by name. `said` is what OLED and phones show, its "hands" text the cure."""

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
    """The parent of everything that can be wrong with the file. None of these loses or forges an entry."""

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
    cure = "Check card, cable and power, then try again; if it fails again, restart from a copy on another disk."


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
"""SQLite reports an I/O error when the small index beside the file has no room; it needs 32 KiB."""


def named(path: Path, error: sqlite3.Error | OSError) -> JournalError:
    """Our error for one of SQLite or of the system."""
    if isinstance(error, OSError):
        return _kind_of_errno(error.errno)(path, error.strerror or str(error))
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    kind = _BY_CODE.get(code & 0xFF) or _kind_of_disk(path)
    return kind(path, f"{error} ({getattr(error, 'sqlite_errorname', 'no code')})")


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Within this context, every error of SQLite or of the system is raised under our name for it."""
    try:
        yield
    except JournalError:
        raise
    except sqlite3.ProgrammingError:
        raise  # our mistake, not the disk's
    except UnicodeDecodeError as error:  # a damaged text, or SQLite's own message quoting one
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
    """Whether the file system no longer lets anything be opened for writing. Linux does that to a card with errors, and
    still says yes when asked for permission."""
    try:
        os.close(os.open(beside(path, ".lock"), os.O_RDWR | os.O_CLOEXEC))
    except OSError as error:
        return error.errno == errno.EROFS
    return False


def beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def may_write(path: Path) -> bool:
    """Whether this user may write to the journal and SQLite's files beside it, on this disk as it is mounted."""
    parts = (path.parent, path, beside(path, "-wal"), beside(path, "-shm"))
    return all(os.access(part, os.W_OK, effective_ids=_EFFECTIVE) for part in parts if part.exists())
