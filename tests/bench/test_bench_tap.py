"""A whole tap — frame in at the pty, journal synced, phone fragment out — against the bare parts of the same path.

The anchor does what no program can leave out: a pyserial read, one SQLite row with synchronous=FULL, one server-sent
event. Both are measured in one run, in alternating slices, by the same client.
"""

from __future__ import annotations

import asyncio
import math
import os
import socket
import sqlite3
import statistics
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
import pytest
import serial
import uvicorn

from companion.app.main import Options, companion
from companion.app.readers import Trial
from companion.core import TABLE, Act, Asked, Claim, Join, Pressed, ReaderId, SeatId, legal
from companion.library import PieceTag, pretend_uid
from tests.bench.measured import Measured
from tests.patience import PATIENCE
from web.door import key_of
from web.live import stream

SLICES, TAPS, WARM = 4, 20, 25
MOST_WORK: Final = 7.5
WASTED: Final = 32
BETWEEN = 0.03
"""Seconds of rest before each tap, on both sides: people are slower than this."""
LEFT = ReaderId("left")
Cost: TypeAlias = tuple[float, float]
"""Seconds by the wall clock, and of this process, which runs both paths."""


def now() -> Cost:
    return time.perf_counter(), time.process_time()


def since(begun: Cost) -> Cost:
    wall, used = now()
    return wall - begun[0], used - begun[1]


class EventStream:
    """A phone's side of a stream: a plain socket that waits for the next event with a given mark in its id."""

    def __init__(self, port: int, path: str, cookie: str = "") -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n".encode())
        self._buffer = b""

    def wait(self, is_it: Callable[[bytes], bool]) -> None:
        while True:
            while b"\n\n" in self._buffer:
                event, self._buffer = self._buffer.split(b"\n\n", 1)
                if is_it(event):
                    return
            chunk = self._socket.recv(65536)
            assert chunk, "the stream ended"
            self._buffer += chunk

    def close(self) -> None:
        self._socket.close()


def slow(sync: float) -> Callable[..., sqlite3.Connection]:
    """Connections to a card that takes this many seconds more to sync a commit.

    They pass before the disk's own sync: after it, the thread would need the interpreter in the middle of a sync.
    """

    class Card(sqlite3.Connection):
        def execute(self, sql: str, *more: Any) -> sqlite3.Cursor:
            if sync and ((sql.upper().startswith("INSERT") and not self.in_transaction) or sql.upper() == "COMMIT"):
                threading.Event().wait(sync)
            return super().execute(sql, *more)

    return partial(sqlite3.connect, factory=Card)


@contextmanager
def bare(folder: Path, sync: float) -> Iterator[Callable[[], Cost]]:
    """A function that does one bare tap and returns what it took."""
    device, slave = os.openpty()
    tty.setraw(device)
    tty.setraw(slave)
    streams: list[asyncio.Queue[bytes]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        streams.append(queue)
        await send({"type": "http.response.body", "body": b": hello\n\n", "more_body": True})
        while line := await queue.get():
            body = b"id: " + line + b"\ndata: " + line + b"\n\n"
            await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, lifespan="off", access_log=False))
    sock = socket.socket()
    sock.bind(("127.0.0.1", 0))
    sock.listen()
    loop = asyncio.new_event_loop()
    web = threading.Thread(target=lambda: loop.run_until_complete(server.serve([sock])))
    web.start()

    def read_and_keep() -> None:
        db = slow(sync)(folder / "bare.db", isolation_level=None)
        db.execute("pragma journal_mode=wal")
        db.execute("pragma synchronous=full")
        db.execute("create table entries (seq integer primary key, body blob)")
        with serial.Serial(os.ttyname(slave), timeout=None) as port:
            opened.set()
            line = b""
            while line != b"end\n":
                line += port.read(max(1, port.in_waiting))
                if line.endswith(b"\n") and line != b"end\n":
                    db.execute("insert into entries (body) values (?)", (line * 20,))
                    loop.call_soon_threadsafe(streams[0].put_nowait, line.strip())
                    line = b""
        db.close()

    opened = threading.Event()
    reader = threading.Thread(target=read_and_keep)
    reader.start()
    opened.wait()
    stream = EventStream(sock.getsockname()[1], "/")
    stream.wait(lambda event: b": hello" in event)
    count = iter(range(1, 1_000_000))

    def tap() -> Cost:
        mark = b"%08d" % next(count)
        threading.Event().wait(BETWEEN)
        begun = now()
        os.write(device, mark + b"\n")
        stream.wait(lambda event: mark in event)
        return since(begun)

    yield tap
    os.write(device, b"end\n")
    reader.join()
    loop.call_soon_threadsafe(streams[0].put_nowait, b"")
    server.should_exit = True
    stream.close()
    web.join()
    loop.close()
    os.close(device)
    os.close(slave)


