"""The threads that make pages. Phones with a seat have their own, so no stranger is ahead of them in a queue."""

from __future__ import annotations

import asyncio
import contextlib
import io
import threading
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, cast

from a2wsgi.wsgi import build_environ
from msgspec import Struct

from .messages import Receive, Scope, Send

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

LONGEST_REST: Final = 0.5


class Page(Struct, frozen=True):
    """A complete answer from an app, and the seconds its thread spent on it."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    worked: float


class Lane:
    """Threads that make the pages of one app, for requests that have fully arrived. Lives on one loop.

    A thread is free as soon as its page is made; sending it is up to the loop and the phone. With a `share`, its
    threads together get at most that much of one core: they compete with the other threads, so drawing for
    strangers takes time from players. So each page is followed by a rest.
    """

    def __init__(self, app: WSGIApplication, threads: int, share: float | None = None) -> None:
        self._app = app
        self._size = threads
        self._rests_for = 0.0 if share is None else threads / share - 1
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="page")
        self._free = asyncio.Semaphore(threads)
        self._begun: dict[int, float] = {}
        self._lock = threading.Lock()

    async def __call__(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        """Make a page when a thread is free, and send it; skip it if the phone has gone by then."""
        async with _noticed(receive) as gone:
            await self._free.acquire()
            if gone.done():
                self._free.release()
                return
            page = await self._page(build_environ(cast("Any", scope), cast("Any", io.BytesIO(body))))
        await send({"type": "http.response.start", "status": page.status, "headers": page.headers})
        await send({"type": "http.response.body", "body": page.body})

    def is_stuck(self, patience: float) -> bool:
        """Whether every thread has been busy with one and the same request for more than so many seconds."""
        with self._lock:
            long = sum(time.monotonic() - begun > patience for begun in self._begun.values())
        return long >= self._size

    async def _page(self, environ: Any) -> Page:
        loop, rest = asyncio.get_running_loop(), 0.0
        try:
            page = await loop.run_in_executor(self._threads, self._made, environ)
            rest = min(page.worked * self._rests_for, LONGEST_REST)
            return page
        finally:
            loop.call_later(rest, self._free.release)

    def _made(self, environ: Any) -> Page:
        thread, began = threading.get_ident(), time.thread_time()
        head: list[tuple[int, tuple[tuple[bytes, bytes], ...]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], _error: object = None) -> Any:
            named = tuple((name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers)
            head.append((int(status.split(" ", 1)[0]), named))

        with self._lock:
            self._begun[thread] = time.monotonic()
        try:
            parts = self._app(environ, start_response)
            try:
                body = b"".join(parts)
            finally:
                getattr(parts, "close", lambda: None)()
        finally:
            with self._lock:
                del self._begun[thread]
        return Page(*head[-1], body, time.thread_time() - began)


@contextlib.asynccontextmanager
async def _noticed(receive: Receive) -> AsyncIterator[asyncio.Task[None]]:
    """Wrap `receive`; the context gives a task that is done once the other side has hung up."""

    async def until_gone() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    gone = asyncio.create_task(until_gone())
    try:
        yield gone
    finally:
        gone.cancel()
