"""Telling everybody: every subscriber gets each new snapshot, and a drawing thread always has the newest one.

Subscribers are called on the table thread and must return at once; one that raises is dropped and named in the log.
"""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Callable, Iterator
from typing import Final, Generic, TypeAlias, TypeVar

from .snapshot import Snapshot

log = logging.getLogger(__name__)

AFTER: Final = 0.01
"""Seconds until devices are told: phones hear first."""

Subscriber: TypeAlias = Callable[[Snapshot], None]
T = TypeVar("T")


class Subscribers:
    """Who is told of every new snapshot. May be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: list[Subscriber] = []

    def add(self, fn: Subscriber) -> Callable[[], None]:
        """Tell `fn` from now on; call the result to end that."""
        with self._lock:
            self._all.append(fn)
        return lambda: self._drop(fn)

    def tell(self, snapshot: Snapshot) -> None:
        with self._lock:
            everybody = tuple(self._all)
        # Phones subscribed last and are farthest away, so they are told first.
        for fn in reversed(everybody):
            try:
                fn(snapshot)
            except Exception as error:  # noqa: BLE001 - one that fails must not hold up the others
                name_failure(f"a subscriber ({fn!r}) is no longer told", error)
                self._drop(fn)

    def _drop(self, fn: Subscriber) -> None:
        with self._lock:
            if fn in self._all:
                self._all.remove(fn)


class Latest(Generic[T]):
    """The newest snapshot, or what somebody may see of it, for one thread.

    Iterating waits for a newer one each time, until closed.
    """

    def __init__(self, first: T) -> None:
        self._changed = threading.Condition()
        self._newest: T | None = first
        self._closed = False
        self.on_close: Callable[[], None] = lambda: None

    def offer(self, newest: T) -> None:
        with self._changed:
            self._newest = newest
            self._changed.notify_all()

    def wait(self, timeout: float | None = None) -> T | None:
        """The next one that has not been given yet; None after `timeout` seconds or when closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._closed, timeout)
            newest, self._newest = self._newest, None
            return None if self._closed else newest

    def __iter__(self) -> Iterator[T]:
        while not self._closed:
            newest = self.wait()
            if newest is not None:
                yield newest

    def close(self) -> None:
        self.on_close()
        with self._changed:
            self._closed = True
            self._changed.notify_all()


class Herald:
    """Tells devices a moment after phones, and only once of a burst. A single thread wakes for all of them, because
    while threads wake, phones wait.
    """

    def __init__(self, latest: Latest[Snapshot]) -> None:
        self.subscribers = Subscribers()
        self._latest, self._closing = latest, threading.Event()
        self._thread = threading.Thread(target=self._run, name="herald", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._closing.set()
        self._latest.close()
        self._thread.join()

    def _run(self) -> None:
        for newest in self._latest:
            if self._closing.wait(AFTER):
                return
            self.subscribers.tell(self._latest.wait(0) or newest)


def name_failure(what: str, error: Exception) -> None:
    """Log where it failed but not the error's own text, which may name a card that is somebody's secret."""
    log.error("%s: %s\n%s", what, type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
