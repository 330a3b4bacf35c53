"""What a club costs a tap: nothing but leaving the newest moment for another thread.

Counted in function calls on the table's thread, which no other process can slow down; a broker that accepts the
connection and never answers gives the same number but for the few calls of a tick that falls between two presses.
"""

from __future__ import annotations

import gc
import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.main import Options, Running, companion
from companion.core import Pressed
from companion.table import Done, GiveSeats, No
from companion.table.outside import Moment
from tests.conftest import ROOT
from tests.patience import PATIENCE
from tests.web.club.mosquitto import mosquitto
from web.club import Paired
from web.club.membership import Membership
from web.club.outbox import Outbox
from web.club.payloads import encode
from web.club.publisher import Publisher
from web.club.telling import Guests, view_of

pytestmark = [
    pytest.mark.bench,
]
MOST = 1.1
MOST_WAITING = 1.01
PRESSES = 40
WAITING = (queue.__file__, threading.__file__)
OURS = tuple(f"{ROOT}/{package}/" for package in ("companion", "web", "hw", "firmware_bridge"))


class Calls:
    """Counts function calls on the table's thread: all of them, and our own.

    How often a queue polls while it waits depends on the machine and isn't counted.
    """

    def __init__(self) -> None:
        self.all = self.ours = 0

    def __call__(self, frame: FrameType, event: str, _arg: Any) -> None:
        if event == "call" and threading.current_thread().name == "table":
            self.all += frame.f_code.co_filename not in WAITING
            self.ours += frame.f_code.co_filename.startswith(OURS)


def presses(running: Running, calls: Calls) -> tuple[int, int]:
    """Presses of a button that open and close a page: cheaper than any tap, so that small costs show."""
    table = running.table
    before = calls.all, calls.ours
    for number in range(2 * PRESSES):
        table.put(Pressed("check" if number % 2 == 0 else "back"))
    assert isinstance(table.wish(GiveSeats(())).result(PATIENCE), Done | No)
    return calls.all - before[0], calls.ours - before[1]


@contextmanager
def running_in(folder: Path) -> Iterator[tuple[Running, Calls]]:
    calls = Calls()
    threading.setprofile(calls)
    try:
        options = Options(folder, "us-patent", ("Ada", "Ben", "Chloé"), 0, pretend=True, new=True)
        with companion(options, tell=lambda _line: None) as running:
            yield running, calls
    finally:
        threading.setprofile(None)


@contextmanager
def member_of(running: Running, paired: Paired, folder: Path) -> Iterator[Publisher]:
    publisher = Publisher(Membership(paired, "Oak 4"), "1.0", Outbox(folder))
    publisher.start(running.table, running.table.moment.public)
    yield publisher
    publisher.close()


def test_a_club_costs_a_tap_next_to_nothing(tmp_path: Path) -> None:
    with running_in(tmp_path / "table") as (running, calls), mosquitto(tmp_path / "broker", "t-oak4") as broker:
        presses(running, calls)  # make what is made only once
        without = presses(running, calls)
        with member_of(running, broker.paired("t-oak4"), tmp_path / "a"):
            shown = presses(running, calls)
        with socket.create_server(("127.0.0.1", 0)) as silent:
            hanging = replace(broker.paired("t-oak4"), port=silent.getsockname()[1])
            with member_of(running, hanging, tmp_path / "b"):
                hangs = presses(running, calls)
    gc.collect()
    print(*(f"{each[0] / 2 / PRESSES:.1f} calls a press" for each in (without, shown, hangs)), sep=", ")
    assert shown[0] <= MOST * without[0]
    assert hangs[1] <= MOST_WAITING * shown[1]


def test_encoding_on_the_table_s_thread_would_be_noticed(tmp_path: Path) -> None:
    """A broken build: the table itself writes down what the club sees."""

    def write_down(moment: Moment) -> None:
        encode(view_of(moment.public, Guests()))

    with running_in(tmp_path / "table") as (running, calls):
        presses(running, calls)
        without = presses(running, calls)
        ends = running.table.follow(write_down)
        careless = presses(running, calls)
        ends()
    assert careless[0] > MOST * without[0]
