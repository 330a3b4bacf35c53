"""Whole copies of a journal that is open, log included."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from . import file
from .errors import JournalError, beside, naming


def copy(db: sqlite3.Connection, path: Path) -> None:
    """Write the journal as it is at this moment to a file that needs no other; a file there is replaced."""
    with naming(path):
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as target:
            db.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")


def put_back(db: sqlite3.Connection, path: Path) -> bool:
    """Write a journal anew whose file was deleted while it was open; whether that could be done."""
    draft = beside(path, ".new")
    try:
        copy(db, draft)
        draft.chmod(0o600)
        draft.rename(path)
        file.sync_folder(path.parent)
    except (JournalError, OSError):
        return False  # the log is left, and it tells that there was a file
    return True
