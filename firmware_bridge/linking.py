"""Links that one device is asked to write, one after another: each is requested until it is answered or too late."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Final, TypeAlias, get_args

from msgspec import Struct

from companion.core import LinkOutcome, ReaderId, Uid

from . import wire

ASK_EVERY: Final = 0.5
PATIENCE: Final = 3.0
"""Seconds from the first request until we give up; whether anything was written is then unknown."""

OnLink: TypeAlias = Callable[[Uid, LinkOutcome], None]


class Job(Struct, frozen=True):
    number: int
    uid: Uid
    reader: ReaderId
    text: str


class Linking:
    """Thread-safe: anyone may call `wish`; everything else, including `on_link`, runs on the link's thread."""

    def __init__(self, on_link: OnLink) -> None:
        self._on_link = on_link
        self._lock = threading.Lock()
        self._jobs: deque[Job] = deque()
        self._count = 0
        self._begun: float | None = None
        self._ask_at = 0.0

    def wish(self, uid: Uid, reader: ReaderId, text: str) -> None:
        with self._lock:
            self._count += 1
            self._jobs.append(Job(self._count, uid, reader, text))

    def due(self, receiver: wire.Receiver, now: float) -> bytes:
        """The bytes to send now."""
        with self._lock:
            job = self._jobs[0] if self._jobs else None
        if job is None:
            return b""
        if self._begun is None:
            self._begun = self._ask_at = now
        if now - self._begun >= PATIENCE:
            self._end(job, "again")
            return b""
        if now < self._ask_at:
            return b""
        self._ask_at = now + ASK_EVERY
        return receiver.link(job.number, job.reader, job.uid, job.text)

    def heard(self, words: list[str]) -> None:
        """A WROTE from the device; one about something else is ignored."""
        with self._lock:
            job = self._jobs[0] if self._jobs else None
        if job is None or len(words) != 5 or words[1] != str(job.number) or words[2] != job.uid:
            return
        outcome = next((known for known in get_args(LinkOutcome) if known == words[4]), None)
        if outcome is not None:
            self._end(job, outcome)

    def fail(self) -> None:
        """The device is out of reach: whatever it was asked for may be half done."""
        while self._jobs:
            self._end(self._jobs[0], "again")

    def _end(self, job: Job, outcome: LinkOutcome) -> None:
        with self._lock:
            self._jobs.popleft()
        self._begun = None
        self._on_link(job.uid, outcome)
