"""A box that is on no network opens its own Wi-Fi, because otherwise no phone could reach it to give it another."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from . import hotspot

WAIT: Final = 45.0
"""Seconds within which a Wi-Fi that the machine knows should have let it in."""
_LOOK: Final = 1.0


def provide(data: Path) -> None:
    """Give the box a name and a password for its own Wi-Fi, if NetworkManager could open one.

    At its first start rather than in the package or an image, because no two boxes may have the same.
    """
    if hotspot.load(data) is None and shutil.which("nmcli") is not None:
        hotspot.save(data, hotspot.fresh(hotspot.a_name()))


class Unreached:
    """Waits in a thread of its own, from `start` to `close`, and opens the Wi-Fi once if no network came."""

    def __init__(self, is_reachable: Callable[[], bool], opens: Callable[[], None], wait: float = WAIT) -> None:
        self._is_reachable, self._opens, self._wait = is_reachable, opens, wait
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="own-wifi", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._ends.set()
        self._thread.join()

    def _run(self) -> None:
        left = self._wait
        while not self._is_reachable():
            if left <= 0:
                self._opens()
                return
            if self._ends.wait(_LOOK):
                return
            left -= _LOOK
