"""A reader that is not a Pico's: one that people own, listened to from a thread of its own.

Each kind is one file with one subclass. What it finds goes to the same senses as the Picos' reports, in the same words.
"""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from typing import Final

from companion.core import CompanionError, ReaderId, Uid

from .link import LONGEST_WAIT, SHORTEST_WAIT, Wait
from .presence import Arrived, Connected, Disconnected, Left, Lies
from .senses import Senses

log = logging.getLogger(__name__)
TURN: Final = 0.2
"""The most seconds that listening waits before it checks whether to stop."""


class NoReader(CompanionError, OSError):
    """The device is not there, or not as it should be; the search goes on."""


class NotInstalled(NoReader):
    """The library for such devices is not installed."""


class NoPcscd(NoReader):
    """The system service for such devices does not answer."""


class Solo(ABC):
    """`name` is what the device is called, or a part of it; `reader` what it is called here. Used only once."""

    def __init__(self, name: str, reader: ReaderId, senses: Senses, *, wait: Wait = threading.Event.wait) -> None:
        self.name, self.reader = name, reader
        self._senses = senses
        self._wait = wait
        self._is_lost = False
        self._turned = time.monotonic()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"reader {reader}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End the thread; returns within half a second."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()

    def is_alive(self, patience: float) -> bool:
        """Whether the thread got somewhere within this many seconds; an unplugged device does not stop it."""
        return self._thread.is_alive() and time.monotonic() - self._turned < patience

    @abstractmethod
    def _listen(self) -> None:
        """Open the device, report its level, then what comes and goes, while `_goes_on`; raises NoReader or OSError."""

    def _goes_on(self) -> bool:
        """Ask at least every few turns: it also waits while the table has too much to do."""
        self._turned = time.monotonic()
        self._senses.look()
        while not self._senses.has_room(TURN) and not self._closing.is_set():
            self._turned = time.monotonic()
        return not self._closing.is_set()

    def _tell_level(self, *uids: Uid) -> None:
        """The device is there, with this on it: layout, and no play."""
        if self._is_lost:
            log.info("reader %s is back: %s", self.reader, self.name)
        self._is_lost = False
        self._senses.take(Connected((self.reader,)))
        self._senses.take(Lies(self.reader, uids))

    def _tell_arrival(self, uid: Uid) -> None:
        self._senses.take(Arrived(uid, self.reader))

    def _tell_leaving(self, uid: Uid) -> None:
        self._senses.take(Left(uid, self.reader))

    def _run(self) -> None:
        pause = SHORTEST_WAIT
        while not self._closing.is_set():
            self._turned, was_lost = time.monotonic(), self._is_lost
            try:
                self._listen()
            except OSError as why:
                pause = SHORTEST_WAIT if was_lost != self._is_lost else min(2 * pause, LONGEST_WAIT)
                self._lose(why)
                self._wait(self._closing, pause)

    def _lose(self, why: OSError) -> None:
        """Once for each outage: a log line and the news; never one for each attempt."""
        if not self._is_lost:
            log.warning("reader %s is lost: %s", self.reader, why)
        self._is_lost = True
        self._senses.take(Disconnected((self.reader,)))
