"""What the server passes on with a request, and the answers that need no page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final, TypeAlias

from web.door.guard import HEADERS

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]

SEALS: Final = tuple((name.lower().encode(), value.encode()) for name, value in HEADERS)
"""The headers that every answer carries."""
CLOSE: Final = (b"connection", b"close")


def headers_of(scope: Scope) -> dict[str, str]:
    """Headers by lower-case name; two with the same name are joined, as pages read them."""
    found: dict[str, str] = {}
    for name, value in ((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]):
        found[name] = f"{found[name]},{value}" if name in found else value
    return found


def address_of(scope: Scope) -> str:
    """Where a request comes from."""
    return str((scope.get("client") or ("", 0))[0])


async def answer(send: Send, status: int, *more: tuple[bytes, bytes]) -> None:
    """A bare status, without text."""
    headers = [(b"content-length", b"0"), (b"cache-control", b"no-store"), *SEALS, *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def and_then_closed(send: Send) -> Send:
    """The same, and then close the connection: we don't want whatever else comes over it."""

    async def closing(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], CLOSE]}
        await send(message)

    return closing


async def lifespan(receive: Receive, send: Send, begins: Callable[[], None], ends: Callable[[], None]) -> None:
    """Handles the server's lifespan events, from start to end, on its loop."""
    while True:
        match (await receive())["type"]:
            case "lifespan.startup":
                begins()
                await send({"type": "lifespan.startup.complete"})
            case "lifespan.shutdown":
                ends()
                await send({"type": "lifespan.shutdown.complete"})
                return
