"""One connection to a broker: its end is always reported, and nothing of it stays open."""

from __future__ import annotations

import gc
import os
import queue
import resource
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.web.club.mosquitto import Mosquitto, mosquitto
from web.club.broker import Connection, News, Reached, Unreached

pytestmark = pytest.mark.slow
MOST_FOR_SELECT = 1024


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path / "broker", "t-oak4") as running:
        yield running


class Line:
    """A connection, and what it reports."""

    def __init__(self, broker: Mosquitto) -> None:
        self.told: queue.SimpleQueue[News] = queue.SimpleQueue()
        self.connection = Connection(broker.paired("t-oak4"), ("companion/v1/hub",), None, self.told.put)

    def next(self) -> News:
        return self.told.get(timeout=PATIENCE)


def files_open() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
def test_a_connection_that_is_closed_leaves_no_file_open(broker: Mosquitto) -> None:
    """A broker may be away all evening, and a box may have 1024 files."""
    before = files_open()
    for _ in range(5):
        line = Line(broker)
        assert line.next() == Reached()
        line.connection.close()
        del line
    assert files_open() <= before


def test_an_end_of_which_paho_says_nothing_is_told(broker: Mosquitto) -> None:
    """Its loop just ends if a file has a number that `select` can't handle."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2 * MOST_FOR_SELECT:
        pytest.skip(f"this machine allows only {hard} open files")
    with ExitStack() as stack, Path(os.devnull).open() as nothing:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        resource.setrlimit(resource.RLIMIT_NOFILE, (2 * MOST_FOR_SELECT, hard))
        while files_open() <= MOST_FOR_SELECT:
            stack.callback(os.close, os.dup(nothing.fileno()))
        line = Line(broker)
        assert isinstance(line.next(), Unreached)
        line.connection.close()
