"""Your first minute on the pretend table: which of its steps were done there, and whether anybody still wants it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

STEPS: Final = ("look", "laid", "acted", "refused", "checked", "joined", "cable")


class Guide:
    """One for a table. May be used from any thread; who watches is told of a change on the thread that made it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._done: frozenset[str] = frozenset()
        self._watchers: tuple[Callable[[], None], ...] = ()
        self.is_closed = False

    @property
    def done(self) -> frozenset[str]:
        return self._done

    def did(self, step: str) -> None:
        """This step was done, or need not be."""
        with self._lock:
            is_news, self._done = step not in self._done, self._done | {step}
        if is_news:
            self._tell()

    def close(self, closed: bool) -> None:
        """Put the guide away, or fetch it again."""
        self.is_closed = closed
        self._tell()

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        """Tell `fn` of changes from now on; gives the way to end it."""
        with self._lock:
            self._watchers = (*self._watchers, fn)
        return lambda: self._drop(fn)

    def _drop(self, fn: Callable[[], None]) -> None:
        with self._lock:
            self._watchers = tuple(each for each in self._watchers if each is not fn)

    def _tell(self) -> None:
        for fn in self._watchers:
            fn()
