"""A hub as one ASGI app: `/stream` and `/alive` beside Flask, which sees a request only once it has fully arrived."""

from __future__ import annotations

import asyncio
from typing import Final

from flask import Flask

from web.door import LARGEST_BODY
from web.door.asgi import MOST, Bodies, Door, Lane, Receive, Scope, Send, address_of, answer, lifespan

from . import streams_of

THREADS: Final = 4
STUCK: Final = 15.0


class HubAsgi:
    """`behind_proxy`: everybody comes from one address, so addresses can't be used to limit anybody."""

    def __init__(self, app: Flask, *, behind_proxy: bool = False) -> None:
        self._streams = streams_of(app)
        self.door = Door(MOST) if behind_proxy else Door()
        self._bodies = Bodies()
        self._lane = Lane(app, THREADS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await lifespan(receive, send, self._begin, self.end_streams)
        elif scope["type"] != "http":
            await send({"type": "websocket.close"})
        elif scope["path"] == "/stream":
            await self._streams(scope, receive, send)
        elif scope["path"] == "/alive":
            await answer(send, 503 if self._lane.is_stuck(STUCK) else 200)
        else:
            await self._bodies.handed(address_of(scope), LARGEST_BODY, self._lane, scope, receive, send)

    def end_streams(self) -> None:
        self._streams.close()

    def _begin(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._streams.open()
        self.door.open()
