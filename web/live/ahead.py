"""Drawing while the disk syncs: draws the moment that comes if the sync succeeds; nobody gets it before that."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any, Final, TypeAlias

from companion.table.outside import SHOWN, Moment, Seen

from .drawn import Drawn

QUICK: Final = 0.003
"""Seconds. While a disk syncs sooner nothing is drawn: the thread that syncs would only wait for the one that draws."""
Sketch: TypeAlias = Callable[[Moment, Drawn], None]
"""Draws one screen of a moment into the cache."""


class Ahead:
    """Drawings of the moment that comes next, if it does. Lives on the streams' loop, but for what is said otherwise.

    It draws one screen at a time, so that news, which stop it, wait for at most one.
    """

    def __init__(self) -> None:
        self._began, self._is_slow = 0.0, True
        self._moment: Moment | None = None
        self._drawn = Drawn()
        self._left: list[Sketch] = []

    def is_worth_it(self) -> bool:
        """Call on the table thread when a sync begins: whether drawing meanwhile gains time, as the last sync tells."""
        self._began = perf_counter()
        return self._is_slow

    def synced(self) -> None:
        """Call on the table thread when the moment is told."""
        if self._began:
            self._is_slow, self._began = perf_counter() - self._began >= QUICK, 0.0

    def begin(self, made: Callable[[], Moment], sketches: list[Sketch]) -> None:
        """Draw the moment that `made` returns, first screen first."""
        self._moment, self._drawn, self._left = None, Drawn(), sketches[::-1]
        if sketches:
            asyncio.get_running_loop().call_soon(self._go_on, made, self._left)

    def _go_on(self, made: Callable[[], Moment], left: list[Sketch]) -> None:
        if left is not self._left or not left:
            return
        if self._moment is None:
            self._moment = made()
        with contextlib.suppress(Exception):  # if it can't be drawn, the phone that needs it will report it
            left.pop()(self._moment, self._drawn)
        asyncio.get_running_loop().call_soon(self._go_on, made, left)

    def end(self, told: Moment) -> Drawn:
        """The drawings for the moment that is being published; none if a different one was foreseen. Either way
        this ends it.

        If the disk failed, another act may get the same number, so the moment is identified by the view object that
        both share.
        """
        moment, drawn = self._moment, self._drawn
        self.drop()
        return drawn if moment is not None and _is_it(moment.public, told.public) else Drawn()

    def drop(self) -> None:
        """Stop drawing, and forget what is drawn."""
        self._moment, self._drawn, self._left = None, Drawn(), []


class Relay:
    """Calls functions on a loop, from a thread of its own.

    Waking a loop writes to a socket, and meanwhile the loop's thread takes the interpreter. The thread that is about to
    sync would get it back only when all is drawn; this way it is in the sync by then.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._calls: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="relay", daemon=True)
        self._thread.start()

    def call(self, fn: Callable[..., None], *args: Any) -> None:
        """Thread-safe; never waits."""
        self._calls.put(partial(fn, *args))

    def close(self) -> None:
        self._calls.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(call)


_OF_PHONES: Final = tuple(name for name in SHOWN if name not in ("beat", "page", "flash", "signal", "clock"))
"""What the table shows on phones, too, whichever act comes with it; the clock is part of `_beside`."""


def _is_it(foreseen: Seen, told: Seen) -> bool:
    if foreseen.view is not told.view or not looks_alike(foreseen, told):
        return False
    return all(getattr(foreseen, name) == getattr(told, name) for name in _OF_PHONES)


def looks_alike(a: Seen, b: Seen) -> bool:
    """Whether phones show the same for both: nothing changed, or only what the box shows."""
    return (a.table, a.seq) == (b.table, b.seq) and _beside(a) == _beside(b)


def _beside(s: Seen) -> tuple[object, ...]:
    """What phones show beside the game."""
    clock = None if s.clock is None else s.clock.shown
    return s.joining, s.appeal, s.troubles, s.away, s.stranger, s.enrolling, s.beginning, clock
