"""How long a test waits for something that must come."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from typing import Final

import pytest

from companion.table import Snapshot, Table

PATIENCE: Final = 180.0
"""Seconds; a busy machine is slow, not wrong, and only a real fault takes this long."""


def until(table: Table, is_so: Callable[[Snapshot], bool]) -> Snapshot:
    """What the table shows once this is so, whatever it shows meanwhile; fails if that takes too long."""
    deadline = time.monotonic() + PATIENCE
    with closing(table.latest()) as latest:
        while not is_so(now := table.snapshot):
            assert time.monotonic() < deadline, f"still waiting at {now.decisions[-1:]}, {now.troubles}"
            latest.wait(1.0)
        return now


def hear_out_slow_devices(patch: pytest.MonkeyPatch) -> None:
    """Turn off a link's impatience: after seconds of silence it reopens its port, and a card lying there by then is
    found, not played.

    On a busy machine a pretend Pico may not get a turn for that long.
    """
    patch.setattr("firmware_bridge.link.SILENCE", PATIENCE)
