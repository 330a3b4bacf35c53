"""The web server in a thread of its own: streams as native ASGI, everything else through Flask."""

from __future__ import annotations

import asyncio
import socket
import threading
from types import TracebackType
from typing import Any, Final, Self

import uvicorn
from a2wsgi import WSGIMiddleware
from flask import Flask

from companion.core.errors import CompanionError

from . import dashboard_of
from .stream import Receive, Scope, Send, Streams, is_stream

WORKERS: Final = 8
"""Threads for pages and commands; streams need none."""


class PortTaken(CompanionError, OSError):
    """The address of the dashboard is not free."""


class Asgi:
    """One ASGI app: `/stream` beside Flask."""

    def __init__(self, app: Flask) -> None:
        self.streams = Streams(dashboard_of(app))
        self._pages: Any = WSGIMiddleware(app, workers=WORKERS)  # type: ignore[arg-type]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif is_stream(scope):
            await self.streams(scope, receive, send)
        elif scope["type"] == "http":
            await self._pages(scope, receive, send)
        else:
            await send({"type": "websocket.close"})

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            match (await receive())["type"]:
                case "lifespan.startup":
                    self.loop = asyncio.get_running_loop()
                    self.streams.open()
                    await send({"type": "lifespan.startup.complete"})
                case "lifespan.shutdown":
                    self.streams.close()
                    await send({"type": "lifespan.shutdown.complete"})
                    return


class WebServer:
    """Serves the dashboard from `open` to `close`; both may be called twice. `port` is the one really taken."""

    def __init__(self, app: Flask, host: str = "0.0.0.0", port: int = 0) -> None:  # noqa: S104 - phones must reach it
        self._asgi = Asgi(app)
        self._host, self._asked_port = host, port
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self.port = port

    def open(self) -> None:
        if self._thread is not None:
            return
        sock = self._bind()
        self.port = sock.getsockname()[1]
        config = uvicorn.Config(
            self._asgi,
            log_config=None,
            # A line per request would write the intents of phones, and so their secrets, into a public log.
            access_log=False,
            log_level="warning",
            lifespan="on",
            ws="none",
            server_header=False,
            timeout_graceful_shutdown=1,
            timeout_keep_alive=30,
            h11_max_incomplete_event_size=16 * 1024,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([sock],), name="web", daemon=True)
        self._thread.start()

    def close(self) -> None:
        if self._thread is None or self._server is None:
            return
        loop = getattr(self._asgi, "loop", None)
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._asgi.streams.close)
        self._server.should_exit = True
        self._thread.join(timeout=5)
        self._thread = None

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def _bind(self) -> socket.socket:
        try:
            return socket.create_server((self._host, self._asked_port), backlog=256)
        except OSError as error:
            raise PortTaken(
                error.errno,
                f"the dashboard cannot listen on {self._host}:{self._asked_port} ({error.strerror}); "
                "stop the other program there, or choose another with --port",
            ) from error
