"""Strangers on the same network, in a separate process: each does one thing, and does it again when it is cut off."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import multiprocessing
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Literal, TypeAlias

from tests.bench.phones import connect, end
from tests.patience import PATIENCE

Kind = Literal["half", "reader", "silent", "stream"]
ADDRESSES: Final = 100
"""How many addresses strangers of one kind come from; streams come from ten times as many."""
AGAIN: Final = 0.5
"""Seconds until a stranger that was cut off comes back."""
LAZY: Final = 15.0
"""Seconds until one that reads nothing asks for the next thing."""


class Crowd:
    """This many strangers of each kind, from `start` to `stop`; `opens` is how many streams are opened and closed."""

    def __init__(self, port: int, big: str, crowd: Mapping[Kind, int], opens: int = 0) -> None:
        context = multiprocessing.get_context("spawn")
        self._there, self._enough, self._done = context.Event(), context.Event(), context.Event()
        self._told: Any = context.Queue()
        signs = (self._there, self._enough, self._done)
        args = (port, big, dict(crowd), opens, signs, self._told)
        self._process = context.Process(target=_attack, args=args, daemon=True)

    def start(self) -> None:
        """Start, and return once every one of them has connected."""
        self._process.start()
        assert self._there.wait(PATIENCE), "the strangers did not come"

    @property
    def has_opened_all(self) -> bool:
        return bool(self._done.is_set())

    def stop(self) -> Counter[str]:
        """Stop; returns how often each kind connected, and how streams were answered."""
        self._enough.set()
        told: Counter[str] = self._told.get(timeout=PATIENCE)
        self._process.join(20)
        return told


def _attack(port: int, big: str, crowd: dict[Kind, int], opens: int, signs: Any, told: Any) -> None:
    told.put(asyncio.run(_Attack(port, big).run(crowd, opens, signs)))


Stranger: TypeAlias = Callable[[int], Awaitable[None]]


class _Attack:
    def __init__(self, port: int, big: str) -> None:
        self._port, self._big = port, big
        self._counts: Counter[str] = Counter()
        self._numbers = itertools.count()

    async def run(self, crowd: dict[Kind, int], opens: int, signs: Any) -> Counter[str]:
        there, enough, done = signs
        kinds: dict[Kind, Stranger] = {"half": self._half, "reader": self._reader, "silent": self._silent}
        tasks = [
            asyncio.create_task(self._again(kind, kinds[kind], 1000 * (place + 1) + n % ADDRESSES))
            for place, kind in enumerate(kinds)
            for n in range(crowd.get(kind, 0))
        ]
        streams = [asyncio.create_task(self._streams(opens)) for _ in range(crowd.get("stream", 0))]
        wanted = {kind: crowd.get(kind, 0) for kind in kinds}
        while not enough.is_set():
            if all(self._counts[kind] >= n for kind, n in wanted.items()):
                there.set()
            if all(task.done() for task in streams):
                done.set()
            await asyncio.sleep(0.02)
        for task in (*tasks, *streams):
            task.cancel()
        await asyncio.gather(*tasks, *streams, return_exceptions=True)
        return self._counts

    async def _again(self, kind: str, stranger: Stranger, address: int) -> None:
        while True:
            with contextlib.suppress(OSError):
                await stranger(address)
            self._counts[f"{kind} ended"] += 1
            await asyncio.sleep(AGAIN)

    async def _half(self, address: int) -> None:
        """One byte of a body of 900, and then nothing more."""
        here = f"127.0.0.1:{self._port}"
        head = f"POST /join HTTP/1.1\r\nHost: {here}\r\nX-Companion: 1\r\nOrigin: http://{here}\r\n"
        await self._says("half", address, f"{head}Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{{")

    async def _silent(self, address: int) -> None:
        await self._says("silent", address, "")

    async def _says(self, kind: str, address: int, words: str) -> None:
        """Say something and wait until the other side hangs up."""
        reader, writer = await connect(self._port, address)
        try:
            writer.write(words.encode())
            self._counts[kind] += 1
            while await reader.read(4096):
                pass
        finally:
            await end(writer)

    async def _reader(self, address: int) -> None:
        """Ask for something big with hardly any buffer for it, and read nothing."""
        loop = asyncio.get_running_loop()
        with socket.socket() as lazy:
            lazy.setblocking(False)
            lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            lazy.bind((f"127.0.{address // 200}.{address % 200 + 1}", 0))
            await loop.sock_connect(lazy, ("127.0.0.1", self._port))
            await loop.sock_sendall(lazy, f"GET {self._big} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n".encode())
            self._counts["reader"] += 1
            # A client that reads nothing doesn't notice that it was cut off, so it leaves by itself.
            await asyncio.sleep(LAZY)

    async def _streams(self, opens: int) -> None:
        """Open a stream, each with an address that nobody has asked for yet, and close it at its first words."""
        while (number := next(self._numbers)) < opens:
            address = 10_000 + number % (10 * ADDRESSES)
            with contextlib.suppress(OSError):
                reader, writer = await connect(self._port, address)
                try:
                    path = f"/stream?screen=table&q={number}&form={number}&x={number}"
                    cookie = f"companion-asking={number}; companion-seat={number}"
                    words = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nCookie: {cookie}\r\n\r\n"
                    writer.write(words.encode())
                    answer = await reader.readline()
                    self._counts[f"stream {answer[9:12].decode()}"] += 1
                    if b" 200 " in answer:
                        await reader.readuntil(b"event: fragment")
                except (EOFError, asyncio.LimitOverrunError):
                    self._counts["stream cut"] += 1
                finally:
                    await end(writer)
