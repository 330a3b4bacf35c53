"""A USB stick in the box: everything saved on it, or restored from it, as people at the box say.

Two programs take part. systemd starts `Attendant` for as long as a stick is mounted; only that reads and writes the
stick, with no rights beyond the companion's. `Sticks` is in the companion: it asks people and passes on what they say.
They communicate through small files in the companion's folder below /run.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from companion.core import CompanionError, Name, Said, Stick, say
from companion.journal import JournalLocked
from companion.library import write_whole

from . import backup

IN, TO_DO, RESULT = "stick", "stick-do", "stick-said"
T = TypeVar("T", bound=Struct)
ENDING: Final = ".backup"
WAIT: Final = 0.2
PATIENCE: Final = 600.0
"""Seconds in which somebody must say what to do with a stick; after that it may be taken out."""
_FREE: Final = 60.0
"""Seconds in which the companion must have closed its journal so that another can be restored."""


class Told(Struct, frozen=True):
    """What came of it: the key of a text, and the file or the reason that it names."""

    key: str
    what: str = ""


class Attendant:
    """Looks after one stick, from being mounted until something was done with it, or nobody wanted anything."""

    def __init__(self, folder: Path, stick: Path, data: Path, now: Callable[[], float] = time.time) -> None:
        self._folder, self._stick, self._data, self._now = folder, stick, data, now
        self._pause = threading.Event()

    def attend(self, patience: float = PATIENCE) -> Told | None:
        newest = self.newest()
        self._put(IN, Stick("" if newest is None else _day(backup.look(newest).made)))
        try:
            asked = self._asked(patience)
            result = self._done(asked, newest)
        finally:
            for name in (IN, TO_DO):
                (self._folder / name).unlink(missing_ok=True)
        if result is not None:
            self._put(RESULT, result)
        return result

    def newest(self) -> Path | None:
        """The newest whole backup on the stick; anything else there is nobody's business."""
        found = []
        for path in self._stick.glob(f"*{ENDING}"):
            with suppress(CompanionError, OSError):
                found.append((backup.look(path).made, path))
        return max(found)[1] if found else None

    def _done(self, asked: str, newest: Path | None) -> Told | None:
        try:
            if asked == "save":
                return self._save()
            if asked == "restore" and newest is not None:
                return self._restore(newest)
        except (CompanionError, OSError) as error:
            return Told(f"stick.{asked}.failed", str(error))
        return None

    def _save(self) -> Told:
        now = backup.not_before(self._data, self._now())
        day = time.strftime("%Y-%m-%d-%H%M", time.localtime(now))
        names = (f"table-companion-{day}{again}{ENDING}" for again in ("", *(f"-{n}" for n in range(2, 1000))))
        target = next(path for name in names if not (path := self._stick / name).exists())
        backup.make(self._data, target, now)
        return Told("stick.saved", target.name)

    def _restore(self, newest: Path) -> Told:
        """As soon as the companion, which knows, has let go of the journal; systemd restarts it by itself."""
        until = time.monotonic() + _FREE
        while True:
            try:
                manifest, _ = backup.restore(newest, self._data)
                return Told("stick.restored", _day(manifest.made))
            except JournalLocked:
                if time.monotonic() > until:
                    raise
                self._pause.wait(WAIT / 4)

    def _asked(self, patience: float) -> str:
        for _ in range(int(patience / WAIT)):
            with suppress(OSError):
                return (self._folder / TO_DO).read_text()
            self._pause.wait(WAIT)
        return "no"

    def _put(self, name: str, value: Struct) -> None:
        write_whole(self._folder / name, msgspec.json.encode(value))


class Sticks:
    """In the companion: reports sticks and what came of them, and passes on what people say."""

    def __init__(
        self,
        folder: Path,
        tell: Callable[[Stick | None, Said | None], None],
        end: Callable[[], None] = lambda: os.kill(os.getpid(), signal.SIGTERM),
    ) -> None:
        self._folder, self._tell, self._end = folder, tell, end
        self._in = False
        self._ends = threading.Event()

    def run(self) -> None:
        """Until `close`; for a thread of its own."""
        while not self._ends.wait(WAIT):
            self.look()

    def close(self) -> None:
        self._ends.set()

    def look(self) -> None:
        result = _read(self._folder / RESULT, Told)
        stick = _read(self._folder / IN, Stick)
        if result is not None:
            (self._folder / RESULT).unlink(missing_ok=True)
            self._tell(stick, say(result.key, what=Name(result.what)))
        elif (stick is not None) != self._in:
            self._tell(stick, None)
        self._in = stick is not None

    def use(self, to: str) -> None:
        """Pass on what people say. To restore, this program ends: it is restarted with what was restored."""
        draft = self._folder / f".{TO_DO}"
        draft.write_text(to)
        draft.rename(self._folder / TO_DO)
        if to == "restore":
            self._end()


def _read(path: Path, kind: type[T]) -> T | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(at))
