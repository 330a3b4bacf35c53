"""Your first minute on the pretend table: which of its steps were done there, and whether anybody still wants it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from companion.core import Seq

STEPS: Final = ("laid", "refused", "checked", "joined")
"""In a game without lessons of its own."""


class Guide:
    """One for a table. May be used from any thread; who watches is told of a change on the thread that made it."""

    def __init__(self, *, closed: bool = False) -> None:
        self._lock = threading.Lock()
        self._watchers: tuple[Callable[[], None], ...] = ()
        self.done: frozenset[str] = frozenset()
        self.is_closed = closed
        self.is_finished = False
        """All of it was done, and a newcomer is one no more."""
        self.since: tuple[str, Seq] = ("", Seq(0))
        """The game and the entry from which on what happens there counts."""

    def did(self, *steps: str) -> None:
        """These steps were done, or need not be."""
        with self._lock:
            is_news, self.done = not self.done.issuperset(steps), self.done.union(steps)
        if is_news:
            self._tell()

    def close(self) -> None:
        """Put the guide away."""
        self.is_closed = True
        self._tell()

    def finish(self) -> None:
        """Everything was done."""
        if not self.is_finished:
            self.is_finished = True
            self._tell()

    def open_again(self, table: str, seq: Seq) -> None:
        """Begin anew, from this entry of this game on."""
        self.done, self.since = frozenset(), (table, seq)
        self.is_closed = self.is_finished = False
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
