"""The floor of the club: all tables as they last reported. Draws nothing and decides nothing."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from companion.table.outside import Seen
from web.club import (
    HERE,
    RESULT,
    SETUP,
    VIEW,
    GameOver,
    Here,
    Opened,
    SetupSaid,
    TableId,
    Unreadable,
    View,
    decode,
    seen_of,
)
from web.club import opened as opened_of

log = logging.getLogger(__name__)

MOST_PACKS: Final = 64
LATE: Final = 86_400.0
"""Seconds. If a table's clock is off from ours by more than this, its times aren't worth showing."""
DOUBT: Final = 15.0
"""Seconds in which a table must announce itself: what a broker retains may come from a table that was switched off
together with it.
"""
GONE: Final = 12 * 3600.0
"""Seconds after which a table that is away leaves the wall: it belongs to another evening."""


class AtTable(Struct, frozen=True, eq=False):
    """One table as it last reported. `edition` grows with every report of any table."""

    id: TableId
    edition: int
    name: str = ""
    here: bool = False
    shown: bool = False
    heard: float = 0.0
    """When it last reported, by this machine's clock."""
    went: float = 0.0
    """When it went, if this hub saw that; only while it is away."""
    setup: bytes = b""
    view: bytes = b""


class Looked(Struct, frozen=True, eq=False):
    """What can be seen of a table: None if it hasn't reported yet, or `why` it can't be read."""

    seen: Seen | None
    since: float
    """Since when everybody has been waiting, by this machine's clock."""
    why: str = ""
    at: float = 0.0
    """When it last did anything, by its own clock."""


Keeps = Callable[[TableId, GameOver], None]
Notes = Callable[[TableId, str, bool], None]


