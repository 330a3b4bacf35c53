"""Listens to all tables on the broker, and tells them what was kept. A separate thread that never gives up."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from typing import Final

from web.club import (
    DEVICE,
    DISCOVERY,
    EVERY_TABLE,
    HERE,
    HUB,
    KEPT,
    RESULT,
    SETUP,
    VIEW,
    GameOver,
    HubHere,
    Kept,
    Paired,
    TableId,
    decode,
    encode,
    parted,
    topic,
)
from web.club.broker import Connection, Heard, News, Reached, Unreached
from web.club.teller import Message

log = logging.getLogger(__name__)

AGAIN: Final = 1.0
"""Seconds before looking again for a broker that is gone."""
Hears = Callable[[TableId, str, bytes, bool], None]
"""Which table, which part, its payload, and whether the broker had retained it."""


class Listener:
    """Runs from `start` to `close`. `here` is the hub's own announcement; `hears` is called with everything, on
    this thread.

    A result that `hears` has taken is on the disk: only then is its table told, and stops sending it.
    """

    def __init__(
        self, to: Paired, here: Callable[[], HubHere], hears: tuple[Hears, ...], ticks: Callable[[], None]
    ) -> None:
        self._to, self._here, self._hears, self._ticks = to, here, hears, ticks
        self._news: queue.SimpleQueue[tuple[Connection | None, News | None]] = queue.SimpleQueue()
        self._line: Connection | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
        self.is_connected = False

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._news.put((None, None))
        self._thread.join(timeout=5)

    def clear(self, table: TableId) -> None:
        """Remove everything the broker retains of a table."""
        for name in (*(topic(table, part) for part in (HERE, SETUP, VIEW, DEVICE)), f"{DISCOVERY}/{table}/config"):
            self.say(Message(name, b"", retain=True))

    def say(self, message: Message) -> None:
        line = self._line
        if line is not None:
            line.say(message)

    def _run(self) -> None:
        while not self._closing.is_set():
            self._line = line = self._connected()
            self._follow(line)
            self.is_connected = False
            self._line = None
            line.close()
            if not self._closing.wait(AGAIN):
                self._ticks()

    def _connected(self) -> Connection:
        box: list[Connection] = []
        gone = HubHere(False)
        will = Message(HUB, encode(gone), retain=True)
        line = Connection(self._to, EVERY_TABLE, will, lambda news: self._news.put((box[0] if box else None, news)))
        box.append(line)
        return line

    def _follow(self, line: Connection) -> None:
        """Until that connection is gone, or we close."""
        while not self._closing.is_set():
            self._ticks()
            try:
                of, news = self._news.get(timeout=0.25)
            except queue.Empty:
                continue
            if of not in (None, line):
                continue
            match news:
                case Reached():
                    self.is_connected = True
                    line.say(Message(HUB, encode(self._here()), retain=True))
                case Heard() as heard:
                    self._heard(line, heard)
                case Unreached(why, detail):
                    log.warning("the broker is gone (%s): %s", why, detail)
                    return

    def _heard(self, line: Connection, heard: Heard) -> None:
        found, payload = parted(heard.topic), heard.payload
        if found is None:
            return
        table, part = found
        try:
            for hears in self._hears:
                hears(table, part, payload, heard.retained)
            if part == RESULT:
                told = decode(GameOver, payload)
                line.say(Message(topic(table, KEPT), encode(Kept(told.id, told.seq, told.again)), retain=False))
        except (OSError, ValueError) as error:  # what was not kept is not acknowledged, and will be sent again
            log.warning("%s of table %s is passed over: %s", part, table, error)
