"""Server-sent events for every live page: how a stream begins, what it writes, when it is over."""

from __future__ import annotations

import asyncio
from typing import Final

from .messages import SEALS, Receive, Send

HEARTBEAT: Final = 1.0
"""After this many seconds of silence a heartbeat is sent."""
PATIENCE: Final = 5.0
"""A phone that takes longer than this to read what it is sent is dropped; it reconnects by itself."""


async def begin(send: Send) -> None:
    headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-store"), *SEALS]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


async def write(send: Send, text: str) -> None:
    async with asyncio.timeout(PATIENCE):
        await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def until_gone(receive: Receive, news: asyncio.Event) -> None:
    """Wakes whoever waits for news once the other side has hung up."""
    while (await receive())["type"] != "http.disconnect":
        pass
    news.set()
