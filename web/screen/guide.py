"""Your first minute on the pretend table: which steps are done, and whether anybody still wants it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from companion.core import Seq

STEPS: Final = ("laid", "refused", "checked", "joined")
"""In a game without its own lessons."""


class Guide:
    """One per table. Thread-safe; watchers are called on the thread that made the change."""

    def __init__(self, *, closed: bool = False) -> None:
        self._lock = threading.Lock()
        self._watchers: tuple[Callable[[], None], ...] = ()
        self.done: frozenset[str] = frozenset()
        self.is_closed = closed
        self.is_finished = False
        """All of it was done: nobody is a newcomer any more."""
        self.since: tuple[str, Seq] = ("", Seq(0))
        """The game and the entry from which the steps count."""

    def did(self, *steps: str) -> None:
        """These steps are done, or can be skipped."""
        with self._lock:
            is_news, self.done = not self.done.issuperset(steps), self.done.union(steps)
        if is_news:
            self._tell()

    def close(self) -> None:
        """Put the guide away."""
        self.is_closed = True
        self._tell()

    def finish(self) -> None:
        """Everything is done."""
        if not self.is_finished:
            self.is_finished = True
            self._tell()

    def open_again(self, table: str, seq: Seq) -> None:
        """Start over, from this entry of this game."""
        self.done, self.since = frozenset(), (table, seq)
        self.is_closed = self.is_finished = False
        self._tell()

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        """Call `fn` on changes from now on; returns the function that stops this."""
        with self._lock:
            self._watchers = (*self._watchers, fn)
        return lambda: self._drop(fn)

    def _drop(self, fn: Callable[[], None]) -> None:
        with self._lock:
            self._watchers = tuple(each for each in self._watchers if each is not fn)

    def _tell(self) -> None:
        for fn in self._watchers:
            fn()
