"""Complete copies of an open journal, including its log."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from . import file
from .errors import JournalError, beside, naming


def copy(db: sqlite3.Connection, path: Path) -> None:
    """Write the journal as it is now to a self-contained file, replacing any that is there."""
    with naming(path):
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as target:
            db.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")


def put_back(db: sqlite3.Connection, path: Path) -> bool:
    """Rewrite a journal whose file was deleted while it was open; returns whether that worked."""
    draft = beside(path, ".new")
    try:
        copy(db, draft)
        draft.chmod(0o600)
        draft.rename(path)
        file.sync_folder(path.parent)
    except (JournalError, OSError):
        return False  # the log remains, as proof that there was a file
    return True
