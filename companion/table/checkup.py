"""What the doctor finds: values that console, display and phones render, and the doctor as the running table asks it.

What is wrong is told by a text; its cure is the `hands` text of the same key, as it is with troubles.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from companion.core import Fact, Said

PATIENCE: Final = 120.0
"""Seconds that an examination may take: a Pi with years of games reads every one of them."""


class Found(Struct, frozen=True):
    """One thing looked at. `stops` when nobody can play until it is cured."""

    state: Literal["fine", "wrong", "absent"]
    said: Said
    stops: bool = False


Checkup: TypeAlias = tuple[Found, ...]


def _say(key: str, facts: dict[str, Fact]) -> Said:
    return Said(f"doctor.{key}", tuple(facts.items()))


def fine(key: str, **facts: Fact) -> Found:
    return Found("fine", _say(key, facts))


def wrong(key: str, **facts: Fact) -> Found:
    """It stops playing."""
    return Found("wrong", _say(key, facts), stops=True)


def ailing(key: str, **facts: Fact) -> Found:
    """It is wrong, but people can play without it."""
    return Found("wrong", _say(key, facts))


def absent(key: str, **facts: Fact) -> Found:
    """It is not here and need not be."""
    return Found("absent", _say(key, facts))


def in_its_own_process(data: Path) -> Checkup:
    """Everything that `companion doctor` finds. A long look at an old journal must not slow the table down."""
    command = (sys.executable, "-m", "companion.app.cli", "doctor", "--json", "--data", str(data))
    try:
        told = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False).stdout
        return msgspec.json.decode(told, type=Checkup)
    except (OSError, subprocess.TimeoutExpired, msgspec.MsgspecError):
        return (ailing("itself"),)


class Doctor:
    """Examines when asked and remembers what it found last. Safe between threads."""

    def __init__(self, looks: Callable[[], Checkup]) -> None:
        self._looks = looks
        self._busy = threading.Lock()
        self.last: Checkup | None = None
        """None until somebody has asked."""

    def examine(self) -> None:
        """Look at everything; at once where somebody else's examination is under way."""
        if self._busy.acquire(blocking=False):
            try:
                self.last = self._looks()
            finally:
                self._busy.release()
