"""What the doctor finds: values that console, display and phones render, and the doctor for a running table.

A text says what is wrong; the cure is the `hands` text of the same key, as with troubles.
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
"""Seconds an examination may take: a Pi with years of games reads every one of them."""


class Found(Struct, frozen=True):
    """One thing looked at. `stops` if nobody can play until it is cured."""

    state: Literal["fine", "wrong", "absent"]
    said: Said
    stops: bool = False


Checkup: TypeAlias = tuple[Found, ...]


def _say(key: str, facts: dict[str, Fact]) -> Said:
    return Said(f"doctor.{key}", tuple(facts.items()))


def fine(key: str, **facts: Fact) -> Found:
    return Found("fine", _say(key, facts))


def wrong(key: str, **facts: Fact) -> Found:
    """It stops people playing."""
    return Found("wrong", _say(key, facts), stops=True)


def ailing(key: str, **facts: Fact) -> Found:
    """It is wrong, but people can play without it."""
    return Found("wrong", _say(key, facts))


def absent(key: str, **facts: Fact) -> Found:
    """It is not here and does not have to be."""
    return Found("absent", _say(key, facts))


def in_its_own_process(data: Path) -> Checkup:
    """What `companion doctor` finds, in its own process: a long look at an old journal must not slow the table."""
    command = (sys.executable, "-m", "companion.app.cli", "doctor", "--json", "--data", str(data))
    try:
        told = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False).stdout
        return msgspec.json.decode(told, type=Checkup)
    except (OSError, subprocess.TimeoutExpired, msgspec.MsgspecError):
        return (ailing("itself"),)


class Doctor:
    """Examines when asked and remembers the last findings. Thread-safe."""

    def __init__(self, looks: Callable[[], Checkup]) -> None:
        self._looks = looks
        self._busy = threading.Lock()
        self.last: Checkup | None = None
        """None until somebody has asked."""

    def examine(self) -> None:
        """Look at everything; return at once if another examination is under way."""
        if self._busy.acquire(blocking=False):
            try:
                self.last = self._looks()
            finally:
                self._busy.release()
