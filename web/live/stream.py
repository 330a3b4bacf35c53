"""Live updates: one native ASGI route that holds no thread, however many phones listen.

Each connection is sent the parts of its screen as of the newest moment, never those in between; unchanged parts are
not sent again. The same parts for the same audience are drawn once for everybody who looks at them.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias
from urllib.parse import parse_qsl

from companion.core import SeatId
from companion.table.outside import Moment, Seen
from web.api.routes import BASE, view_json
from web.door import Phone, cookies_of, is_from_elsewhere, is_our_host, split_prefix
from web.door.asgi import HEARTBEAT, Receive, Scope, Send, address_of, answer, begin, headers_of, until_gone, write
from web.pretend.screen import PAGE as PRETEND
from web.screen import Dashboard, Page, Query, Visit, render_fragments
from web.screens import LIVE, still_screen

from .ahead import Ahead, Relay, looks_alike
from .drawn import Drawn
from .presence import Presence

Draw: TypeAlias = Callable[[Visit], str]
API: Final = f"{BASE}/stream"
JSON: Final = Page(API, still_screen, live=True)
"""What other clients follow: data, not drawings."""

log = logging.getLogger(__name__)

SOON: Final = 0.04
"""How long the pretend table waits, so that news about to be published reach seats first and are drawn together."""
MOST: Final = 256
"""Streams of phones without a seat at once; more are told to come back later. A seated phone always gets in."""
FROM_ADDRESS: Final = 48
"""Of these, streams from one address."""
OF_SEAT: Final = 6
"""Streams of one seat: when another one comes, the oldest ends. It is probably a tab that nobody looks at."""


class Streams:
    """All open streams. Lives on one asyncio loop; other threads call `_told`, `_foreseen`, `_left`, `_drawn_anew`."""

    def __init__(self, dash: Dashboard) -> None:
        self._dash = dash
        self._newest = dash.table.moment
        self._version = 0
        self._readers: dict[asyncio.Event, _Reader] = {}
        self._drawn, self._ahead = Drawn(), Ahead()
        self._ends: list[Callable[[], None]] = []
        self._closing = False
        self._soon: asyncio.TimerHandle | None = None
        self._screens = LIVE if dash.pretend is None else {**LIVE, PRETEND.name: PRETEND}

    def open(self) -> None:
        """Start following the table; call on the loop that serves the streams."""
        self._loop = asyncio.get_running_loop()
        self._presence = Presence(self._dash.table.away, self._loop.time, self._loop.call_later)
        self._ends.append(self._dash.table.follow(self._told))
        self._relay = Relay(self._loop)
        self._ends.append(self._relay.close)
        self._ends.append(self._dash.table.foresee(self._foreseen))
        if self._dash.network is not None:
            self._ends.append(self._dash.network.watch(self._left))
        if self._dash.pretend is not None:
            self._ends.append(self._dash.pretend.watch(self._drawn_anew))
            self._ends.append(self._dash.guide.watch(self._drawn_anew))
        self._news(self._dash.table.moment)

    def close(self) -> None:
        """End every stream and stop following; call on the loop."""
        self._closing = True
        while self._ends:
            self._ends.pop()()
        if self._soon is not None:
            self._soon.cancel()
        self._wake()

    def _told(self, moment: Moment) -> None:
        self._ahead.synced()
        self._loop.call_soon_threadsafe(self._news, moment)

    def _foreseen(self, made: Callable[[], Moment]) -> None:
        if self._ahead.is_worth_it():
            self._relay.call(self._draw_ahead, made)

    def _drawn_anew(self) -> None:
        self._loop.call_soon_threadsafe(self._redrawn)

    def _left(self) -> None:
        self._loop.call_soon_threadsafe(self._redraw_all)

    def _news(self, moment: Moment) -> None:
        now, before = moment.public, self._newest.public
        drawn = self._ahead.end(moment)
        if now.beat < before.beat:
            return
        self._newest = moment
        self._presence.sits(now.chairs)
        if looks_alike(before, now):
            self._wake_pretend_soon()
        else:
            self._redraw(drawn)

    def _redraw_all(self) -> None:
        """The box is changing its Wi-Fi, and no drawing so far mentions it."""
        self._ahead.drop()
        self._redraw(Drawn())

    def _redraw(self, drawn: Drawn) -> None:
        """Everything that anybody is looking at, except what is already drawn."""
        self._drawn = drawn
        self._wake()

    def _draw_ahead(self, made: Callable[[], Moment]) -> None:
        """While the disk syncs, in the order in which they will be sent.

        Slow drawings are left out: if the disk is quick, seats would have to wait for them.
        """
        readers = [reader for reader in self._readers.values() if reader.rank <= _OTHERS]
        readers.sort(key=lambda reader: reader.rank)
        self._ahead.begin(made, [partial(self._sketch, reader) for reader in readers])

    def _sketch(self, reader: _Reader, moment: Moment, drawn: Drawn) -> None:
        phone = reader.phone(moment.public)
        drawn.of(((), *reader.shows(phone)), lambda: reader.draw(moment, phone))

    def _redrawn(self) -> None:
        """The pretend box or the guide beside it looks different; only their own page shows that."""
        self._version += 1
        self._wake_pretend_soon()

    def _wake_pretend_soon(self) -> None:
        """What a hand does to the box shows there before the table has judged it; the phones must not wait for that."""
        if self._soon is None:
            self._soon = self._loop.call_later(SOON, self._wake_pretend)

    def _wake_pretend(self) -> None:
        self._soon = None
        self._wake(PRETEND.name)

    def _wake(self, only: str = "") -> None:
        """Seats first, then tables, then everything else: nobody at the table waits for a big screen."""
        for event, reader in sorted(self._readers.items(), key=lambda each: each[1].rank):
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
        """Whether this phone, or for strangers its address and all strangers together, may open one more now."""
        allows = self._dash.limits.allows
        if reader.seat is not None:
            return allows("seated", str(reader.seat))
        return allows("stream", reader.address) and allows("streams", "")

    def _has_room(self, reader: _Reader) -> bool:
        """Whether this one may listen too; if its seat has too many streams, the oldest ends."""
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
        gone = asyncio.create_task(until_gone(receive, news))
        try:
            await begin(send)
            while not gone.done() and not self._closing and not reader.ended:
                await self._tell(reader, news, send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except (TimeoutError, OSError):
            return
        except Exception as error:  # noqa: BLE001 - one screen that fails must not end the others
            # The page gets nothing, so it will say that it is out of date. The error's text may name a secret.
            where = "".join(traceback.format_tb(error.__traceback__))
            log.error("%s could not be drawn: %s\n%s", reader.screen, type(error).__name__, where)
        finally:
            del self._readers[news]
            self._presence.goes(reader.seat)
            gone.cancel()

    async def _tell(self, reader: _Reader, news: asyncio.Event, send: Send) -> None:
        """Send the newest parts, or a heartbeat if there are none for a while."""
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
            await write(send, f"event: picture\ndata: oled {reader.prefix}/pretend/screen.png?v={version}\n\n")
        html = self._draw(reader, moment, version)
        if not reader.sent:
            await write(send, f"event: hello\ndata: {self._dash.assets.version}\n\n")
        if html == reader.sent:
            if self._loop.time() - reader.wrote >= HEARTBEAT:
                await self._beat(reader, send)
            return
        reader.sent, reader.wrote = html, self._loop.time()
        lines = "".join(f"data: {line}\n" for line in html.splitlines() if line.strip())
        kind = "view" if reader.screen == API else "fragment"
        await write(send, f"event: {kind}\nid: {moment.public.seq}.{moment.public.beat}\n{lines}\n")

    async def _beat(self, reader: _Reader, send: Send) -> None:
        reader.wrote = self._loop.time()
        await write(send, "event: beat\ndata:\n\n")

    def _draw(self, reader: _Reader, moment: Moment, version: int) -> str:
        """The parts of a screen, drawn on the loop: it takes less than a millisecond, and no thread to wait for."""
        phone = reader.phone(moment.public)
        if phone.asker != reader.seat:
            self._presence.goes(reader.seat)
            reader.seat = phone.asker
            self._presence.comes(reader.seat)
        drawn_by = (version, moment.public.beat) if reader.screen == "pretend" else ()
        return self._drawn.of((drawn_by, *reader.shows(phone)), lambda: reader.draw(moment, phone))


_RANKS: Final = {"seat": 0, "table": 1, "history": 3, "tv": 3, PRETEND.name: 4}
_OTHERS: Final = 2


class _Reader:
    """One connection: which screen it shows, to whom, and what it was sent last."""

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

    @property
    def rank(self) -> int:
        """The order in which readers get news: low ranks first."""
        return _RANKS.get(self.screen, _OTHERS)

    def phone(self, public: Seen) -> Phone:
        """Who this is now: a seat may have been given or taken since the stream was opened."""
        return self._dash.phone(self._cookies, self.prefix, self._accepts, public)

    def shows(self, phone: Phone) -> tuple[object, ...]:
        """What the drawing depends on besides the moment."""
        return self.screen, tuple(self.query.items()), phone

    def draw(self, moment: Moment, phone: Phone) -> str:
        return self._draw(Visit(self._dash, phone, moment, self.query))


def asker_of(scope: Scope, dash: Dashboard) -> SeatId | None:
    """Who a request acts as, by its cookie; None for a stranger."""
    headers, prefix = headers_of(scope), split_prefix(scope["path"])[0]
    return dash.phone(cookies_of(headers.get("cookie", "")), prefix, "", dash.table.moment.public).asker


def is_stream(scope: Scope) -> bool:
    return scope["type"] == "http" and split_prefix(scope["path"])[1] in ("/stream", API)


def _drawer(page: Page) -> Draw:
    return lambda visit: render_fragments(visit, page.build(visit) or still_screen(visit))
