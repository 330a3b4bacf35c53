"""One game as one readable file: a line that says what it is, then a line per entry."""

from __future__ import annotations

import itertools
import os
import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Raw, Struct

from companion.core import CompanionError, Name, Said, Seq, say

from . import checks, file, store
from .entries import Entry
from .errors import JournalDamaged, JournalNewer, beside, naming
from .store import BEGINNING, UNREADABLE, Row, command_of, short_ids

T = TypeVar("T")

_NOTHING: Final = b"null"

EXPORT: Final = "table companion game"


class Imported(Struct, frozen=True):
    """The table that an imported game has here; `already` if the very same game was here before."""

    table: str
    already: bool


class ExportDamaged(CompanionError, ValueError):
    """The file is not a whole, unchanged export."""

    def __init__(self, path: Path, line: int, found: str) -> None:
        super().__init__(f"{path}, line {line}: {found}. Nothing was imported; export the game again from its journal.")
        self.path: Final = path
        self.line: Final = line

    @property
    def said(self) -> Said:
        return say("trouble.export-damaged", file=Name(self.path.name), line=self.line)


class _Header(Struct, frozen=True):
    """The first line. `entries` and `chain` reveal an export that was cut short."""

    holds: str
    format: int
    table: str
    entries: int
    chain: str


class _Line(Struct, frozen=True):
    seq: Seq
    at: float
    state: str
    chain: str
    body: Raw
    cause: Raw


class _AnyHeader(Struct, frozen=True):
    """What every future format will still say."""

    holds: str
    format: int


_encode: Final = msgspec.json.Encoder().encode
_any_header: Final = msgspec.json.Decoder(_AnyHeader).decode
_header: Final = msgspec.json.Decoder(_Header).decode
_line: Final = msgspec.json.Decoder(_Line).decode


def write(db: sqlite3.Connection, journal: Path, table: str, number: int, path: Path) -> None:
    """Write the game to `path`, whole or not at all, replacing what was there."""
    with naming(journal):
        last = store.last_row(db, number)
    if last is None:
        raise JournalDamaged(journal, f"table {table} has no entries")
    header = _Header(EXPORT, file.FORMAT, table, last.seq, last.chain)
    with naming(path):
        draft = beside(path, ".part")
        try:
            fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)  # it contains all secrets
            with os.fdopen(fd, "wb") as out:
                out.write(_encode(header) + b"\n")
                out.writelines(_sound_lines(db, journal, table, number))
                out.flush()
                os.fsync(fd)
            draft.rename(path)
        except BaseException:
            with suppress(OSError):
                draft.unlink()
            raise
        file.sync_folder(path.parent)


def read(db: sqlite3.Connection, path: Path) -> Imported:
    """Add the game in `path`; call it inside a transaction, so that a damaged line undoes it all."""
    with closing(_lines_of(path)) as lines:
        header = _read_header(path, next(lines, b""))
        rows = _read_rows(path, header, lines)
        first = next(rows)
        there, table = _place_for(db, first[0].chain, header)
        if there is not None:
            for _ in rows:
                pass  # a damaged export is reported even if its game is already here
            return Imported(there, already=True)
        number = store.add_table(db, table)
        for row, entry in itertools.chain((first,), rows):
            store.insert(db, number, row, command_of(entry.cause))
    return Imported(table, already=False)


def _sound_lines(db: sqlite3.Connection, journal: Path, table: str, number: int) -> Iterator[bytes]:
    chain = BEGINNING
    with naming(journal):
        for seq, row in enumerate(store.rows(db, number), start=1):
            checks.sound(journal, table, row, seq, chain)
            chain = row.chain
            yield _encode(_as_line(row)) + b"\n"


def _lines_of(path: Path) -> Generator[bytes, None, None]:
    with naming(path), path.open("rb") as lines:
        yield from lines


def _as_line(row: Row) -> _Line:
    return _Line(row.seq, row.at, row.state, row.chain, Raw(row.body), Raw(row.cause or _NOTHING))


def _place_for(db: sqlite3.Connection, first_chain: str, header: _Header) -> tuple[str | None, str]:
    """The table that already holds this very game, or None; and the first free id for it."""
    for table in short_ids(first_chain):
        number = store.number_of(db, table)
        if number is None:
            return None, table
        last = store.last_row(db, number)
        if last is not None and (last.seq, last.chain) == (header.entries, header.chain):
            return table, table
    raise AssertionError("short ids never end")


def _read_header(path: Path, line: bytes) -> _Header:
    try:
        found = _any_header(line)
    except UNREADABLE:
        raise ExportDamaged(path, 1, "this is not the first line of an exported game") from None
    if found.holds != EXPORT:
        raise ExportDamaged(path, 1, f"it says that it holds {found.holds!r} instead of {EXPORT!r}")
    if found.format > file.FORMAT:
        raise JournalNewer(path, f"its format is {found.format}, this program knows up to {file.FORMAT}")
    return _decode(path, 1, line, _header)


def _read_rows(path: Path, header: _Header, lines: Iterator[bytes]) -> Iterator[tuple[Row, Entry]]:
    chain, seq = BEGINNING, 0
    for seq, line in enumerate(lines, start=1):
        said = _decode(path, seq + 1, line, _line)
        cause = None if said.cause == Raw(_NOTHING) else bytes(said.cause)
        row = Row(said.seq, said.at, bytes(said.body), cause, said.state, said.chain)
        try:
            yield row, checks.sound(path, header.table, row, seq, chain)
        except JournalDamaged as error:
            raise ExportDamaged(path, seq + 1, error.found) from None
        chain = row.chain
    if seq == 0 or (seq, chain) != (header.entries, header.chain):
        raise ExportDamaged(path, seq + 2, f"it ends after {seq} of {header.entries} entries")


def _decode(path: Path, number: int, line: bytes, decode: Callable[[bytes], T]) -> T:
    try:
        return decode(line)
    except UNREADABLE as error:
        raise ExportDamaged(path, number, str(error)) from None
