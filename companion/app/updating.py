"""What the machine reports about an update, for the display and for phones (systemd/update.py does it)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from companion.core import Said
from companion.table import Progress, Updates

from . import service

SAID: Final = Path("/run/table-companion-update/said")
UPDATE: Final = "update"
IN_MID_GAME: Final = "in-mid-game"
"""What is in the file in that case."""
GIVEN: Final = "update.deb"
"""The package that a phone has sent."""
LARGEST: Final = 200 * 1024 * 1024
LOOKS_EVERY: Final = 1.0
TOLD_FOR: Final = 3600.0
"""Seconds for which a display keeps saying that an update did not come."""


def read(path: Path, now: float) -> Progress:
    """What the file says; nothing if it is missing, old or unreadable."""
    try:
        if now - path.stat().st_mtime > TOLD_FOR:
            return Progress()
        return msgspec.json.decode(path.read_bytes(), type=Progress)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return Progress()


class Following:
    """Looks at the file from time to time and reports each change: `alarm` gets what the display says, or None."""

    def __init__(self, updates: Updates, alarm: Callable[[Said | None], None], path: Path = SAID) -> None:
        self._updates, self._alarm, self._path = updates, alarm, path
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="updates", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._ends.set()
        self._thread.join()

    def look(self) -> None:
        found = read(self._path, time.time())
        if found != self._updates.now:
            self._updates.now = found
            self._alarm(found.alarm)

    def _run(self) -> None:
        while True:
            self.look()
            if self._ends.wait(LOOKS_EVERY):
                return


def follow(alarm: Callable[[Said | None], None]) -> tuple[Updates, Following] | None:
    """None if no machine would do it."""
    folder = service.folder() if SAID.parent.is_dir() else None
    if folder is None:
        return None
    updates = Updates(asks_in(folder), Incoming(folder).take)
    return updates, Following(updates, alarm)


def asks_in(folder: Path) -> Callable[[bool], None]:
    """Asks for an update through a file that a systemd unit waits for: from a stick or, if somebody insists, again from
    where it was refused.
    """

    def ask(in_mid_game: bool) -> None:
        if not in_mid_game:
            (folder / GIVEN).unlink(missing_ok=True)
        _put(folder, IN_MID_GAME if in_mid_game else "")

    return ask


def _put(folder: Path, words: str) -> None:
    draft = folder / f".{UPDATE}"
    draft.write_text(words)
    draft.rename(folder / UPDATE)


class Incoming:
    """A package that a phone sends in parts, one after the other; it is asked for once it is whole. Nothing of it is
    looked at here: who made it is for the unit to say, which has the rights to install it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._draft = folder, folder / f".{GIVEN}"
        self._lock = threading.Lock()

    def take(self, part: bytes, at: int, of: int) -> bool:
        """False where this part is not the next one, or one that came before. There may be no room for it: OSError."""
        with self._lock:
            try:
                if not self._kept(part, at, of):
                    return False
            except OSError:
                self._draft.unlink(missing_ok=True)
                raise
            if at + len(part) == of:
                self._draft.rename(self._folder / GIVEN)
                _put(self._folder, "")
            return True

    def _kept(self, part: bytes, at: int, of: int) -> bool:
        with self._draft.open("ab") as file:
            if at > file.tell() or not 0 < at + len(part) <= min(of, LARGEST):
                return False
            file.truncate(at)
            file.write(part)
        return True
