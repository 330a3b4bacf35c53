"""The append-only record: one SQLite file that holds every game, synced before anyone is told."""

from .checks import Problem
from .entries import Body, Did, Entry, GameRow, Opened, Seated, TookBack, WasRefused
from .errors import (
    JournalDamaged,
    JournalError,
    JournalFailed,
    JournalFull,
    JournalGone,
    JournalLocked,
    JournalNewer,
    JournalReadOnly,
    NoSuchTable,
    NotAJournal,
)
from .file import is_there, parts, sync_folder
from .journal import JOURNAL, Journal
from .salvaging import Saved, alone, salvage
from .transfer import ExportDamaged, Imported

# fmt: off
__all__ = [
    "JOURNAL", "Body", "Did", "Entry", "ExportDamaged", "GameRow", "Imported", "Journal", "JournalDamaged",
    "JournalError", "JournalFailed", "JournalFull", "JournalGone", "JournalLocked", "JournalNewer",
    "JournalReadOnly", "NoSuchTable", "NotAJournal", "Opened", "Problem", "Saved", "Seated", "TookBack",
    "WasRefused", "alone", "is_there", "parts", "salvage", "sync_folder",
]
# fmt: on
