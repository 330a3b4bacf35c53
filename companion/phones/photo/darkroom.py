"""Where pictures are looked at: one at a time, in a separate process, for a few seconds at most.

The process starts with the first picture and exits when none has come for a while. If it hangs, dies or takes too long,
it is killed and the next picture gets a new one. Nobody waits behind more than a few others: the box has one queue, and
each phone at most one picture in it.
"""

from __future__ import annotations

import contextlib
import logging
import subprocess
import sys
import threading
from importlib.util import find_spec
from typing import Final, Protocol

import msgspec

from .spotting import Sighted, Unfit
from .worker import CODES, HEAD, SMALL, Looked

LONGEST: Final = 8.0
"""Seconds for one picture: a Pi takes one for the largest, and may be busy."""
IDLE: Final = 60.0
"""Seconds without a picture after which the process exits."""
WAITING: Final = 2
"""Pictures that may queue behind the one being looked at."""

log = logging.getLogger(__name__)


def can_read() -> bool:
    """Whether this machine has the library that reads codes."""
    return find_spec("zxingcpp") is not None


class Spots(Protocol):
    """Whatever finds codes on pictures."""

    def look(self, data: bytes, who: str) -> Sighted | Unfit: ...

    def shrink(self, data: bytes, who: str) -> bytes | Unfit: ...

    def close(self) -> None: ...


class Darkroom:
    """May be called from any thread; waits for the answer."""

    def __init__(
        self,
        command: tuple[str, ...] = (sys.executable, "-m", "companion.phones.photo.worker"),
        longest: float = LONGEST,
        idle: float = IDLE,
    ) -> None:
        self._command, self._longest, self._idle = command, longest, idle
        self._worker: subprocess.Popen[bytes] | None = None
        self._turn = threading.Lock()
        self._here: set[str] = set()
        self._door = threading.Lock()
        self._goes: threading.Timer | None = None

    def look(self, data: bytes, who: str) -> Sighted | Unfit:
        """The codes on this phone's picture."""
        looked = self._in_turn(CODES, data, who)
        return looked.unfit or looked.seen or "rubbish"

    def shrink(self, data: bytes, who: str) -> bytes | Unfit:
        """The same picture, small, and stripped of everything else in its file."""
        looked = self._in_turn(SMALL, data, who)
        return looked.unfit or looked.small or "rubbish"

    def _in_turn(self, what: bytes, data: bytes, who: str) -> Looked:
        with self._door:
            if who in self._here or len(self._here) > WAITING:
                return Looked(unfit="busy")
            self._here.add(who)
        try:
            with self._turn:
                return self._looked(what, data)
        finally:
            with self._door:
                self._here.discard(who)

    def close(self) -> None:
        """End the process; the next picture starts a new one."""
        with self._turn:
            self._stay()
            self._end()

    @property
    def pid(self) -> int | None:
        """The process that looks, while there is one."""
        worker = self._worker
        return None if worker is None else worker.pid

    def _looked(self, what: bytes, data: bytes) -> Looked:
        self._stay()
        worker = self._begun()
        late = threading.Timer(self._longest, worker.kill)
        late.start()
        try:
            answer = _asked(worker, what, data)
        finally:
            late.cancel()
        if answer is None:
            log.warning("gave up on a picture: its process took more than %g s, or died", self._longest)
            self._end()
            return Looked(unfit="slow")
        self._leave_later()
        return answer

    def _begun(self) -> subprocess.Popen[bytes]:
        if self._worker is None or self._worker.poll() is not None:
            self._end()
            self._worker = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._worker

    def _leave_later(self) -> None:
        self._goes = threading.Timer(self._idle, self.close)
        self._goes.daemon = True
        self._goes.start()

    def _stay(self) -> None:
        if self._goes is not None:
            self._goes.cancel()
            self._goes = None

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is None:
            return
        worker.kill()
        assert worker.stdin is not None
        assert worker.stdout is not None
        for pipe in (worker.stdin, worker.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        worker.wait()


def _asked(worker: subprocess.Popen[bytes], what: bytes, data: bytes) -> Looked | None:
    """The answer for one picture; None if the process is gone."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    try:
        worker.stdin.write(HEAD.pack(what, len(data)) + data)
        worker.stdin.flush()
        return msgspec.json.decode(worker.stdout.readline(), type=Looked)
    except (OSError, msgspec.MsgspecError):
        return None
