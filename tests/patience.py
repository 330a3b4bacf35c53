"""How long a test waits for what must come."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from typing import Final

import pytest

from companion.table import Snapshot, Table

PATIENCE: Final = 180.0
"""Seconds; a busy machine is slow, not wrong, and only what is wrong waits so long."""


def until(table: Table, is_so: Callable[[Snapshot], bool]) -> Snapshot:
    """What the table shows once this is so; whatever else it shows meanwhile, nobody waits for ever."""
    deadline = time.monotonic() + PATIENCE
    with closing(table.latest()) as latest:
        while not is_so(now := table.snapshot):
            assert time.monotonic() < deadline, f"still waiting at {now.decisions[-1:]}, {now.troubles}"
            latest.wait(1.0)
        return now


def hear_out_slow_devices(patch: pytest.MonkeyPatch) -> None:
    """A link opens its port anew after seconds of silence, and a card that lies there by then is found, not played.

    On a busy machine a pretend Pico may get no turn for so long.
    """
    patch.setattr("firmware_bridge.link.SILENCE", PATIENCE)
