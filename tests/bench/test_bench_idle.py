"""What an idle table costs: processor time of the program, and of its pretend Pico."""

from __future__ import annotations

import asyncio
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from tests.bench.measured import Measured
from tests.bench.phones import Phone, Server

SETTLED, SLICES, SECONDS = 4.0, 3, 2.0
"""Seconds until the start has settled, and the slices after it."""
TARGET, WAKES = 0.2, 13.0
"""CPU seconds a minute; how often threads may be woken per second, mostly by the pretend Pico's messages: it is 8."""
ANCHOR = """
import select
print("http://127.0.0.1:0/pretend", flush=True)
while True:
    select.select([], [], [], 0.05)
"""
AS_MUCH = {"service": 3, "pretend Pico": 5}
"""Times a program that only wakes twenty times a second: a slow machine slows both."""
RESTLESS = """
import sys
import uvicorn
from web.live.server import Resting
Resting.main_loop = uvicorn.Server.main_loop
from companion.app.cli import main
sys.exit(main())
"""
"""A build broken on purpose: the web server checks ten times a second whether it should end."""


@contextmanager
def running(folder: Path, *program: str) -> Iterator[Server]:
    folder.mkdir()
    asked = ("--port", "0", "--data", str(folder), "--game", "us-patent", "--seats", "Ada,Ben,Eve")
    with closing(Server(*program, "run", "--pretend", *asked)) as server:
        yield server


def spent(pid: int) -> float:
    """Processor time of all threads in seconds, as counted by the scheduler."""
    return sum(int(each.read_text().split()[0]) for each in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def woken(pid: int) -> int:
    """How often threads went to sleep voluntarily, which is as often as they were woken."""
    told = (each.read_text() for each in Path(f"/proc/{pid}/task").glob("*/status"))
    return sum(int(line.split()[1]) for each in told for line in each.splitlines() if line.startswith("voluntary_ctxt"))


def child(pid: int) -> int:
    found = " ".join(each.read_text() for each in Path(f"/proc/{pid}/task").glob("*/children"))
    return int(found.split()[0])


def a_minute(*pids: int) -> list[float]:
    """CPU seconds per minute of each, and wake-ups per second of the first one's threads."""
    before, wakes, began = [spent(pid) for pid in pids], woken(pids[0]), time.monotonic()
    threading.Event().wait(SECONDS)
    took = time.monotonic() - began
    used = [(spent(pid) - each) * 60 / took for pid, each in zip(pids, before, strict=True)]
    return [*used, (woken(pids[0]) - wakes) / took]


def flicker(port: int) -> None:
    async def ask() -> int:
        phone = Phone(port, 1)
        status, _, _ = await phone.request("POST", "/pretend/trouble", {"fault": "flicker", "on": True})
        await phone.close()
        return status

    assert asyncio.run(ask()) == 200


@pytest.mark.slow  # in `./test bench` alone
def test_a_table_that_rests(tmp_path: Path, row: Measured) -> None:
    with ExitStack() as stack:
        anchor = stack.enter_context(closing(Server("-c", ANCHOR)))
        box = stack.enter_context(running(tmp_path / "calm", "-m", "companion.app.cli"))
        restless = stack.enter_context(running(tmp_path / "restless", "-c", RESTLESS))
        pids = box.process.pid, child(box.process.pid), anchor.process.pid
        threading.Event().wait(SETTLED)
        services, picos, anchors, wakes = zip(*(a_minute(*pids) for _ in range(SLICES)), strict=True)
        flicker(box.port)
        _, busy, _, _ = a_minute(*pids)
        assert a_minute(restless.process.pid)[-1] > WAKES, "the control: a web server that looks up all the time"
    assert busy > 2 * statistics.median(picos), "the control: antennas that flicker must be polled all the time"
    for who, told in (("pretend Pico", picos), ("service", services)):
        limit = max(TARGET, AS_MUCH[who] * statistics.median(anchors))
        row.at_most(f"idle, {who}", "CPU-s a minute", told, limit, TARGET)
    row.at_most("idle, service", "wake-ups a second", wakes, WAKES, WAKES)
