"""Whether what was read is what was written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from companion.core import Said, Seq, say

from . import store
from .entries import Entry, Opened
from .errors import JournalDamaged
from .store import BEGINNING, UNREADABLE, Row, short_ids

Kind = Literal["file", "stray", "id", "empty", "gap", "changed", "unreadable", "opening", "command"]

WHOLE: Final = Seq(0)
"""For problems that belong to no single entry."""


class Problem(Struct, frozen=True):
    """One thing that is not as it was written; `found` is for the log and for whoever repairs it."""

    kind: Kind
    seq: Seq
    found: str

    @property
    def said(self) -> Said:
        return say(f"journal.problem-{self.kind}", seq=self.seq)


def sound(path: Path, table: str, row: Row, seq: int, chain: str) -> Entry:
    """The entry of `row`, which should have number `seq` and follow `chain`; JournalDamaged if it does not."""
    for problem in _of_row(row, seq, chain):
        raise JournalDamaged(path, f"table {table}, entry {problem.seq}: {problem.kind}, {problem.found}")
    return row.entry()


def problems(db: sqlite3.Connection, table: str, number: int) -> Iterator[Problem]:
    """Everything wrong with one table, and with the file as a whole."""
    try:
        for (found,) in db.execute("PRAGMA integrity_check(20)"):
            if found != "ok":
                yield Problem("file", WHOLE, found)
        for stray in store.stray_numbers(db):
            yield Problem("stray", WHOLE, f"entries of number {stray}, which no table has")
        yield from _of_table(db, table, number)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        yield Problem("file", WHOLE, str(error))


def _of_table(db: sqlite3.Connection, table: str, number: int) -> Iterator[Problem]:
    chain, seq = BEGINNING, 0
    for row in store.rows(db, number):
        yield from _of_row(row, seq + 1, chain)
        if row.seq == 1 and table not in islice(short_ids(row.chain), number):
            yield Problem("id", WHOLE, f"{table} does not follow from entry 1")
        yield from _of_command(db, number, row)
        chain, seq = row.chain, row.seq
    if seq == 0:
        yield Problem("empty", WHOLE, f"table {table} has no entries")


def _of_row(row: Row, seq: int, chain: str) -> Iterator[Problem]:
    if row.seq != seq:
        yield Problem("gap", Seq(seq), f"the next entry there is {row.seq}")
    if not row.follows(chain):
        yield Problem("changed", row.seq, f"its chain should be {row.chain}")
    try:
        entry = row.entry()
    except UNREADABLE as error:
        yield Problem("unreadable", row.seq, str(error))
        return
    if isinstance(entry.body, Opened) != (row.seq == 1):
        yield Problem("opening", row.seq, "entry 1 and no other opens the table")


def _of_command(db: sqlite3.Connection, number: int, row: Row) -> Iterator[Problem]:
    found = store.command_at(db, number, row.seq)
    try:
        expected = row.command()
    except UNREADABLE:
        return  # reported as unreadable
    if found != expected:
        yield Problem("command", row.seq, f"{found!r} instead of {expected!r}")
