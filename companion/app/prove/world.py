"""The machine's chance, disk and clock, as they are told to be."""

from __future__ import annotations

import os
import resource
import sqlite3
import time
from collections import deque
from typing import Any, Final, assert_never

import msgspec

from companion.core import Intent
from companion.table import pick_by_weight

from .orders import Disk, Falls, Jump, Store, Zone


class World:
    """Chance, disk and clock of the machine, as they are told to be."""

    def __init__(self, falls: tuple[msgspec.Raw, ...] = (), ahead: float = 0.0) -> None:
        self.disk: Disk = "well"
        self.ahead = ahead
        self.falls: deque[msgspec.Raw] = deque(falls)

    def wall(self) -> float:
        return time.time() + self.ahead

    def pick(self, candidates: tuple[Intent, ...], weights: tuple[int, ...]) -> Intent | None:
        """What was said to come next, if it can; else anything."""
        if self.falls:
            wanted = msgspec.json.decode(self.falls[0])
            found = next((each for each in candidates if _plain(each) == wanted), None)
            if found is not None:
                self.falls.popleft()
                return found
        return pick_by_weight(candidates, weights)

    def be(self, order: Store | Jump | Zone | Falls) -> None:
        """Be otherwise from now on."""
        match order:
            case Store(disk=disk):
                self.disk = disk
                _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
                resource.setrlimit(resource.RLIMIT_FSIZE, (1 if disk == "full" else hard, hard))
            case Jump(seconds=seconds):
                self.ahead += seconds
            case Zone(name=name):
                os.environ["TZ"] = name
                time.tzset()
            case Falls(outcomes=outcomes):
                self.falls.extend(outcomes)
            case _:
                assert_never(order)

    def connect(self, *args: Any, **more: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = sqlite3.connect(*args, **(more | {"factory": _on(self)}))
        return connection


def _plain(intent: Intent) -> object:
    return msgspec.json.decode(msgspec.json.encode(intent))


_FAILS: Final = {
    "read-only": ("BEGIN", sqlite3.SQLITE_READONLY, "attempt to write a readonly database"),
    "unsynced": ("COMMIT", sqlite3.SQLITE_IOERR_WRITE, "disk I/O error"),
    "lying": ("COMMIT", sqlite3.SQLITE_IOERR_FSYNC, "disk I/O error"),
}


def _on(world: World) -> type[sqlite3.Connection]:
    """Connections to this world's disk."""

    class Connection(sqlite3.Connection):
        def execute(self, sql: str, *more: Any) -> sqlite3.Cursor:
            word, code, text = _FAILS.get(world.disk, ("", 0, ""))
            if not word or not sql.startswith(word):
                return super().execute(sql, *more)
            if world.disk == "lying":
                super().execute(sql, *more)
            error = sqlite3.OperationalError(text)
            error.sqlite_errorcode = code
            raise error

    return Connection
