"""What frames, numbers and acknowledgements cost: a tap through the link against raw chunked reads, in one run.

Both keep the same rhythm: the next tap is written once the last one has come, and the device waits for no
acknowledgement before it, as a real one does not (waiting would send the link to sleep, and the raw reader not). The
two take turns in short blocks, and what counts is the work of this process: which core a thread happens to wake on
would decide the time.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import statistics
import threading
import time
import tty
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

import pytest
import serial

from firmware_bridge import wire
from firmware_bridge.link import Link
from firmware_bridge.presence import Sensed
from tests.bench.measured import Measured
from tests.patience import PATIENCE

LIMIT: Final = 2.5
"""Times the work of a raw read, for the median of all blocks."""
BLOCKS: Final = 9
TAPS: Final = 50
APART: Final = 0.002
"""Seconds between taps: as at a table, the reading thread sleeps and must be woken."""
LYING: Final = ",".join(f"04BEEF{n:06X}" for n in range(12))
"""As many tags as a full table has; the tap measured is one more that comes and goes."""

Trip: TypeAlias = Callable[[int], None]
Way: TypeAlias = Callable[[], contextlib.AbstractContextManager[Trip]]


@contextlib.contextmanager
def line() -> Iterator[tuple[int, str]]:
    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(master)
    os.close(slave)


def tap(n: int) -> bytes:
    """Message `n`, from 2 on: the same tag arrives and leaves by turns, and each is one input."""
    return wire.encode("LEAVE" if n % 2 else "ARRIVE", "5EED0001", str(n), "04C0FFEE0000", "left")


@contextlib.contextmanager
def raw() -> Iterator[Trip]:
    """Write a line, read it in chunks with pyserial on another thread, put it into a queue."""
    came: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    closing, opened = threading.Event(), threading.Event()

    def read(path: str) -> None:
        with serial.Serial(path, timeout=0.1) as port:
            opened.set()
            kept = b""
            while not closing.is_set():
                kept += port.read(max(1, port.in_waiting))
                if kept.endswith(b"\n"):
                    came.put(kept)
                    kept = b""

    def trip(n: int) -> None:
        os.write(master, tap(n))
        came.get(timeout=PATIENCE)

    with line() as (master, path):
        thread = threading.Thread(target=read, args=(path,))
        thread.start()
        assert opened.wait(PATIENCE)
        yield trip
        closing.set()
        thread.join()


@contextlib.contextmanager
def framed() -> Iterator[Trip]:
    """The same through the link: checked, numbered, told as an input, acknowledged."""
    came: queue.SimpleQueue[Sensed] = queue.SimpleQueue()
    up = threading.Event()
    ears, answers = wire.Decoder(), list[list[str]]()

    def trip(n: int) -> None:
        os.write(master, tap(n))
        came.get(timeout=PATIENCE)
        if select.select([master], [], [], 0)[0]:
            answers.extend(ears.feed(os.read(master, 4096)))

    def wait_for_answer(n: int) -> None:
        while ["ACK", "5EED0001", str(n)] not in answers:
            answers.extend(ears.feed(os.read(master, 4096)))

    with line() as (master, path):
        link = Link(lambda: path, came.put, lambda _: up.set(), new_receiver=lambda: wire.Receiver(lambda: "5EED0001"))
        link.start()
        while not up.is_set():
            os.write(master, wire.encode("HELLO", "1", "f", "bench", "0001", "left"))
            up.wait(0.05)
        os.write(master, wire.encode("LIES", "5EED0001", "1", "left", LYING))
        wait_for_answer(1)
        yield trip
        wait_for_answer(1 + TAPS)
        link.close()


def block(way: Way) -> float:
    """The work of a block of taps. The other way is not open meanwhile: its thread would work, too."""
    never = threading.Event()
    with way() as trip:
        begun = time.process_time()
        for n in range(2, 2 + TAPS):
            never.wait(APART)
            trip(n)
        return time.process_time() - begun


def blocks() -> list[float]:
    return [block(framed) / block(raw) for _ in range(BLOCKS)]


def test_what_a_framed_tap_costs_against_a_raw_read(row: Measured) -> None:
    row.at_most("framed tap, CPU", "raw read", blocks(), LIMIT, LIMIT, blocks)


def test_a_link_that_works_too_much_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: it checks each frame again and again."""
    feed = wire.Decoder.feed
    monkeypatch.setattr(
        wire.Decoder,
        "feed",
        lambda ears, data: [feed(ears, data), *(feed(wire.Decoder(), data) for _ in range(100))][0],
    )
    assert statistics.median(blocks()) > LIMIT
