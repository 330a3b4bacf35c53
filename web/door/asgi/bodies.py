"""Waits for request bodies: on the loop, without a thread, for a limited time and number of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Final, Literal, TypeAlias

from .messages import CLOSE, Receive, Scope, Send, and_then_closed, answer, headers_of

PATIENCE: Final = 10.0
"""Seconds in which the whole body must arrive."""
AT_ONCE: Final = 8
"""Bodies that may be arriving at once from one phone or, for strangers, from one address."""

Unfit: TypeAlias = Literal["late", "many", "large", "gone"]
Takes: TypeAlias = Callable[[Scope, bytes, Receive, Send], Awaitable[None]]
"""Answers a request once its body is there."""


class Bodies:
    """Which bodies are still arriving. Lives on one loop."""

    def __init__(self) -> None:
        self._sending: Counter[str] = Counter()

    async def handed(self, who: str, most: int, takes: Takes, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request over with its whole body, or refuse to wait for it."""
        declared = headers_of(scope).get("content-length", "0")
        match await self.whole(who, receive, int(declared), most):
            case bytes() as body:
                await takes(scope, body, receive, send)
            case "large":
                # Flask refuses it, having read how long it would be.
                await takes(scope, b"", receive, and_then_closed(send))
            case "late":
                await answer(send, 408, CLOSE)
            case "many":
                await answer(send, 429, CLOSE)
            case "gone":
                return

    async def whole(self, who: str, receive: Receive, declared: int, most: int) -> bytes | Unfit:
        """The whole body, or why it is not taken; more than `most` bytes aren't even waited for."""
        if declared > most:
            return "large"
        if self._sending[who] >= AT_ONCE:
            return "many"
        self._sending[who] += 1
        try:
            async with asyncio.timeout(PATIENCE):
                return await _gathered(receive, most)
        except TimeoutError:
            return "late"
        finally:
            self._sending[who] -= 1
            if not self._sending[who]:
                del self._sending[who]


async def _gathered(receive: Receive, most: int) -> bytes | Unfit:
    gathered = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return "gone"
        gathered += message.get("body", b"")
        if len(gathered) > most:
            return "large"
        if not message.get("more_body", False):
            return bytes(gathered)
