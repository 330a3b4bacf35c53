"""The SQL of the journal, one small typed function per question."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

import msgspec
from msgspec import Struct

from companion.core import Asked, Input, Seq

from .entries import Body, Entry

# Texts come out as bytes, exactly as chained, whatever a damaged disk made of them.
_ROW: Final = "seq, at, CAST(body AS BLOB), CAST(cause AS BLOB), state, chain"
_INSERT: Final = "INSERT INTO entries (id, at, body, cause, command, state, chain) VALUES (?, ?, ?, ?, ?, ?, ?)"
_AFTER: Final = f"SELECT {_ROW} FROM entries WHERE id > ? AND id < ? ORDER BY id"  # noqa: S608
_LAST: Final = f"SELECT {_ROW} FROM entries WHERE id > ? AND id < ? ORDER BY id DESC LIMIT 1"  # noqa: S608
_ONE: Final = f"SELECT {_ROW} FROM entries WHERE id = ?"  # noqa: S608
_COMMAND: Final = f"SELECT {_ROW} FROM entries WHERE command = ? AND id > ? AND id < ? ORDER BY id LIMIT 1"  # noqa: S608
_SEATINGS: Final = (
    "SELECT CAST(body AS BLOB) FROM entries INDEXED BY seatings "
    """WHERE substr(body, 1, 16) = '{"type":"seated"' AND id > ? AND id < ? ORDER BY id"""
)


class Shelved(Struct, frozen=True):
    """One row of `tables`."""

    number: int
    id: str
    archived: bool


def insert(db: sqlite3.Connection, number: int, row: Row, command: str | None) -> None:
    cause = None if row.cause is None else row.cause.decode()
    values = ((number << SHIFT) + row.seq, row.at, row.body.decode(), cause, command, row.state, row.chain)
    db.execute(_INSERT, values)


def add_table(db: sqlite3.Connection, table: str) -> int:
    number = db.execute("INSERT INTO tables (id, shelf) VALUES (?, 'open')", (table,)).lastrowid
    assert number is not None, "SQLite numbers every row"
    return number


def rows(db: sqlite3.Connection, number: int, after: int = 0) -> Iterator[Row]:
    low = number << SHIFT
    return (Row(*values) for values in db.execute(_AFTER, (low + after, low + (1 << SHIFT))))


def row(db: sqlite3.Connection, number: int, seq: int) -> Row | None:
    values = db.execute(_ONE, ((number << SHIFT) + seq,)).fetchone()
    return None if values is None else Row(*values)


def last_row(db: sqlite3.Connection, number: int) -> Row | None:
    low = number << SHIFT
    values = db.execute(_LAST, (low, low + (1 << SHIFT))).fetchone()
    return None if values is None else Row(*values)


def row_of_command(db: sqlite3.Connection, number: int, command: str) -> Row | None:
    low = number << SHIFT
    values = db.execute(_COMMAND, (command, low, low + (1 << SHIFT))).fetchone()
    return None if values is None else Row(*values)


def command_at(db: sqlite3.Connection, number: int, seq: Seq) -> str | None:
    """The indexed copy of the command's id, which should match the one in the cause."""
    (command,) = db.execute("SELECT command FROM entries WHERE id = ?", ((number << SHIFT) + seq,)).fetchone()
    return None if command is None else str(command)


def seatings(db: sqlite3.Connection, number: int) -> Iterator[bytes]:
    low = number << SHIFT
    return (body for (body,) in db.execute(_SEATINGS, (low, low + (1 << SHIFT))))


def tables(db: sqlite3.Connection) -> tuple[Shelved, ...]:
    """Every table, oldest first."""
    found = db.execute("SELECT number, id, shelf FROM tables ORDER BY number").fetchall()
    return tuple(Shelved(number, table, shelf == "archived") for number, table, shelf in found)


def number_of(db: sqlite3.Connection, table: str) -> int | None:
    found = db.execute("SELECT number FROM tables WHERE id = ?", (table,)).fetchone()
    return None if found is None else int(found[0])


def stray_numbers(db: sqlite3.Connection) -> Iterator[int]:
    """Numbers of entries that belong to no table."""
    known = {table.number for table in tables(db)}
    found = db.execute("SELECT min(id) FROM entries").fetchone()
    while found[0] is not None:
        number = int(found[0]) >> SHIFT
        if number not in known:
            yield number
        found = db.execute("SELECT min(id) FROM entries WHERE id >= ?", ((number + 1) << SHIFT,)).fetchone()


def synced(db: sqlite3.Connection) -> bool:
    """Move everything committed into the file proper and sync it; returns whether all of it got there."""
    busy, in_log, moved = db.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
    return not busy and in_log == moved


