"""The list of games."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

from companion.core import GameId, Seq

from . import store
from .entries import GameRow
from .store import UNREADABLE


class _Title(Struct, frozen=True, tag="opened"):
    """What the list needs of an opening; the pack, which is long, is skipped."""

    game: GameId
    names: tuple[str, ...]


class _Sitting(Struct, frozen=True, tag="seated"):
    seat: int
    name: str


_title: Final = msgspec.json.Decoder(_Title).decode
_sitting: Final = msgspec.json.Decoder(_Sitting).decode
_UNREADABLE: Final = _Title(GameId(""), ())


def games(db: sqlite3.Connection) -> tuple[GameRow, ...]:
    """Every table, oldest first. Damaged ones are listed too, so that nobody thinks them lost."""
    return tuple(_game(db, table) for table in store.tables(db))


def _game(db: sqlite3.Connection, table: store.Shelved) -> GameRow:
    first, last = store.row(db, table.number, 1), store.last_row(db, table.number)
    if first is None or last is None:
        return GameRow(table.id, _UNREADABLE.game, (), 0.0, 0.0, Seq(0), table.archived)
    try:
        title = _title(first.body)
        names = _now_seated(title.names, store.seatings(db, table.number))
    except UNREADABLE:
        title, names = _UNREADABLE, ()
    return GameRow(table.id, title.game, names, first.at, last.at, last.seq, table.archived)


def _now_seated(names: tuple[str, ...], seatings: Iterable[bytes]) -> tuple[str, ...]:
    seats = list(names)
    for body in seatings:
        sitting = _sitting(body)
        if 0 <= sitting.seat < len(seats):
            seats[sitting.seat] = sitting.name
    return tuple(seats)
