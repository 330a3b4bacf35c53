"""What can be saved of a damaged journal: each game up to its first missing entry, and a list of all that is gone."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from msgspec import Struct

from companion.core.ids import Seq

from . import checks, file, leaves, store
from .errors import JournalDamaged, naming
from .leaves import Found
from .rows import BEGINNING, SHIFT, Row, short_ids

_ENTRY_COLUMNS: Final = 7
_TABLE_COLUMNS: Final = 3


class Saved(Struct, frozen=True):
    """One game: its entries 1 to `kept` are in the new journal; `lost` are gone.

    `unusable` were found, unchanged, behind a lost one: what they did cannot be known without it.
    """

    table: str
    kept: int
    lost: tuple[int, ...]
    unusable: tuple[int, ...]

    @property
    def is_whole(self) -> bool:
        return not self.lost and not self.unusable


def salvage(path: Path, into: Path) -> tuple[Saved, ...]:
    """Write what is sound in the journal at `path` to a new journal at `into`; the damaged one is only read.

    No entry is invented or changed: each is taken over only if its chain fits the entry before it. What no page tells
    any more cannot be listed: entries cut off at the end of a game leave no trace.
    """
    with naming(into):
        if into.exists():
            raise FileExistsError(errno.EEXIST, "it is there already; choose another name", str(into))
        rows, names = _read(path)
        file.make(into)
        with closing(file.connect(into, "FULL")) as db:
            db.execute("BEGIN IMMEDIATE")
            saved = tuple(_save(db, number, rows[number], names.get(number)) for number in sorted(rows))
            db.execute("COMMIT")
        file.sync_folder(into.parent)
        return saved


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Inside, no companion can open this journal to write; JournalLocked if one has."""
    with naming(path):
        lock = file.lock(path)
    try:
        yield
    finally:
        os.close(lock)


def put_aside(path: Path, new: Path) -> Path:
    """Put `new` in the place of `path`, which keeps all its bytes under another name; gives that name."""
    with naming(path):
        number = next(n for n in range(1, 10_000) if not path.with_name(f"{path.name}.damaged-{n}").exists())
        aside = path.with_name(f"{path.name}.damaged-{number}")
        for ending in ("-wal", "-shm"):
            part = path.with_name(path.name + ending)
            if part.exists():
                part.rename(aside.with_name(aside.name + ending))
        path.rename(aside)
        new.rename(path)
        file.sync_folder(path.parent)
        return aside


class _Name(Struct, frozen=True):
    id: str
    archived: bool


def _read(path: Path) -> tuple[dict[int, dict[int, list[Row]]], dict[int, _Name]]:
    """Every entry that any page tells, by table and seq; and the ids of tables."""
    entries: dict[int, dict[int, list[Row]]] = {}
    names: dict[int, _Name] = {}
    for found in leaves.rows(path):
        if (row := _entry(found)) is not None:
            versions = entries.setdefault(found.rowid >> SHIFT, {}).setdefault(row.seq, [])
            if row not in versions:
                versions.append(row)
        elif (name := _name(found)) is not None:
            names[found.rowid] = name
    return entries, names


def _entry(found: Found) -> Row | None:
    if len(found.values) != _ENTRY_COLUMNS or found.rowid >> SHIFT <= 0:
        return None
    _, at, body, cause, _, state, chain = found.values
    if isinstance(at, int):  # SQLite keeps a whole number as a whole number, and gives back a real one
        at = float(at)
    if not isinstance(at, float) or not (isinstance(body, bytes) and isinstance(state, bytes)):
        return None
    if not isinstance(chain, bytes) or not isinstance(cause, bytes | None):
        return None
    seq = Seq(found.rowid & (1 << SHIFT) - 1)
    return Row(seq, at, body, cause, state.decode("utf-8", "replace"), chain.decode("utf-8", "replace"))


def _name(found: Found) -> _Name | None:
    if len(found.values) != _TABLE_COLUMNS:
        return None
    match found.values:
        case (None, bytes() as name, (b"open" | b"archived") as shelf):
            return _Name(name.decode("utf-8", "replace"), shelf == b"archived")
    return None


def _save(db: sqlite3.Connection, number: int, versions: dict[int, list[Row]], name: _Name | None) -> Saved:
    sound = tuple(_sound(versions))
    last = max(versions)
    kept = len(sound)
    found = tuple(seq for seq in sorted(versions) if seq > kept)
    lost = tuple(seq for seq in range(kept + 1, last + 1) if seq not in versions)
    if not sound:
        return Saved(name.id if name else f"number {number}", 0, lost or (1,), found)
    ids = short_ids(sound[0].chain)
    table = name.id if name else next(each for each in ids if store.number_of(db, each) is None)
    new = store.add_table(db, table)
    for row in sound:
        store.insert(db, new, row, row.command())
    if name is not None and name.archived:
        store.shelve(db, new, True)
    return Saved(table, kept, lost, found)


def _sound(versions: dict[int, list[Row]]) -> Iterator[Row]:
    """The entries from the first on, as long as each follows the one before."""
    chain, seq = BEGINNING, 1
    while True:
        row = next((row for row in versions.get(seq, ()) if _is_sound(row, seq, chain)), None)
        if row is None:
            return
        yield row
        chain, seq = row.chain, seq + 1


def _is_sound(row: Row, seq: int, chain: str) -> bool:
    try:
        checks.sound(Path(os.devnull), "", row, seq, chain)
    except JournalDamaged:
        return False
    return True
