"""How a demo runs: by itself, faster or slower, not at all, or one act at a time. Any thread may control it."""

from __future__ import annotations

import threading
from typing import Final

from companion.table import PlaybackWish, Playing

FASTEST: Final = 0.1
SLOWEST: Final = 12.0


class Playback:
    """What is wanted of a demo now, and the waiting for it."""

    def __init__(self, pace: float, *, paused: bool = False) -> None:
        self._pace, self._paused, self._steps, self._is_over = pace, paused, 0, False
        self._changed = threading.Condition()

    def now(self) -> Playing:
        with self._changed:
            return Playing(self._paused, self._pace)

    def do(self, wish: PlaybackWish) -> None:
        """A step pauses first, so that the next act waits to be asked for."""
        with self._changed:
            match wish:
                case "pause":
                    self._paused = True
                case "go":
                    self._paused = False
                case "step":
                    self._paused, self._steps = True, self._steps + 1
                case "faster":
                    self._pace = max(FASTEST, self._pace / 2)
                case "slower":
                    self._pace = min(SLOWEST, max(FASTEST, self._pace * 2))
            self._changed.notify_all()

    def toggle(self) -> None:
        self.do("go" if self.now().paused else "pause")

    def end(self) -> None:
        """End all waiting."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def is_over(self) -> bool:
        return self._is_over

    def wait(self) -> bool:
        """Wait until the next act may come; False if there will never be another."""
        with self._changed:
            pace = self._pace
            if not self._paused and not self._is_over:
                self._changed.wait_for(lambda: self._is_over or self._paused or self._pace != pace, pace)
            self._changed.wait_for(lambda: self._is_over or self._steps > 0 or not self._paused)
            self._steps = max(0, self._steps - 1)
            return not self._is_over

    def breathe(self) -> bool:
        """The shorter wait between the inputs of one act; False once it is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_over, self._pace / 2)
            return not self._is_over
