"""Callbacks for changes of a pretend device."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)


class Watchers:
    """A list of functions to call; one that raises is logged and dropped, and doesn't affect the device."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._fns: list[Callable[[], None]] = []

    def add(self, fn: Callable[[], None]) -> Callable[[], None]:
        """Call `fn`, from any thread, on every change; returns the function that stops this."""
        with self._lock:
            self._fns.append(fn)
        return lambda: self._drop(fn)

    def tell(self) -> None:
        with self._lock:
            fns = tuple(self._fns)
        for fn in fns:
            try:
                fn()
            except Exception:
                log.exception("a watcher of a pretend device failed and is no longer told: %r", fn)
                self._drop(fn)

    def _drop(self, fn: Callable[[], None]) -> None:
        with self._lock:
            if fn in self._fns:
                self._fns.remove(fn)
