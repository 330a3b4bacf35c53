"""Live pages of a hub: sends only the tables that have changed, each drawn once for all viewers."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Iterator
from typing import Final
from urllib.parse import parse_qsl

from web.door import is_from_elsewhere, is_our_host
from web.door.asgi import HEARTBEAT, Receive, Scope, Send, address_of, answer, begin, headers_of, until_gone, write

from .hub import Hub, Look
from .large import Large
from .pages import aside, cards, tonight
from .wall import Wall

log = logging.getLogger(__name__)

PACE: Final = 0.5
"""Seconds between two checks for changes: however fast the tables play, a wall is drawn no more often than this."""
MOST: Final = 512
FROM_ADDRESS: Final = 48


class Watching:
    """One browser: what it is viewing, and what it was sent last."""

    def __init__(self, look: Look, screen: str, table: str, address: str) -> None:
        self.look, self.screen, self.table, self.address = look, screen, table, address
        self.edition = -1
        self.listed: tuple[str, ...] = ()
        self.beside: dict[str, str] = {}


class Streams:
    """All open streams. Lives on one loop."""

    def __init__(self, hub: Hub) -> None:
        self._hub, self.wall, self.large = hub, Wall(hub), Large(hub)
        self._watching: dict[asyncio.Event, Watching] = {}
        self._closing = False

    def open(self) -> None:
        """Start following the tables; call on the loop that serves the streams."""
        loop = asyncio.get_running_loop()

        def told() -> None:
            loop.call_soon_threadsafe(self.wake)

        self._end = self._hub.floor.follow(told)

    def close(self) -> None:
        """End every stream; call on the loop."""
        self._closing = True
        self._end()
        self.wake()

    def wake(self) -> None:
        for event in self._watching:
            event.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = headers_of(scope)
        host = headers.get("host", "")
        query = dict(parse_qsl(scope["query_string"].decode("latin-1")[:400]))
        address, screen = address_of(scope), query.get("screen", "")
        arrived_at = (scope.get("server") or ("", 0))[0]
        if scope["method"] != "GET" or screen not in ("wall", "table", "still"):
            await answer(send, 404)
        elif not is_our_host(host, self._hub.hosts, arrived_at):
            await answer(send, 421)
        elif is_from_elsewhere(headers.get("origin"), host):
            await answer(send, 403)
        elif not (self._hub.limits.allows("stream", address) and self._hub.limits.allows("streams", "")):
            await answer(send, 429)
        elif not self._has_room(address):
            await answer(send, 503)
        else:
            phone = self._hub.phone(headers.get("cookie", ""), headers.get("accept-language", ""))
            look = Look(self._hub, phone)
            await self._follow(Watching(look, screen, query.get("table", ""), address), receive, send)

    def _has_room(self, address: str) -> bool:
        same = sum(each.address == address for each in self._watching.values())
        most = FROM_ADDRESS if self._hub.host is not None else MOST  # behind a proxy everybody has one address
        return len(self._watching) < MOST and same < most

    async def _follow(self, who: Watching, receive: Receive, send: Send) -> None:
        news = asyncio.Event()
        news.set()
        self._watching[news] = who
        gone = asyncio.create_task(until_gone(receive, news))
        try:
            await begin(send)
            await write(send, f"event: hello\ndata: {self._hub.assets.version}\n\n")
            while not gone.done() and not self._closing:
                await self._tell(who, news, send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except (TimeoutError, OSError):
            return
        except Exception as error:  # noqa: BLE001 - one page that fails must not end the others
            where = "".join(traceback.format_tb(error.__traceback__))
            log.error("%s could not be drawn: %s\n%s", who.screen, type(error).__name__, where)
        finally:
            del self._watching[news]
            gone.cancel()

    async def _tell(self, who: Watching, news: asyncio.Event, send: Send) -> None:
        """Send the parts that have changed, or a heartbeat if none have for a while."""
        try:
            async with asyncio.timeout(HEARTBEAT):
                await news.wait()
        except TimeoutError:
            await write(send, "event: beat\ndata:\n\n")
            return
        news.clear()
        parts = await asyncio.to_thread(lambda: list(self.changed(who)))
        for name, html in parts:
            lines = "".join(f"data: {line}\n" for line in html.splitlines() if line.strip())
            await write(send, f"event: part\nid: {name}\n{lines}\n")
        if not self._closing:
            await asyncio.sleep(PACE)

    def changed(self, who: Watching) -> Iterator[tuple[str, str]]:
        """The parts that this browser doesn't have yet, by name; returning them counts as sending."""
        edition, before = self._hub.floor.edition, who.edition
        who.edition = edition
        if who.screen == "wall":
            yield from self._of_wall(who, before)
        table = self._hub.floor.find(who.table) if who.screen == "table" else None
        if table is not None and table.edition > before:
            yield "table", self.large.part(who.look, table)

    def _of_wall(self, who: Watching, before: int) -> Iterator[tuple[str, str]]:
        look, tables = who.look, self._hub.floor.tables()
        listed = tuple(table.id for table in tables)
        pen = self._hub.pen(look.phone)
        if listed != who.listed:
            who.listed = listed
            yield "tables", pen.draw("hub/tables.html", cards=cards(look, self.wall), phone=look.phone)
        else:
            for table in tables:
                if table.edition > before:
                    yield table.id, self.wall.card(table, look.phone)
        for name, told in (("tonight", tonight(look)), ("aside", aside(look))):
            beside = pen.draw(f"hub/{name}.html", **told)
            if beside != who.beside.get(name):
                who.beside[name] = beside
                yield name, beside
