"""What can be saved of a damaged journal: each game up to its first missing entry, and a list of what is gone."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count, islice
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

from companion.core import Seq

from . import checks, file, leaves, store, witness
from .errors import JournalDamaged, NotAJournal, naming
from .leaves import Found
from .store import BEGINNING, SHIFT, Row, short_ids
from .witness import Told

_Way: TypeAlias = "tuple[Row, _Way | None]"
"""A row, and the way that led to it."""

_ENTRY_COLUMNS: Final = 7
_TABLE_COLUMNS: Final = 3
_SMALLEST, _FEW = 64, 10_000
"""No entry is smaller than the first; entry numbers up to the second are believed in any file."""


class Saved(Struct, frozen=True):
    """One game: its entries 1 to `kept` are in the new journal; `lost` are gone.

    `unusable` ones were found unchanged beyond a lost one: what they did cannot be known without it.
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

    Whatever is left of it is used: if the file itself is gone, its log is read. No entry is invented or changed: each
    is copied only if its chain fits the entry before it. Entries that neither a page nor the witness mentions cannot be
    listed.
    """
    with naming(into):
        if into.exists():
            raise FileExistsError(errno.EEXIST, "it is there already; choose another name", str(into))
        if not file.is_there(path):
            raise NotAJournal(path, "there is no such file")
        rows, names = _read(path)
        told = witness.told(path)
        file.make(into)
        with closing(file.connect(into, "FULL")) as db:
            db.execute("BEGIN IMMEDIATE")
            saved = tuple(_save(db, number, rows[number], names.get(number, []), told) for number in sorted(rows))
            db.execute("COMMIT")
        file.sync_folder(into.parent)
        return saved if told is None else (*saved, *_of_no_page(told, saved))


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Within this context, no companion can open this journal for writing; JournalLocked if one already has."""
    with naming(path):
        lock = file.lock(path)
    try:
        yield
    finally:
        os.close(lock)


class _Name(Struct, frozen=True):
    id: str
    archived: bool


def _read(path: Path) -> tuple[dict[int, dict[int, list[Row]]], dict[int, list[_Name]]]:
    """Every entry on any page, by table and seq; and the ids that tables had, newest first.

    A flipped bit can turn an entry's number into one of a billion: numbers that no file of this length could have held
    do not make the entries before them missing.
    """
    entries: dict[int, dict[int, list[Row]]] = {}
    names: dict[int, list[_Name]] = {}
    most = max(_FEW, sum(part.stat().st_size for part in path.parent.glob(f"{path.name}*")) // _SMALLEST)
    for found in leaves.rows(path):
        if (row := _entry(found)) is not None:
            if row.seq > most:
                continue
            versions = entries.setdefault(found.rowid >> SHIFT, {}).setdefault(row.seq, [])
            if row not in versions:
                versions.append(row)
        elif (name := _name(found)) is not None:
            names.setdefault(found.rowid, []).append(name)
    return entries, names


def _entry(found: Found) -> Row | None:
    if len(found.values) != _ENTRY_COLUMNS or found.rowid >> SHIFT <= 0:
        return None
    _, at, body, cause, _, state, chain = found.values
    if isinstance(at, int):  # SQLite may store a whole number as an integer, though it returns a real one
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


def _save(
    db: sqlite3.Connection, number: int, versions: dict[int, list[Row]], names: list[_Name], told: Told | None
) -> Saved:
    sound = _longest(versions)
    kept = len(sound)
    table, archived = _called(db, number, sound, names)
    last = max(*versions, told.seq if told is not None and told.table == table else 0, 1)
    found = tuple(seq for seq in sorted(versions) if seq > kept)
    lost = tuple(seq for seq in range(kept + 1, last + 1) if seq not in versions)
    if sound:
        new = store.add_table(db, table)
        for row in sound:
            store.insert(db, new, row, row.command())
        store.shelve(db, new, archived)
    return Saved(table, kept, lost, found)


def _of_no_page(told: Told, saved: tuple[Saved, ...]) -> Iterator[Saved]:
    """The game that only the witness knows of."""
    if all(game.table != told.table for game in saved):
        yield Saved(told.table, 0, tuple(range(1, told.seq + 1)), ())


def _called(db: sqlite3.Connection, number: int, sound: tuple[Row, ...], names: list[_Name]) -> tuple[str, bool]:
    """The id of a table, and whether it was put away; a free id if its first entry does not prove one."""
    if not sound:
        return names[0].id if names else f"number {number}", False
    may_be = tuple(islice(short_ids(sound[0].chain), number))
    for name in names:
        if name.id in may_be and store.number_of(db, name.id) is None:
            return name.id, name.archived
    return next(each for each in short_ids(sound[0].chain) if store.number_of(db, each) is None), False


def _longest(versions: dict[int, list[Row]]) -> tuple[Row, ...]:
    """The entries from the first on, as far as each follows the one before.

    Two may follow with the same number: one whose writing failed, and the one recorded in its place. Only the recorded
    one has others after it.
    """
    ends: list[tuple[str, _Way | None]] = [(BEGINNING, None)]
    way: _Way | None = None
    for seq in count(1):
        rows = versions.get(seq, ())
        ends = [(row.chain, (row, before)) for chain, before in ends for row in rows if _is_sound(row, seq, chain)]
        if not ends:
            break
        way = ends[0][1]
    rows_back = []
    while way is not None:
        row, way = way
        rows_back.append(row)
    return tuple(reversed(rows_back))


def _is_sound(row: Row, seq: int, chain: str) -> bool:
    try:
        checks.sound(Path(os.devnull), "", row, seq, chain)
    except JournalDamaged:
        return False
    return True
