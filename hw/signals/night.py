"""The hours in which lamp and buzzer hold back. Pure except for `wall_clock`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

from companion.library import NightHours

WallClock: TypeAlias = Callable[[], str]
"""The wall-clock time, as "HH:MM"."""


def wall_clock() -> str:
    return time.strftime("%H:%M")


def is_night(now: str, night: NightHours) -> bool:
    """Whether "HH:MM" is within the night, which usually goes past midnight; equal times mean never."""
    if night.begins <= night.ends:
        return night.begins <= now < night.ends
    return now >= night.begins or now < night.ends
