"""What a table costs at which nobody plays: processor time of the program, and of the Pico that it pretends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.measured import Measured
from tests.bench.phones import Phone, Server

SETTLED, SLICES, SECONDS = 4.0, 4, 3.0
"""Seconds until nothing of the start is left, and the slices after it."""


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Server]:
    asked = ("--port", "0", "--data", str(tmp_path), "--game", "us-patent", "--seats", "Ada,Ben,Eve")
    server = Server("-m", "companion.app.cli", "run", "--pretend", *asked)
    yield server
    server.close()


def spent(pid: int) -> float:
    """Seconds of processor time of all threads, by the scheduler's own count."""
    return sum(int(each.read_text().split()[0]) for each in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def child(pid: int) -> int:
    found = " ".join(each.read_text() for each in Path(f"/proc/{pid}/task").glob("*/children"))
    return int(found.split()[0])


def a_minute(pid: int, pico: int) -> tuple[float, float]:
    """CPU seconds in a minute of either."""
    before = spent(pid), spent(pico)
    threading.Event().wait(SECONDS)
    return (spent(pid) - before[0]) * 60 / SECONDS, (spent(pico) - before[1]) * 60 / SECONDS


def flicker(port: int) -> None:
    async def ask() -> int:
        phone = Phone(port, 1)
        status, _, _ = await phone.request("POST", "/pretend/trouble", {"fault": "flicker", "on": True})
        await phone.close()
        return status

    assert asyncio.run(ask()) == 200


def test_a_table_that_rests(box: Server, row: Measured) -> None:
    pid, pico = box.process.pid, child(box.process.pid)
    threading.Event().wait(SETTLED)
    slices = [a_minute(pid, pico) for _ in range(SLICES)]
    flicker(box.port)
    _, busy = a_minute(pid, pico)
    told = [each for _, each in slices]
    assert busy > 2 * max(told), "the control: antennas that flicker must be polled all the time"
    row.at_most("idle, pretend Pico", "CPU-s a minute", told, 0.2, 0.2)
    row.at_most("idle, service", "CPU-s a minute", [each for each, _ in slices], 0.3, 0.2)
