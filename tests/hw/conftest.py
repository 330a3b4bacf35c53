"""The box's devices with nothing around them but an inbox, a clock and a first snapshot."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from companion.library import Speaker
from companion.table import Latest, Seen
from hw.display import gallery
from tests.hw.room import Clock, Inbox, Log, moment


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def latest() -> Latest[Seen]:
    return Latest(moment())


@pytest.fixture
def heard() -> Iterator[Log]:
    """Whatever is said below `hw` from now on."""
    log = Log()
    logging.getLogger("hw").addHandler(log)
    yield log
    logging.getLogger("hw").removeHandler(log)


@pytest.fixture(scope="session")
def english() -> Speaker:
    return gallery.speaker("en")