@contextmanager
def whole(folder: Path, sync: float) -> Iterator[Callable[[], Cost]]:
    """A function that does one real tap, a draw that the table waits for, and returns what it took."""
    (folder / "settings.toml").write_text('chance = "typed"\nhardware = "pretend"\n')
    options = Options(folder, "actionworks", ("Ada", "Ben"), 0, trial=Trial(connect=slow(sync)))
    with companion(options, tell=lambda _line: None) as running:
        table, pretend = running.table, running.pretend
        assert pretend is not None
        table.ask(Asked("j", SeatId(0), 0, Join(SeatId(0), "Ada", "KQX")))
        table.put(Pressed("ok", held=True))
        table.ask(Asked("k", SeatId(0), 0, Claim("KQX", key_of("secret"))))
        stream = EventStream(running.port, "/stream?screen=seat", "companion-seat=secret")
        stream.wait(lambda event: b"event: fragment" in event)
        numbers = iter(range(1, 1_000_000))

        def play_until_a_draw() -> Any:
            """Make people's decisions by phone, unmeasured, until the table waits for a card."""
            while True:
                snapshot = table.snapshot
                if snapshot.decisions[-1].is_chance:
                    return snapshot
                seat = snapshot.awaited[0]
                intent = legal(snapshot.game, snapshot.state, seat)[0]
                raw = msgspec.Raw(msgspec.json.encode(intent))
                table.ask(Asked(f"c{next(numbers)}", seat, snapshot.asked[seat], Act(raw)))

        def rest() -> None:
            """As at a table: the last act is shown everywhere before the next card is laid."""
            latest = table.latest()
            latest.wait(0)
            latest.wait(BETWEEN)
            latest.close()

        def tap() -> Cost:
            snapshot = play_until_a_draw()
            drawn = legal(snapshot.game, snapshot.state, TABLE)[0]
            piece = getattr(drawn, "card", None)
            if piece is None:
                table.put(Pressed("next"))
                table.put(Pressed("ok"))
                latest = table.latest()
                while (newest := latest.wait(PATIENCE)) and newest.seq == snapshot.seq:
                    pass
                latest.close()
                return tap()
            uid = pretend_uid(PieceTag(snapshot.game.id, piece))
            mark = f"id: {snapshot.seq + 1}.".encode()
            rest()
            begun = now()
            pretend.lay(uid, LEFT)
            stream.wait(lambda event: mark in event)
            took = since(begun)
            pretend.lift(uid)
            return took

        yield tap
        stream.close()


Slices: TypeAlias = list[list[tuple[Cost, Cost]]]
"""Of each the taps, bare and whole."""


@contextmanager
def both(folder: Path, sync: float) -> Iterator[Callable[[int], Slices]]:
    """A function that measures this many slices of each, alternately."""
    (folder / "whole").mkdir()
    with ExitStack() as stack:
        bare_tap = stack.enter_context(bare(folder, sync))
        whole_tap = stack.enter_context(whole(folder / "whole", sync))
        for _ in range(WARM):
            bare_tap()
            whole_tap()
        yield lambda count: [[(bare_tap(), whole_tap()) for _ in range(TAPS)] for _ in range(count)]


@pytest.mark.parametrize(("sync", "target"), [(0.0, 2.5), pytest.param(0.006, 1.2, marks=pytest.mark.slow)])
def test_a_whole_tap_beside_a_bare_one(sync: float, target: float, tmp_path: Path, row: Measured) -> None:
    """How long it takes is only reported, because a quick disk makes the echo short. The work of this process is
    what can fail. With a slow sync it is only reported, so that is left to `./test bench`.
    """
    with both(tmp_path, sync) as slices:
        taps = slices(SLICES)
        what = "whole tap, one phone" + (f", {sync * 1000:g} ms sync" if sync else "")
        row.at_most(what, "serial + SQLite + SSE echo", ratios(taps, WALL), math.inf, target)
        if not sync:
            worked = ratios(taps, WORK)
            row.at_most(f"{what}, CPU", "the same", worked, MOST_WORK, MOST_WORK, lambda: ratios(slices(SLICES), WORK))


def test_a_tap_that_works_too_much_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control for the row above: a build that draws each page several times misses its limit."""
    draw = stream._Reader.draw
    monkeypatch.setattr(stream._Reader, "draw", lambda *page: [draw(*page) for _ in range(WASTED)].pop())
    with both(tmp_path, 0.0) as slices:
        worked = ratios(slices(1), WORK)
    print(f"\na page drawn {WASTED} times: {statistics.median(worked):.2f} (fails from {MOST_WORK:g} on)")
    assert statistics.median(worked) > MOST_WORK


WALL, WORK = 0, 1


def ratios(slices: Slices, by: int) -> list[float]:
    return [_middle(taps, 1, by) / _middle(taps, 0, by) for taps in slices]


def _middle(taps: list[tuple[Cost, Cost]], column: int, by: int) -> float:
    return statistics.median(tap[column][by] for tap in taps)
