"""The web server in its own thread: streams as native ASGI, everything else through Flask."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from functools import partial
from types import TracebackType
from typing import Final, Protocol, Self

import uvicorn
from flask import Flask

from companion.core import CompanionError
from web import dashboard_of
from web.door import LARGEST_BODY, split_prefix
from web.door.asgi import CLOSE, Bodies, Connection, Door, Lane, Receive, Scope, Send, address_of, answer, lifespan
from web.door.guard import LARGEST_PICTURE, TAKES_PICTURES
from web.door.portal import Said, tell
from web.screens.packs import LARGEST_UPLOAD

from .stream import Streams, asker_of, is_stream

log = logging.getLogger(__name__)

SEATED, STRANGERS = 8, 2
"""Threads for pages and commands of phones with a seat, and of everybody else; streams need none."""
SHARE: Final = 0.25
"""The share of one core that strangers' pages may use together."""
TICK: Final = 1.0
"""Seconds."""
STUCK: Final = 15.0
"""Seconds after which a lane counts as stuck if all its threads are still at the same request."""
ALIVE: Final = "/alive"
"""Where the watchdog asks. It is answered on the loop, however long the queues for pages are."""


class PortTaken(CompanionError, OSError):
    """The address of the dashboard is not free."""


class Asgi:
    """One ASGI app: `/stream` and `/alive` beside Flask, which sees a request only once it has fully arrived."""

    def __init__(self, app: Flask) -> None:
        self._dash = dashboard_of(app)
        self.streams = Streams(self._dash)
        self.door = Door()
        self._bodies = Bodies()
        self._seated, self._strangers = Lane(app, SEATED), Lane(app, STRANGERS, SHARE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await lifespan(receive, send, self._begin, self.end_streams)
        elif is_stream(scope):
            await self.streams(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close"})
        elif (said := self._met(scope)) is not None:
            await tell(send, said, body=scope["method"] == "GET")
        elif scope["path"] == ALIVE:
            await answer(send, 503 if self._seated.is_stuck(STUCK) or self._strangers.is_stuck(STUCK) else 200)
        else:
            await self._page(scope, receive, send)

    def _met(self, scope: Scope) -> Said | None:
        """The answer for a phone that has joined the box's own Wi-Fi and asks for something else."""
        return None if self._dash.portal is None else self._dash.portal.answer(scope, self._dash.hosts)

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A page or a command: handled by a thread of its lane, once its body is there."""
        asker = asker_of(scope, self._dash)
        if asker is None:
            lane, who, most = self._strangers, address_of(scope), LARGEST_BODY
        else:
            scope["state"]["seat"] = asker
            lane, who, most = self._seated, f"seat {asker}", LARGEST_UPLOAD
            if split_prefix(scope["path"])[1] in TAKES_PICTURES:
                most = LARGEST_PICTURE
                if not self._dash.limits.allows("photo", who):
                    await answer(send, 429, CLOSE)  # before reading any of it: photos are large
                    return
        await self._bodies.handed(who, most, lane, scope, receive, send)

    def end_streams(self) -> None:
        self.streams.close()

    def _begin(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.streams.open()
        self.door.open()


class Serves(Protocol):
    """What can be served: its connections, and a way to end its streams, called on its loop."""

    @property
    def door(self) -> Door: ...

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...

    def end_streams(self) -> None: ...


class Resting(uvicorn.Server):
    """Wakes once a second, for the date of its answers; uvicorn's own server wakes ten times, to check whether it
    should end.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._over = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def main_loop(self) -> None:
        self._loop = asyncio.get_running_loop()
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK):
                    await self._over.wait()

    def stop(self) -> None:
        """Thread-safe."""
        self.should_exit = True
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it has already ended
                self._loop.call_soon_threadsafe(self._over.set)


class WebServer:
    """Serves the dashboard from `open` to `close`; both may be called twice. `port` is the one it really got.

    `also` is a second port for people who weren't given one; if it is taken, the log says so and the first has to
    do.
    """

    def __init__(
        self,
        app: Flask | Serves,
        host: str = "0.0.0.0",  # noqa: S104 - phones must reach it
        port: int = 0,
        also: int | None = None,
    ) -> None:
        self._asgi: Serves = Asgi(app) if isinstance(app, Flask) else app
        self._host, self._asked_port, self._also = host, port, also
        self._server: Resting | None = None
        self._thread: threading.Thread | None = None
        self.port = port

    def open(self) -> None:
        if self._thread is not None:
            return
        sock = self._bind(self._asked_port)
        self.port = sock.getsockname()[1]
        socks = [sock, *self._bound_also()]
        config = uvicorn.Config(
            self._asgi,
            log_config=None,
            # An access log would put phones' intents, and so their secrets, into a public log.
            access_log=False,
            log_level="warning",
            lifespan="on",
            ws="none",
            http=partial(Connection, self._asgi.door),  # type: ignore[arg-type]
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=1,
            timeout_keep_alive=30,
            h11_max_incomplete_event_size=16 * 1024,
        )
        self._server = Resting(config)
        self._thread = threading.Thread(target=self._server.run, args=(socks,), name="web", daemon=True)
        self._thread.start()

    def close(self) -> None:
        if self._thread is None or self._server is None:
            return
        loop = getattr(self._asgi, "loop", None)
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._asgi.end_streams)
        self._server.stop()
        self._thread.join(timeout=5)
        self._thread = None

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def _bound_also(self) -> list[socket.socket]:
        if self._also in (None, self.port):
            return []
        try:
            return [self._bind(self._also)]
        except PortTaken as error:
            log.warning("%s", error)
            return []

    def _bind(self, port: int) -> socket.socket:
        try:
            listening = socket.create_server((self._host, port), backlog=256)
        except OSError as error:
            raise PortTaken(
                error.errno,
                f"the dashboard cannot listen on {self._host}:{port} ({error.strerror}); "
                "stop the other program there, or choose another with --port",
            ) from error
        # Inherited by every connection: without it the end of a small answer waits 40 ms for the acknowledgement of
        # its beginning.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening
