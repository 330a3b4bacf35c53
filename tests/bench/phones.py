"""Phones that speak plain HTTP to a box in a separate process, from as many addresses as needed."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

numbers = itertools.count()


class Server:
    """A program in a separate process that prints its address."""

    def __init__(self, *program: str, **env: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, **env}
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(rb"http://127\.0\.0\.1:(\d+)/pretend", line):
                self.port = int(found.group(1))
                return
        raise AssertionError("the server ended before it told its address")

    def rss(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        assert found
        return int(found.group(1))

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(10)
        assert self.process.stdout is not None
        self.process.stdout.close()


async def connect(port: int, address: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection from one of this machine's many addresses, as if from another phone."""
    own = f"127.0.{address // 200}.{address % 200 + 1}"
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(own, 0))


async def end(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


class Phone:
    """One phone with its cookie and a persistent connection."""

    def __init__(self, port: int, address: int, cookie: str = "") -> None:
        self.port, self.address, self.cookie = port, address, cookie
        self._link: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(self, method: str, path: str, body: Any = None) -> tuple[int, dict[str, str], bytes]:
        """Ask; over a new connection if the old one was closed meanwhile, as browsers do."""
        content = b"" if body is None else json.dumps({"command": f"bench-{next(numbers):08}", **body}).encode()
        kept = self._link is not None
        try:
            return await self._ask(self._head(method, path, content) + content)
        except (OSError, EOFError):
            await self.close()
            if not kept:
                raise
            return await self._ask(self._head(method, path, content) + content)

    async def _ask(self, words: bytes) -> tuple[int, dict[str, str], bytes]:
        if self._link is None:
            self._link = await connect(self.port, self.address)
        reader, writer = self._link
        writer.write(words)
        first = await reader.readline()
        if not first:
            raise EOFError("hung up without an answer")
        status = int(first.split()[1])
        headers = {}
        while (line := (await reader.readline()).decode().strip()) != "":
            name, _, value = line.partition(": ")
            if "Max-Age=0;" not in value:
                headers[name.lower()] = value
        return status, headers, await reader.readexactly(int(headers.get("content-length", 0)))

    def _head(self, method: str, path: str, content: bytes) -> bytes:
        host = f"127.0.0.1:{self.port}"
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Cookie: companion-seat={self.cookie}"]
        if method == "POST":
            lines += ["X-Companion: 1", f"Origin: http://{host}", "Content-Type: application/json"]
            lines += [f"Content-Length: {len(content)}"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    async def view(self) -> Any:
        return json.loads((await self.request("GET", "/api/v1/view"))[2])

    async def join(self, seat: int) -> None:
        _, headers, _ = await self.request("POST", "/join", {"seat": seat, "name": ""})
        asking = headers["set-cookie"].split(";")[0]
        await self.request("POST", "/pretend/press", {"button": "ok", "held": True})
        self.cookie = f"x; {asking}"
        for _ in range(50):
            status, headers, _ = await self.request("POST", "/claim", {})
            if status == 200:
                self.cookie = headers["set-cookie"].split(";")[0].split("=")[1]
                return
            await asyncio.sleep(0.02)
        raise AssertionError("not let in")

    async def close(self) -> None:
        if self._link is not None:
            await end(self._link[1])
            self._link = None


class Stream:
    """An open stream that notes when it was sent which entry."""

    def __init__(self, port: int, address: int, path: str = "/stream?screen=watch", cookie: str = "") -> None:
        self._port, self._address = port, address
        self._path, self._cookie = path, cookie
        self.at: dict[int, float] = {}
        self.newest = 0
        self.news = asyncio.Event()

    async def open(self) -> None:
        self._reader, self._writer = await connect(self._port, self._address)
        head = f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nCookie: {self._cookie}\r\n\r\n"
        self._writer.write(head.encode())
        assert b"200" in await self._reader.readline()
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with contextlib.suppress(OSError):
            while line := await self._reader.readline():
                if line.startswith(b"id: "):
                    self.newest = int(line[4:].split(b".")[0])
                    self.at[self.newest] = time.perf_counter()
                    self.news.set()

    async def heard(self, seq: int) -> float:
        """When it had been sent entry `seq` or a later one."""
        async with asyncio.timeout(20):
            while self.newest < seq:
                self.news.clear()
                await self.news.wait()
        return min(at for number, at in self.at.items() if number >= seq)

    async def close(self) -> None:
        self._task.cancel()
        await end(self._writer)
