"""How long a test waits for something that must come."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from typing import Final

import pytest

from companion.core import ReaderId, Uid
from companion.table import PretendBox, Snapshot, Table

PATIENCE: Final = 180.0
"""Seconds; a busy machine is slow, not wrong, and only a real fault takes this long."""
AGAIN: Final = 10.0
"""Seconds until people lay a card again that nothing has come of."""


def until(table: Table, is_so: Callable[[Snapshot], bool]) -> Snapshot:
    """What the table shows once this is so, whatever it shows meanwhile; fails if that takes too long."""
    deadline = time.monotonic() + PATIENCE
    with closing(table.latest()) as latest:
        while not is_so(now := table.snapshot):
            assert time.monotonic() < deadline, f"still waiting at {now.decisions[-1:]}, {now.troubles}"
            latest.wait(1.0)
        return now


def laid(table: Table, box: PretendBox, uid: Uid, reader: ReaderId, is_so: Callable[[Snapshot], bool]) -> Snapshot:
    """What the table shows once a card was laid and this is so.

    A card that lay there before the link was up is layout, not a play; then it is laid again, as people do.
    """
    deadline = time.monotonic() + PATIENCE
    with closing(table.latest()) as latest:
        box.lay(uid, reader)
        again = time.monotonic() + AGAIN
        while not is_so(now := table.snapshot):
            assert time.monotonic() < deadline, f"still waiting at {now.decisions[-1:]}, {now.troubles}"
            if time.monotonic() >= again:
                box.lift(uid)
                box.lay(uid, reader)
                again = time.monotonic() + AGAIN
            latest.wait(1.0)
        return now


def hear_out_slow_devices(patch: pytest.MonkeyPatch) -> None:
    """Turn off a link's impatience: after seconds of silence it reopens its port, and a card lying there by then is
    found, not played.

    On a busy machine a pretend Pico may not get a turn for that long.
    """
    patch.setattr("firmware_bridge.link.SILENCE", PATIENCE)