class Floor:
    """All tables. Whoever listens to the broker calls `heard`; everything else may be called from any thread.

    With a `delay`, everything is shown that many seconds late, so that what people far away see is of no use to any
    player. Results are kept at once; pages show them when the delay is over.
    """

    def __init__(
        self,
        keeps: Keeps,
        notes: Notes,
        delay: float = 0.0,
        called: Callable[[int], str] = lambda seat: f"#{seat + 1}",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.delay = delay
        self._keeps, self._notes, self._called, self._clock = keeps, notes, called, clock
        self._tables: dict[TableId, AtTable] = {}
        self._looked: dict[TableId, tuple[AtTable, Looked]] = {}
        self._opened: dict[TableId, tuple[bytes, Opened]] = {}
        self._packs: dict[tuple[str, int, bytes], Opened] = {}
        self._due: deque[tuple[float, TableId, str, bytes, bool]] = deque()
        self._doubted: dict[TableId, float] = {}
        self._followers: tuple[Callable[[], None], ...] = ()
        self._lock = threading.RLock()
        self.edition = 0

    def heard(self, table: TableId, part: str, payload: bytes, retained: bool = False) -> None:
        """A report of a table. Raises Unreadable for a bad payload, which changes nothing.

        `retained`: the broker already had it when we connected.
        """
        if part == RESULT:
            self._keeps(table, _own(table, decode(GameOver, payload)))
        elif part in (HERE, SETUP, VIEW):
            if part == HERE and payload:
                decode(Here, payload)
            with self._lock:
                self._due.append((self._clock() + self.delay, table, part, payload, retained))
            self.catch_up()

    def catch_up(self) -> float | None:
        """Show what is due by now; returns the seconds until more is due, None if nothing is waiting."""
        with self._lock:
            before = self.edition
            while self._due and self._due[0][0] <= self._clock():
                _, table, part, payload, retained = self._due.popleft()
                self._take(table, part, payload, retained)
            self._doubt()
            left = self._due[0][0] - self._clock() if self._due else None
            is_news = self.edition != before
        if is_news:
            for fn in self._followers:
                fn()
        return left

    def _doubt(self) -> None:
        """Tables that the broker says are here, but that haven't announced themselves, count as away."""
        for table in [table for table, until in self._doubted.items() if until <= self._clock()]:
            del self._doubted[table]
            self.edition += 1
            self._tables[table] = replace(self._tables[table], here=False, edition=self.edition)

    def _take(self, table: TableId, part: str, payload: bytes, retained: bool) -> None:
        self.edition += 1
        was = self._tables.get(table) or AtTable(table, 0)
        told = {name: getattr(was, name) for name in AtTable.__struct_fields__}
        told |= {"edition": self.edition, "heard": self._clock()}
        if part == HERE and not payload:
            self.forget(table)
            return
        if part == HERE:
            here = decode(Here, payload)
            told |= {"here": here.here, "went": 0.0 if here.here or retained else self._clock()}
            self._doubted.pop(table, None)
            if here.here and retained:
                self._doubted[table] = self._clock() + DOUBT
            if here.here:  # a last will carries neither the name nor whether it is shown
                told |= {"name": here.name, "shown": here.shown}
                self._notes(table, here.name, here.shown)
        else:
            told[part] = payload
        self._tables[table] = AtTable(**told)

    def forget(self, table: TableId) -> None:
        """Remove a table that has left this club."""
        with self._lock:
            self.edition += 1
            self._tables.pop(table, None)
            self._doubted.pop(table, None)
            self._looked.pop(table, None)
            self._opened.pop(table, None)

    def tables(self) -> tuple[AtTable, ...]:
        """This evening's tables that want to be shown, in natural order: Oak 4 before Oak 10."""
        with self._lock:
            shown = [table for table in self._tables.values() if table.shown and not self._is_gone(table)]
        return tuple(sorted(shown, key=lambda table: (_counted(table.name), table.id)))

    def _is_gone(self, table: AtTable) -> bool:
        return not table.here and self._clock() - max(table.went, self.look(table).at) > GONE

    def find(self, table: str) -> AtTable | None:
        with self._lock:
            found = self._tables.get(TableId(table))
        return found if found is not None and found.shown else None

    def hidden(self) -> int:
        """How many tables are here but don't want to be shown."""
        with self._lock:
            return sum(table.here and not table.shown for table in self._tables.values())

    def look(self, table: AtTable) -> Looked:
        """What can be seen there; decoded once for everybody who looks."""
        with self._lock:
            kept = self._looked.get(table.id)
            if kept is not None and (kept[0].setup, kept[0].view) == (table.setup, table.view):
                return kept[1]
            looked = self._read(table)
            self._looked[table.id] = (table, looked)
            return looked

    def _read(self, table: AtTable) -> Looked:
        if not table.setup or not table.view:
            return Looked(None, table.heard)
        try:
            view = decode(View, table.view)
            seen = seen_of(self._game(table), view, self._called)
        except Unreadable as error:
            log.warning("table %s cannot be shown: %s", table.id, error)
            return Looked(None, table.heard, str(error))
        age = table.heard - view.at
        return Looked(seen, view.at if 0 <= age < LATE else table.heard, at=view.at)

    def _game(self, table: AtTable) -> Opened:
        kept = self._opened.get(table.id)
        if kept is None or kept[0] != table.setup:
            kept = self._opened[table.id] = (table.setup, self._open(decode(SetupSaid, table.setup)))
        return kept[1]

    def _open(self, said: SetupSaid) -> Opened:
        """Most tables of a club play with the same pack, so it is decoded and held once for all of them."""
        key = said.game, said.rules, bytes(said.setup)
        if key not in self._packs:
            if len(self._packs) >= MOST_PACKS:
                self._packs.clear()
            self._packs[key] = opened_of(said)
        return replace(self._packs[key], record=said.record)

    def follow(self, fn: Callable[[], None]) -> Callable[[], None]:
        """Call `fn` on every change, on the thread that made it; returns the function that stops this."""
        with self._lock:
            self._followers = (*self._followers, fn)

        def end() -> None:
            with self._lock:
                self._followers = tuple(each for each in self._followers if each is not fn)

        return end


def _own(table: TableId, over: GameOver) -> GameOver:
    """A table reports the ends of its own games only."""
    if over.id != f"{table}/{over.record}":
        raise Unreadable(f"{over.id} is no game of table {table}: its id must be {table}/{over.record}")
    return over


def _counted(name: str) -> tuple[tuple[int, str], ...]:
    """A name's sort key, with its numbers as numbers."""
    parts = "".join(sign if sign.isdecimal() else f"\0{sign}\0" for sign in name.casefold()).split("\0")
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts if part)
