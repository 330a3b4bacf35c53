"""A device thread that follows the newest snapshot: the base of display, lamp and buzzer."""

from __future__ import annotations

import logging
import threading
from typing import Final, Self

from companion.table.outside import Latest, Seen

log = logging.getLogger(__name__)

TRY_AGAIN: Final = 0.5
"""Seconds until a failed device is tried again: a buzzer must not keep sounding because it missed the end."""


class Follower:
    """One thread between the newest snapshot and one device. Opening or closing twice is harmless.

    The follower owns `latest` and closes it. A device that hangs holds up only its own thread: closing names it and
    leaves it behind.
    """

    settle: float = 0.0
    """Seconds to wait after news: phones hear first, and a burst is followed only once."""

    def __init__(self, name: str, latest: Latest[Seen]) -> None:
        self._name = name
        self._latest = latest
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._failed = ""
        self._has_failed = False

    def open(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def close(self, timeout: float = 2.0) -> None:
        if self._stop.is_set():
            return
        self._stop.set()
        self._latest.close()
        if self._thread is not None:
            self._thread.join(timeout)
            if self._thread.is_alive():
                log.warning("the %s hangs and is left as it is; unplug it and plug it in again", self._name)

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        while not self._stop.is_set():
            seen = self._latest.wait(self._patience())
            if seen is not None and self.settle and not self._stop.wait(self.settle):
                seen = self._latest.wait(0) or seen
            if self._stop.is_set():
                break
            try:
                self._turn(seen)
                self._has_failed = False
            except Exception as error:  # noqa: BLE001 - whatever one moment does, the next one is followed
                self._name_failure(error)
        try:
            self._end()
        except Exception as error:  # noqa: BLE001 - the others must close, too
            self._name_failure(error)

    def _patience(self) -> float | None:
        pause = self._pause()
        return min(TRY_AGAIN, TRY_AGAIN if pause is None else pause) if self._has_failed else pause

    def _name_failure(self, error: Exception) -> None:
        self._has_failed = True
        if repr(error) != self._failed:
            self._failed = repr(error)
            log.error("the %s could not follow the game and stays as it was: %r", self._name, error, exc_info=error)

    def _turn(self, seen: Seen | None) -> None:
        """Follow this snapshot, or the clock if there is none."""
        raise NotImplementedError

    def _pause(self) -> float | None:
        """Seconds until the device changes by itself; None if only a snapshot can change it."""
        raise NotImplementedError

    def _end(self) -> None:
        """Leave the device as it was found."""
        raise NotImplementedError
