"""A reader box gone mad, in a separate process on a real pty: it reports 10^5 arrivals a second, and rubbish."""

from __future__ import annotations

import multiprocessing
import os
import random
import select
import time
import tty
from collections import deque
from typing import Any, Final

from msgspec import Struct

from firmware_bridge import wire
from tests.patience import PATIENCE

READER: Final = "far"
BOARD: Final = "flooder"
EACH_MS: Final = 100
"""Lines offered per millisecond: 10^5 per second."""
CALM: Final = 0.1
"""Seconds between two lines while it rests."""
KINDS: Final = ("sound", "sound", "sound", "again", "rubbish")


class Told(Struct):
    """What a flooder did: lines that it offered, lines that the pty took, and what became of its arrivals."""

    seconds: float = 0.0
    offered: int = 0
    taken: int = 0
    arrivals: int = 0
    sessions: int = 0
    heard: int = 0
    """The number of the newest arrival that the host acknowledged."""


class Flooder:
    """Floods from `start` to `stop`, except between `rest` and `go_on`, when it says as little as an honest one.

    `port` is where a host finds it. It lays and lifts one tag after the other.
    """

    def __init__(self, seed: int = 1) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        context = multiprocessing.get_context("fork")
        self._enough, self._rests = context.Event(), context.Event()
        self._told: Any = context.Queue()
        self._process = context.Process(target=self._run, args=(seed,), daemon=True)

    def start(self) -> None:
        self._process.start()

    def rest(self) -> None:
        self._rests.set()

    def go_on(self) -> None:
        self._rests.clear()

    def stop(self) -> Told:
        self._enough.set()
        told: Told = self._told.get(timeout=PATIENCE)
        self._process.join(20)
        return told

    def close(self) -> None:
        os.close(self._master)
        os.close(self._slave)

    def _run(self, seed: int) -> None:
        flood, last = _Flood(self._master, random.Random(seed)), time.monotonic()
        while not self._enough.is_set():
            rests = self._rests.is_set()
            if select.select([self._master], [], [], CALM if rests else 0.001)[0]:
                flood.hear(os.read(self._master, 4096))
            now = time.monotonic()
            if not rests:
                flood.told.seconds += now - last
            elif now - last >= CALM:
                flood.offer(1)
            else:
                continue
            last = now
            while flood.told.offered < flood.told.seconds * 1000 * EACH_MS:
                flood.offer(EACH_MS)
        self._told.put(flood.told)


def uid_of(number: int) -> str:
    return f"04F100D0{number:08X}"


class _Flood:
    """Numbering resumes where the pty took the last whole line: what it did not take is offered again."""

    def __init__(self, master: int, dice: random.Random) -> None:
        self._master, self._dice = master, dice
        self._ears = wire.Decoder()
        self._hello = wire.encode("HELLO", str(wire.VERSION), "f", BOARD, f"{dice.getrandbits(32):08X}", READER)
        self._nonce = ""
        self._number = 0
        self._laid = 0
        self._said: deque[bytes] = deque(maxlen=6)
        self._waiting: list[tuple[bytes, int]] = []
        self.told = Told()

    def hear(self, chunk: bytes) -> None:
        for words in self._ears.feed(chunk):
            match words:
                case ["START", nonce, _]:
                    self._begin(nonce)
                case ["AGAIN", nonce] if nonce == self._nonce:
                    self._begin("")
                case ["ACK", nonce, count] if nonce == self._nonce:
                    self.told.heard = max(self.told.heard, self._laid_at + (wire.number(count) + 1) // 2)

    def _begin(self, nonce: str) -> None:
        self.told.sessions += nonce not in ("", self._nonce)
        self._said.clear()
        self._nonce, self._number, self._laid_at, self._waiting = nonce, 0, self._laid, []

    def offer(self, count: int) -> None:
        """Offer this many lines at once; the pty takes what it has room for."""
        self.told.offered += count if count > 1 else 0
        if not self._waiting:
            self._waiting = [self._line() for _ in range(count)]
        try:
            room = os.write(self._master, b"".join(line for line, _ in self._waiting[:count]))
        except BlockingIOError:
            return
        while self._waiting and len(self._waiting[0][0]) <= room:
            line, laid = self._waiting.pop(0)
            room -= len(line)
            self.told.taken += 1
            self.told.arrivals = max(self.told.arrivals, laid)

    def _line(self) -> tuple[bytes, int]:
        kind = self._dice.choice(KINDS)
        if not self._nonce or kind == "again":
            return self._dice.choice(self._said) if self._nonce and self._said else self._hello, 0
        if kind == "rubbish":
            return self._dice.randbytes(30).replace(b"$", b"") + b"\n", 0
        self._number += 1
        is_new = self._number % 2 == 1
        self._laid += is_new
        verb = "ARRIVE" if is_new else "LEAVE"
        self._said.append(wire.encode(verb, self._nonce, str(self._number), uid_of(self._laid), READER))
        return self._said[-1], self._laid