def begin_log(db: sqlite3.Connection) -> bool:
    """Move everything committed into the file proper and start a new log; returns whether that worked without waiting.

    A reader may still need the old log; then the next entries go after it.
    """
    busy, in_log, moved = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    if busy or in_log != moved:
        return False
    (version,) = db.execute("PRAGMA user_version").fetchone()
    db.execute(f"PRAGMA user_version = {int(version)}")  # the smallest possible write; SQLite then starts a new log
    return True


class KeptState(Struct, frozen=True):
    """One row of `kept`."""

    seq: Seq
    state: bytes
    seal: str


def keep(db: sqlite3.Connection, number: int, seq: Seq, state: bytes, seal: str) -> None:
    values = (number, seq, state, seal)
    db.execute("INSERT OR REPLACE INTO kept (number, seq, state, seal) VALUES (?, ?, ?, ?)", values)


def kept(db: sqlite3.Connection, number: int) -> KeptState | None:
    values = db.execute("SELECT seq, state, seal FROM kept WHERE number = ?", (number,)).fetchone()
    return None if values is None else KeptState(*values)


def shelve(db: sqlite3.Connection, number: int, archived: bool) -> None:
    db.execute("UPDATE tables SET shelf = ? WHERE number = ?", ("archived" if archived else "open", number))


def delete(db: sqlite3.Connection, number: int) -> None:
    """Every row of one table."""
    low = number << SHIFT
    db.execute("DELETE FROM entries WHERE id > ? AND id < ?", (low, low + (1 << SHIFT)))
    db.execute("DELETE FROM kept WHERE number = ?", (number,))
    db.execute("DELETE FROM tables WHERE number = ?", (number,))


def wipe(db: sqlite3.Connection) -> None:
    """Leave no trace of deleted rows, neither in free pages nor in the log."""
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


BEGINNING: Final = ""
"""The chain before the first entry."""

SHIFT: Final = 32
"""`entries.id` = table number × 2^32 + seq: a single tree holds all, in order, and an append touches one page of it."""

UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What decoding raises for bytes that are not in the format's vocabulary."""

_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"

_encode: Final = msgspec.json.Encoder().encode
_decode_body: Final = msgspec.json.Decoder(Body).decode
_decode_cause: Final = msgspec.json.Decoder(Input).decode


class Row(Struct, frozen=True):
    """An entry as its bytes, exactly as chained."""

    seq: Seq
    at: float
    body: bytes
    cause: bytes | None
    state: str
    chain: str

    def entry(self) -> Entry:
        """Raises one of UNREADABLE if body or cause are not in this format's vocabulary."""
        cause = None if self.cause is None else _decode_cause(self.cause)
        return Entry(self.seq, self.at, _decode_body(self.body), cause, self.state, self.chain)

    def command(self) -> str | None:
        """The phone's own id for the command that caused this."""
        return None if self.cause is None else command_of(_decode_cause(self.cause))

    def follows(self, chain: str) -> bool:
        """Whether this is, unchanged, the row that was written after the one with `chain`."""
        return self.chain == link(chain, self.seq, self.at, self.body, self.cause, self.state)


def make(previous: str, seq: Seq, body: Body, cause: Input | None, at: float, state: str) -> Row:
    at = float(at) + 0.0  # a REAL column keeps neither integers nor the sign of zero
    body_json = one_line(_encode(body))
    cause_json = None if cause is None else one_line(_encode(cause))
    return Row(seq, at, body_json, cause_json, state, link(previous, seq, at, body_json, cause_json, state))


def command_of(cause: Input | None) -> str | None:
    return cause.command if isinstance(cause, Asked) else None


def one_line(json: bytes) -> bytes:
    """Raw parts are as someone else wrote them, perhaps on several lines; an export has one line per entry."""
    return msgspec.json.format(json, indent=-1) if b"\n" in json or b"\r" in json else json


def link(previous: str, seq: int, at: float, body: bytes, cause: bytes | None, state: str) -> str:
    """The chain after this row. The lengths come first, so no two different rows have the same bytes."""
    cause_length = -1 if cause is None else len(cause)
    head = f"{previous} {seq} {at!r} {len(body)} {cause_length} {state}\n".encode()
    return blake2b(head + body + (cause or b""), digest_size=16, person=b"journal 1").hexdigest()


def short_ids(first_chain: str) -> Iterator[str]:
    """The ids that a table may have, best first. They follow from its first entry, so a changed one is noticed."""
    attempt = 0
    while True:
        digest = blake2b(f"{first_chain} {attempt}".encode(), digest_size=4, person=b"table id").digest()
        number = int.from_bytes(digest, "big")
        yield "".join(_LETTERS[number >> shift & 31] for shift in (15, 10, 5, 0))
        attempt += 1
