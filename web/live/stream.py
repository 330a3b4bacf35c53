"""Live updates: one native ASGI route that holds no thread, however many phones listen.

Each connection is sent the parts of its screen drawn from the newest moment, never those in between; parts that did
not change are not sent again. The same parts for the same audience are drawn once for all who look at them.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable
from typing import Final, TypeAlias
from urllib.parse import parse_qsl

from companion.core import SeatId
from companion.table.outside import Moment, Seen
from web.api.routes import BASE, view_json
from web.door import Phone, cookies_of, is_from_elsewhere, is_our_host, split_prefix
from web.door.asgi import SEALS, Receive, Scope, Send, address_of, answer, headers_of
from web.pretend.screen import PAGE as PRETEND
from web.screen import Dashboard, Page, Query, Visit, render_fragments
from web.screens import LIVE, still_screen

from .drawn import Drawn
from .presence import Presence

Draw: TypeAlias = Callable[[Visit], str]
API: Final = f"{BASE}/stream"
JSON: Final = Page(API, still_screen, live=True)
"""What other clients follow: not drawn, told."""

log = logging.getLogger(__name__)

HEARTBEAT: Final = 1.0
PATIENCE: Final = 5.0
"""A phone that takes longer than this to take what it is sent is dropped; it comes back by itself."""
MOST: Final = 256
"""Streams of phones without a seat at once; more are told to come back. A seated phone always gets in."""
FROM_ADDRESS: Final = 48
"""Of these, streams from one address."""
OF_SEAT: Final = 6
"""Streams of one seat: when one more comes, the oldest ends. It is some tab that nobody looks at."""


class Streams:
    """All open streams. Lives on one asyncio loop; only `_told` and `_drawn_anew` are called from other threads."""

    def __init__(self, dash: Dashboard) -> None:
        self._dash = dash
        self._newest = dash.table.moment
        self._version = 0
        self._edition = 0
        self._readers: dict[asyncio.Event, _Reader] = {}
        self._drawn = Drawn()
        self._ends: list[Callable[[], None]] = []
        self._closing = False
        self._screens = LIVE if dash.pretend is None else {**LIVE, PRETEND.name: PRETEND}

    def open(self) -> None:
        """Begin to follow the table; call on the loop that serves the streams."""
        self._loop = asyncio.get_running_loop()
        self._presence = Presence(self._dash.table.away, self._loop.time, self._loop.call_later)
        self._ends.append(self._dash.table.follow(self._told))
        if self._dash.pretend is not None:
            self._ends.append(self._dash.pretend.watch(self._drawn_anew))
            self._ends.append(self._dash.guide.watch(self._drawn_anew))
        self._news(self._dash.table.moment)

    def close(self) -> None:
        """End every stream and stop following; call on the loop."""
        self._closing = True
        while self._ends:
            self._ends.pop()()
        self._wake()

    def _told(self, moment: Moment) -> None:
        self._loop.call_soon_threadsafe(self._news, moment)

    def _drawn_anew(self) -> None:
        self._loop.call_soon_threadsafe(self._redrawn)

    def _news(self, moment: Moment) -> None:
        now, before = moment.public, self._newest.public
        if now.beat < before.beat:
            return
        self._newest = moment
        self._presence.sits(now.chairs)
        if _looks_alike(before, now):
            self._wake("pretend")
        else:
            self._edition += 1
            self._drawn.clear()
            self._wake()

    def _redrawn(self) -> None:
        """The pretend box or the guide beside it looks different; only their own page shows that."""
        self._version += 1
        self._wake("pretend")

    def _wake(self, only: str = "") -> None:
        for event, reader in self._readers.items():
            if only in ("", reader.screen):
                event.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = headers_of(scope)
        prefix, path = split_prefix(scope["path"])
        query = dict(parse_qsl(scope["query_string"].decode("latin-1")[:400]))
        page = JSON if path == API else self._screens.get(query.get("screen", ""))
        arrived_at = (scope.get("server") or ("", 0))[0]
        if scope["method"] != "GET" or page is None or (prefix and self._dash.pretend is None):
            await answer(send, 404)
        elif not is_our_host(headers.get("host", ""), self._dash.hosts, arrived_at):
            await answer(send, 421)
        elif is_from_elsewhere(headers.get("origin"), headers.get("host", "")):
            await answer(send, 403)
        else:
            reader = _Reader(self._dash, headers, prefix, page, query, address_of(scope))
            reader.seat = reader.phone(self._newest.public).asker
            if not self._is_in_time(reader):
                await answer(send, 429)
            elif self._has_room(reader):
                await self._follow(reader, receive, send)
            else:
                await answer(send, 503)

    def _is_in_time(self, reader: _Reader) -> bool:
        """Whether this phone, or for strangers its address and all of them together, may open one more now."""
        allows = self._dash.limits.allows
        if reader.seat is not None:
            return allows("seated", str(reader.seat))
        return allows("stream", reader.address) and allows("streams", "")

    def _has_room(self, reader: _Reader) -> bool:
        """Whether this one may listen too; the oldest stream of a seat that has too many ends for it."""
        alike = [(e, r) for e, r in self._readers.items() if (r.seat is None) == (reader.seat is None)]
        if reader.seat is None:
            return len(alike) < MOST and sum(r.address == reader.address for _, r in alike) < FROM_ADDRESS
        own = [(e, r) for e, r in alike if r.seat == reader.seat and not r.ended]
        if len(own) >= OF_SEAT:
            event, oldest = own[0]
            oldest.ended = True
            event.set()
        return True

    async def _follow(self, reader: _Reader, receive: Receive, send: Send) -> None:
        news = asyncio.Event()
        news.set()
        self._readers[news] = reader
        self._presence.comes(reader.seat)
        gone = asyncio.create_task(_until_gone(receive, news))
        try:
            await _begin(send)
            while not gone.done() and not self._closing and not reader.ended:
                await self._tell(reader, news, send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except (TimeoutError, OSError):
            return
        except Exception as error:  # noqa: BLE001 - one screen that fails must not end the others
            # The page is told nothing, so it says by itself that it is old. The error's text may name a secret.
            where = "".join(traceback.format_tb(error.__traceback__))
            log.error("%s could not be drawn: %s\n%s", reader.screen, type(error).__name__, where)
        finally:
            del self._readers[news]
            self._presence.goes(reader.seat)
            gone.cancel()

    async def _tell(self, reader: _Reader, news: asyncio.Event, send: Send) -> None:
        """Send the newest parts, or a sign of life when there are none for a while."""
        try:
            async with asyncio.timeout(HEARTBEAT):
                await news.wait()
        except TimeoutError:
            await self._beat(reader, send)
            return
        news.clear()
        moment, version = self._newest, self._version
        if reader.screen == "pretend" and reader.pictured != version:
            reader.pictured = version
            await _write(send, f"event: picture\ndata: oled {reader.prefix}/pretend/screen.png?v={version}\n\n")
        html = self._draw(reader, moment, version)
        if not reader.sent:
            await _write(send, f"event: hello\ndata: {self._dash.assets.version}\n\n")
        if html == reader.sent:
            if self._loop.time() - reader.wrote >= HEARTBEAT:
                await self._beat(reader, send)
            return
        reader.sent, reader.wrote = html, self._loop.time()
        lines = "".join(f"data: {line}\n" for line in html.splitlines() if line.strip())
        kind = "view" if reader.screen == API else "fragment"
        await _write(send, f"event: {kind}\nid: {moment.public.seq}.{moment.public.beat}\n{lines}\n")

    async def _beat(self, reader: _Reader, send: Send) -> None:
        reader.wrote = self._loop.time()
        await _write(send, "event: beat\ndata:\n\n")

    def _draw(self, reader: _Reader, moment: Moment, version: int) -> str:
        """The parts of a screen, drawn on the loop: less than a millisecond, and no thread to wait for."""
        phone = reader.phone(moment.public)
        if phone.asker != reader.seat:
            self._presence.goes(reader.seat)
            reader.seat = phone.asker
            self._presence.comes(reader.seat)
        drawn_by = (version, moment.public.beat) if reader.screen == "pretend" else ()
        key = (self._edition, drawn_by, reader.screen, tuple(reader.query.items()), phone)
        return self._drawn.of(key, lambda: reader.draw(moment, phone))


class _Reader:
    """One connection: which screen it looks at, as whom, and what it was sent last."""

    def __init__(
        self,
        dash: Dashboard,
        headers: dict[str, str],
        prefix: str,
        page: Page,
        query: Query,
        address: str = "",
    ) -> None:
        self._dash = dash
        self._draw = view_json if page is JSON else _drawer(page)
        self._cookies = cookies_of(headers.get("cookie", ""))
        self._accepts = headers.get("accept-language", "")
        self.prefix = prefix
        self.screen = page.name
        self.query = page.known(query)
        self.address = address
        self.seat: SeatId | None = None
        self.ended = False
        self.sent = ""
        self.wrote = 0.0
        self.pictured = -1

    def phone(self, public: Seen) -> Phone:
        """Who this is now: a seat may have been given or taken since the stream was opened."""
        return self._dash.phone(self._cookies, self.prefix, self._accepts, public)

    def draw(self, moment: Moment, phone: Phone) -> str:
        return self._draw(Visit(self._dash, phone, moment, self.query))


def _looks_alike(a: Seen, b: Seen) -> bool:
    """Whether phones show the same for both: only what the box shows has changed, or nothing at all."""
    return (a.table, a.seq) == (b.table, b.seq) and _beside(a) == _beside(b)


def _beside(s: Seen) -> tuple[object, ...]:
    """What phones show beside the game."""
    clock = None if s.clock is None else s.clock.shown
    return s.joining, s.appeal, s.troubles, s.away, s.stranger, s.enrolling, s.beginning, clock


def asker_of(scope: Scope, dash: Dashboard) -> SeatId | None:
    """As whom a request may wish for something, by its cookie; None for a stranger."""
    headers, prefix = headers_of(scope), split_prefix(scope["path"])[0]
    return dash.phone(cookies_of(headers.get("cookie", "")), prefix, "", dash.table.moment.public).asker


def is_stream(scope: Scope) -> bool:
    return scope["type"] == "http" and split_prefix(scope["path"])[1] in ("/stream", API)


def _drawer(page: Page) -> Draw:
    return lambda visit: render_fragments(visit, page.build(visit) or still_screen(visit))


async def _until_gone(receive: Receive, news: asyncio.Event) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    news.set()


async def _begin(send: Send) -> None:
    headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-store"), *SEALS]
    await send({"type": "http.response.start", "status": 200, "headers": headers})


async def _write(send: Send, text: str) -> None:
    async with asyncio.timeout(PATIENCE):
        await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
