"""Limits the number of connections, and closes those that keep us waiting first.

Every connection costs this process a file descriptor, no matter who opened it, and descriptors are limited. A
newcomer always gets in as long as some other connection is merely waiting: it says nothing, sends half a request,
or doesn't read its answer.
"""

from __future__ import annotations

import asyncio
import resource
from collections.abc import Collection
from typing import Any, Final, cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from .messages import Scope

MOST: Final = 1500
"""Connections at once: all possible streams, and more others than a house has phones."""
BESIDE: Final = 200
"""File descriptors that everything else in this process may need."""
FROM_ADDRESS: Final = 64
"""Of these, from one address; a phone has six."""
PATIENCE: Final = 30.0
"""Seconds in which a request must be sent, and an answer read."""
LOOK: Final = 1.0
"""Seconds between two checks for idle connections."""


class Door:
    """All connections of a server, oldest first. Lives on one loop."""

    def __init__(self, from_address: int | None = None) -> None:
        self._from_address = from_address
        self._all: dict[Connection, None] = {}
        self._from: dict[str, dict[Connection, None]] = {}
        self._most = MOST

    def open(self) -> None:
        """Make room for connections, and start looking after them; call on the loop that serves them."""
        self._most = _made_room()
        self._look()

    def comes(self, connection: Connection) -> None:
        """Let one in; if there are too many, close the oldest idle one, or this one if none is idle."""
        beside = self._from.get(connection.address, {})
        most = self._from_address or FROM_ADDRESS
        if not (_has_room(beside, most) and _has_room(self._all, self._most)):
            connection.transport.abort()
            return
        self._all[connection] = None
        self._from.setdefault(connection.address, {})[connection] = None

    def goes(self, connection: Connection) -> None:
        self._all.pop(connection, None)
        beside = self._from.get(connection.address, {})
        beside.pop(connection, None)
        if not beside:
            self._from.pop(connection.address, None)

    def _look(self) -> None:
        """Close whatever has kept us waiting for too long, and check again later."""
        loop = asyncio.get_running_loop()
        for connection in tuple(self._all):
            connection.notice(loop.time())
            if loop.time() - connection.waits_since > PATIENCE:
                connection.end()
        loop.call_later(LOOK, self._look)


def _made_room() -> int:
    """Raise this process's limit of open files to one for every connection; returns how many connections that
    allows.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < MOST + BESIDE:
        soft = MOST + BESIDE if hard == resource.RLIM_INFINITY else min(MOST + BESIDE, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MOST if soft == resource.RLIM_INFINITY else min(MOST, max(soft - BESIDE, soft // 2))


def _has_room(connections: Collection[Connection], most: int) -> bool:
    """Whether one more may come; if there are too many, the oldest idle one is closed for it."""
    if len(connections) < most:
        return True
    waiting = (connection for connection in connections if connection.is_waiting)
    first = next(waiting, None)
    # Phones with a seat stay: they are most likely here to play.
    ends = first if first is None or not first.is_seated else next((c for c in waiting if not c.is_seated), first)
    if ends is not None:
        ends.end()
    return ends is not None


class Connection(H11Protocol):
    """One connection, as uvicorn serves it, that tells the door when it opens, closes and waits."""

    def __init__(self, door: Door, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._door = door
        self.address = ""
        self.waits_since: float = self.loop.time()
        """Since when the other side has kept us waiting, to about a second."""
        self._noticed: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self._door.comes(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._door.goes(self)
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        self.waits_since = self.loop.time()
        super().on_response_complete()

    @property
    def is_waiting(self) -> bool:
        """Whether we are doing nothing but wait for the other side."""
        if self.transport.get_write_buffer_size():
            return True
        asked = cast("RequestResponseCycle | None", self.cycle)  # None before the first request
        return asked is None or asked.response_complete or (asked.more_body and not asked.response_started)

    @property
    def is_seated(self) -> bool:
        """Whether the last request here came from a phone with a seat."""
        asked = cast("Scope | None", self.scope)
        return asked is not None and "seat" in asked["state"]

    def notice(self, now: float) -> None:
        """Restart the count while there is nothing to wait for, and at every new request."""
        if not self.is_waiting or self.cycle is not self._noticed:
            self.waits_since, self._noticed = now, self.cycle

    def end(self) -> None:
        """Close at once, dropping whatever was still to be sent: nobody is reading it."""
        self._door.goes(self)
        self.transport.abort()
