"""A table's saved state, sealed to the entries that led to it."""

from __future__ import annotations

import sqlite3
from hashlib import blake2b

from companion.core import Seq

from . import store


def keep(db: sqlite3.Connection, number: int, seq: Seq, state: bytes) -> bool:
    """Save the state after entry `seq`, replacing the one saved before; False if there is no such entry."""
    row = store.row(db, number, seq)
    if row is not None:
        store.keep(db, number, seq, state, _seal(row.chain, state))
    return row is not None


def kept(db: sqlite3.Connection, number: int) -> tuple[Seq, bytes] | None:
    """The last saved state; None if there is none or it does not match the entries as they are."""
    found = store.kept(db, number)
    row = None if found is None else store.row(db, number, found.seq)
    if found is None or row is None or found.seal != _seal(row.chain, found.state):
        return None
    return found.seq, found.state


def _seal(chain: str, state: bytes) -> str:
    return blake2b(chain.encode() + state, digest_size=16, person=b"kept state").hexdigest()
