"""Hundreds of phones: how long from an act to the last phone, with few, many and badly behaved ones."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import statistics
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.bench.measured import Measured
from tests.bench.phones import Phone, Server, Stream, connect, end
from tests.bench.quiet import within

SEATS = ("Ada", "Ben", "Chloé", "Dan", "Eve", "Flo")
PHONES_OF_A_SEAT = 5
FEW, MANY, BAD = 8, 200, 300
ROUNDS, ACTS = 3, 20
BARE = """
import sys, socket, flask, uvicorn
from a2wsgi import WSGIMiddleware
app = flask.Flask("bare")
app.get("/")(lambda: "hello")
sock = socket.create_server(("127.0.0.1", 0))
print(f"http://127.0.0.1:{sock.getsockname()[1]}/pretend", flush=True)
uvicorn.Server(uvicorn.Config(WSGIMiddleware(app, workers=8), log_level="error")).run([sock])
"""


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Server]:
    names = ",".join(SEATS)
    server = Server(
        "-m",
        "companion.app.cli",
        "run",
        "--pretend",
        "--pico",
        "quick",
        "--port",
        "0",
        "--data",
        str(tmp_path),
        "--game",
        "actionworks",
        "--seats",
        names,
    )
    yield server
    server.close()


@contextlib.asynccontextmanager
async def streams(port: int, count: int) -> AsyncIterator[list[Stream]]:
    opened = [Stream(port, n % 40) for n in range(count)]
    for stream in opened:
        await stream.open()
    try:
        yield opened
    finally:
        for stream in opened:
            await stream.close()


async def act(phones: list[list[Phone]], listening: list[Stream]) -> float:
    """All phones press at once; one act counts. Seconds until the last stream has it."""
    view = await phones[0][0].view()
    seat = next(row["seat"] for row in view["seats"] if row["awaited"])
    asked = await phones[seat][0].view()
    # The last offer is the end of a turn or a pass if there is one, so that games don't run out of things to
    # choose.
    wish = {"type": "act", "intent": asked["may"][-1]["intent"]}
    began = time.perf_counter()
    pressed = [
        phone.request("POST", "/api/v1/commands", {"asked": asked["asked"] if n == seat else 0, "wish": wish})
        for n, seated in enumerate(phones)
        for phone in seated
    ]
    answers = await asyncio.gather(*pressed)
    done = [json.loads(body)["seq"] for status, _, body in answers if status == 200]
    assert len(done) == 1, "one of them acts, once"
    return max(await asyncio.gather(*(stream.heard(done[0]) for stream in listening))) - began


async def spoil(port: int, count: int) -> list[asyncio.StreamWriter]:
    """Connections that say nothing, that stop in the middle, and that never read their answer."""
    writers = []
    for n in range(count):
        _, writer = await connect(port, 200 + n % 100)
        half = b"POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le"
        words = (b"", half, b"GET /stream?screen=watch HTTP/1.1\r\n")
        writer.write(words[n % 3] + (f"Host: 127.0.0.1:{port}\r\n\r\n".encode() if n % 3 == 2 else b""))
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writers.append(writer)
    return writers


async def seated(port: int) -> list[list[Phone]]:
    phones = []
    for seat in range(len(SEATS)):
        first = Phone(port, seat)
        await first.join(seat)
        phones.append([first, *(Phone(port, seat + 6 * n, first.cookie) for n in range(1, PHONES_OF_A_SEAT))])
    return phones


def p99(samples: list[float]) -> float:
    return statistics.quantiles(samples, n=100, method="inclusive")[98]


async def measure(port: int) -> tuple[list[float], list[float], list[float]]:
    """p99 of each round with few streams, with many, and with many beside badly behaved ones; alternately."""
    phones = await seated(port)
    few, many, spoilt = [], [], []
    for _ in range(ROUNDS):
        async with streams(port, FEW) as listening:
            few.append(p99([await act(phones, listening) for _ in range(ACTS)]))
        async with streams(port, MANY) as listening:
            many.append(p99([await act(phones, listening) for _ in range(ACTS)]))
            bad = await spoil(port, BAD)
            spoilt.append(p99([await act(phones, listening) for _ in range(ACTS)]))
            for writer in bad:
                await end(writer)
    for phone in itertools.chain.from_iterable(phones):
        await phone.close()
    return few, many, spoilt


@pytest.mark.slow  # in `./test bench` alone
def test_two_hundred_streams_and_thirty_phones(box: Server) -> None:
    """The limits allow for other work on this machine: 3 where 1 is usual, and 1.2 where 0.4 is."""
    within(1, lambda: measured(box))


def measured(box: Server) -> float:
    """How close the measurements come to their limits; 1 is the limit."""
    few, many, spoilt = asyncio.run(measure(box.port))
    ms = [f"{statistics.median(rounds) * 1000:.1f} ms" for rounds in (few, many, spoilt)]
    crowd, noise = min(many) / min(few), min(spoilt) / min(many)
    print(f"act → last phone, p99: {FEW} streams {ms[0]}, {MANY} {ms[1]} ×{crowd:.2f}, +{BAD} bad {ms[2]} ×{noise:.2f}")
    return max(crowd / (3 + 1), noise / (1.2 + 0.4))


def test_memory_of_the_whole_box_beside_a_bare_app(box: Server, row: Measured) -> None:
    async def idle() -> tuple[int, int]:
        bare = Server("-c", BARE)
        try:
            phone = Phone(bare.port, 1)
            for _ in range(20):
                await phone.request("GET", "/")
            async with streams(box.port, FEW):
                watcher = Phone(box.port, 1)
                for _ in range(20):
                    await watcher.request("GET", "/watch")
                await watcher.close()
                await phone.close()
                return box.rss(), bare.rss()
        finally:
            bare.close()

    ours, bare = asyncio.run(idle())
    row.at_most(f"memory, {FEW} phones", "bare Flask app", [ours / bare], 2.0, 1.5)
