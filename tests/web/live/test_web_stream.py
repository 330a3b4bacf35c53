"""Live updates over a real server and a real socket."""

from __future__ import annotations

import asyncio
import html
import http.client
import queue
import re
import socket
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from flask import Flask

from companion.core import Act, Asked, ReaderId, Uid, legal
from companion.table import Table
from tests.patience import PATIENCE
from tests.web.conftest import Box, Phone
from web import dashboard_of
from web.door.asgi import Send, events
from web.live import presence
from web.live import stream as streams
from web.live.ahead import looks_alike
from web.live.server import PortTaken, WebServer
from web.live.stream import Streams
from web.screen import rendering


@pytest.fixture
def server(app: Flask) -> Iterator[WebServer]:
    with WebServer(app, "127.0.0.1") as server:
        yield server


class Listener:
    """An open stream that is read event by event."""

    def __init__(self, port: int, path: str, cookie: str = "", host: str = "", origin: str | None = None) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        headers = {"Cookie": cookie} | ({"Host": host} if host else {}) | ({} if origin is None else {"Origin": origin})
        self.connection.request("GET", path, headers=headers)
        self.response = self.connection.getresponse()

    def event(self) -> tuple[str, str, str]:
        """Kind, id and data of the next event."""
        kind, number = "", ""
        data: list[str] = []
        while True:
            line = self.response.readline().decode().rstrip("\n")
            if not line:
                return kind, number, "\n".join(data)
            name, _, value = line.partition(": ")
            match name:
                case "event":
                    kind = value
                case "id":
                    number = value
                case "data":
                    data.append(value)

    def until(self, kind: str) -> str:
        """The data of the next event of this kind; ten beats without one are enough."""
        beats = 0
        while beats < 10:
            found, _, data = self.event()
            if found == kind:
                return data
            beats += found == "beat"
        raise AssertionError(f"no {kind} came")

    def close(self) -> None:
        self.response.close()
        self.connection.close()


@pytest.fixture
def listen(server: WebServer) -> Iterator[Callable[..., Listener]]:
    opened: list[Listener] = []

    def open_one(path: str, browser: Any = None, **more: str) -> Listener:
        cookie = ""
        if browser is not None:
            cookie = f"companion-seat={browser.client.get_cookie('companion-seat', domain='box.test').value}"
        opened.append(Listener(server.port, path, cookie, **more))
        return opened[-1]

    yield open_one
    for listener in opened:
        listener.close()


def test_each_phone_gets_the_parts_of_its_own_seat(ada: Phone, ben: Phone, listen: Callable[..., Listener]) -> None:
    hers, his, public = (listen("/stream?screen=seat", who) for who in (ada, ben, None))
    assert "Card Ace" in hers.until("fragment")
    for other in (his.until("fragment"), public.until("fragment")):
        assert "Card Ace" not in other
        assert 'id="screen"' in other

    ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
    assert "Lay Card Ace" not in hers.until("fragment").split('class="undo"')[0]
    assert "Ada laid Card Ace" in his.until("fragment")
    assert "Ada laid Card Ace" in public.until("fragment")


def test_the_first_words_are_the_version_and_ids_are_seq_and_beat(
    ada: Phone, app: Flask, listen: Callable[..., Listener]
) -> None:
    listener = listen("/stream?screen=seat", ada)
    assert listener.event() == ("hello", "", dashboard_of(app).assets.version)
    kind, number, _ = listener.event()
    assert kind == "fragment"
    snapshot = ada.table.snapshot
    assert number == f"{snapshot.seq}.{snapshot.beat}"


def test_silence_is_broken_each_second_and_nothing_is_sent_twice(ada: Phone, listen: Callable[..., Listener]) -> None:
    listener = listen("/stream?screen=check", ada)
    listener.until("fragment")
    assert [listener.event()[0] for _ in range(2)] == ["beat", "beat"]


def test_a_refusal_reaches_no_other_stream(ada: Phone, ben: Phone, listen: Callable[..., Listener]) -> None:
    his = listen("/stream?screen=history", ben)
    his.until("fragment")
    ada.act({"verb": "bet", "actor": 0, "number": 9})
    ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
    seen = ""
    while "Ada laid Card Ace" not in seen:
        seen = his.until("fragment")
        assert "is more than your" not in seen


def test_what_a_phone_asks_to_let_stand_is_news_though_it_leaves_no_entry(ada: Phone, table: Table) -> None:
    before = table.moment.public
    wish = {"type": "act", "intent": {"verb": "bet", "actor": 0, "number": 9}, "appeals": True}
    assert ada.post("/command", asked=table.snapshot.asked[0], wish=wish).status_code == 200
    assert table.moment.public.seq == before.seq
    assert not looks_alike(before, table.moment.public)


def test_a_seat_lost_in_between_is_shown_no_more(
    ada: Phone, phone: Callable[[], Phone], listen: Callable[..., Listener]
) -> None:
    listener = listen("/stream?screen=seat", ada)
    assert "Card Ace" in listener.until("fragment")
    phone().sit(0, "Eve")
    seen = listener.until("fragment")
    while "You are watching" not in seen:
        seen = listener.until("fragment")
    assert "Card Ace" not in seen


def test_the_pretend_display_is_announced_anew_when_it_changes(box: Box, listen: Callable[..., Listener]) -> None:
    listener = listen("/stream?screen=pretend")
    first = listener.until("picture")
    assert first.startswith("oled /pretend/screen.png?v=")
    listener.until("fragment")
    box.lay(Uid("04A5A5A5A5A5A5"), ReaderId("left"))
    assert listener.until("picture") != first
    assert "lift-04A5A5A5A5A5A5" in listener.until("fragment")


def test_the_guides_buttons_are_followed_on_every_page_that_shows_it(
    phone: Callable[[], Phone], listen: Callable[..., Listener]
) -> None:
    listener = listen("/stream?screen=pretend")
    assert 'id="guide-close"' in listener.until("fragment")
    for do, shown in (("close", 'id="guide-again"'), ("again", 'id="guide-close"')):
        phone().post("/pretend/guide", do=do)
        assert shown in listener.until("fragment")
    phone().post("/pretend/guide", do="skip", step="laid")
    assert '"step":"refused"' in listener.until("fragment")
    again = listen("/stream?screen=pretend")
    assert '"step":"refused"' in again.until("fragment"), "who opens the page anew sees the same"


@pytest.mark.parametrize(
    ("path", "host", "status"),
    [
        ("/stream", "", 404),
        ("/stream?screen=nothing", "", 404),
        ("/stream?screen=%00", "", 404),
        ("/stream?screen=seat", "evil.test", 421),
    ],
)
def test_streams_that_do_not_exist_or_come_from_elsewhere(
    listen: Callable[..., Listener], path: str, host: str, status: int
) -> None:
    response = listen(path, host=host).response
    assert response.status == status
    assert response.headers["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("origin", ["http://evil.test", "http://127.0.0.1:1", "null", ""])
def test_the_script_of_another_site_listens_to_nothing(
    ada: Phone, listen: Callable[..., Listener], origin: str
) -> None:
    response = listen("/stream?screen=seat", ada, origin=origin).response
    assert response.status == 403
    assert b"Card Ace" not in response.read()


def test_more_streams_than_threads_leave_pages_fast(server: WebServer, listen: Callable[..., Listener]) -> None:
    held = [listen("/stream?screen=watch") for _ in range(40)]
    for listener in held:
        listener.until("fragment")
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.request("GET", "/watch")
    response = connection.getresponse()
    assert response.status == 200
    response.read()
    connection.close()


def test_closing_ends_open_streams_at_once_and_twice_is_harmless(app: Flask, table: Table) -> None:
    server = WebServer(app, "127.0.0.1")
    server.open()
    server.open()
    listener = Listener(server.port, "/stream?screen=watch")
    listener.until("fragment")
    server.close()
    server.close()
    assert listener.response.read().endswith(b"") is True
    listener.close()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", server.port), timeout=1)


def test_a_taken_port_says_what_to_do(server: WebServer, app: Flask) -> None:
    with pytest.raises(PortTaken, match="--port"):
        WebServer(app, "127.0.0.1", server.port).open()


def scope_of(screen: str) -> dict[str, Any]:
    return {
        "type": "http",
        "method": "GET",
        "path": "/stream",
        "query_string": f"screen={screen}".encode(),
        "headers": [(b"host", b"box.test")],
        "server": ("127.0.0.1", 80),
    }


async def never() -> dict[str, Any]:
    await asyncio.Event().wait()
    raise AssertionError


def test_a_phone_that_takes_nothing_is_dropped(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "PATIENCE", 0.05)

    async def stuck(message: Any) -> None:
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    async def run() -> None:
        open_streams = Streams(dashboard_of(app))
        open_streams.open()
        async with asyncio.timeout(PATIENCE):
            await open_streams(scope_of("watch"), never, stuck)
        open_streams.close()

    asyncio.run(run())


def test_the_same_parts_are_drawn_once_for_all_who_look(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    real = rendering.render_fragments

    def counted(*args: Any) -> str:
        drawn.append(1)
        return real(*args)

    monkeypatch.setattr("web.live.stream.render_fragments", counted)

    async def run() -> None:
        open_streams = Streams(dashboard_of(app))
        open_streams.open()
        got = asyncio.Semaphore(0)

        async def send(message: Any) -> None:
            if b"event: fragment" in message.get("body", b""):
                got.release()

        tasks = [asyncio.create_task(open_streams(scope_of("watch"), never, send)) for _ in range(20)]
        async with asyncio.timeout(PATIENCE):
            for _ in tasks:
                await got.acquire()
        open_streams.close()
        await asyncio.gather(*tasks)

    asyncio.run(run())
    assert len(drawn) == 1


def test_seats_are_told_before_other_screens_whoever_came_first_or_saw_it_coming(
    app: Flask, table: Table, box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pretend table saw it coming: a card lies there before the table tells what that did."""
    monkeypatch.setattr(streams, "SOON", PATIENCE)
    order: list[str] = []

    async def run() -> None:
        open_streams = Streams(dashboard_of(app))
        open_streams.open()
        got = asyncio.Semaphore(0)

        def sender(screen: str) -> Send:
            async def send(message: Any) -> None:
                if b"event: fragment" in message.get("body", b""):
                    order.append(screen)
                    got.release()

            return send

        async with asyncio.timeout(PATIENCE):
            tasks = []
            for screen in ("pretend", "tv", "watch", "table", "seat"):
                tasks.append(asyncio.create_task(open_streams(scope_of(screen), never, sender(screen))))
                await got.acquire()
            seat = table.snapshot.awaited[0]
            act = Act(msgspec.Raw(msgspec.json.encode(legal(table.snapshot.game, table.snapshot.state, seat)[0])))
            box.lay(Uid("04A5A5A5A5A5A5"), ReaderId("left"))
            await asyncio.to_thread(table.ask, Asked("first", seat, table.snapshot.asked[seat], act))
            for _ in tasks:
                await got.acquire()
        open_streams.close()
        await asyncio.gather(*tasks)

    asyncio.run(run())
    came = ["pretend", "tv", "watch", "table", "seat"]
    assert order == came + came[::-1]


def test_a_screen_that_cannot_be_drawn_ends_its_stream_and_tells_no_secret(
    app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "ecA"[::-1]

    def broken(*_: Any) -> str:
        raise ValueError(f"Ada holds the {secret}")

    monkeypatch.setattr("web.live.stream.render_fragments", broken)
    sent: list[bytes] = []

    async def send(message: Any) -> None:
        sent.append(message.get("body", b""))

    async def run() -> None:
        open_streams = Streams(dashboard_of(app))
        open_streams.open()
        async with asyncio.timeout(PATIENCE):
            await open_streams(scope_of("watch"), never, send)
        open_streams.close()

    asyncio.run(run())
    assert b"".join(sent) == b"", "the page must notice that it is old"
    assert "ValueError" in caplog.text
    assert secret not in caplog.text


FOREIGN = (
    'theme={"a":1}',
    'theme="',
    "theme=[1,2]; x",
    "=; ;;",
    "été=\xe9",
    "a" * 5000 + "=1",
)


@pytest.mark.parametrize("foreign", FOREIGN)
@pytest.mark.parametrize("form", ["{foreign}; {own}", "{own}; {foreign}", "{foreign}; {own}; {foreign}"])
def test_what_others_on_this_host_keep_makes_nobody_a_spectator(
    ada: Phone, server: WebServer, foreign: str, form: str
) -> None:
    own = f"companion-seat={ada.secret}"
    cookie = form.format(foreign=foreign, own=own)
    page = Listener(server.port, "/seat", cookie)
    assert page.response.status == 200, "the page knows the seat"
    assert "Card Ace" in page.response.read().decode()
    stream = Listener(server.port, "/stream?screen=seat", cookie)
    assert "Card Ace" in stream.until("fragment"), "and so does its stream"
    page.close()
    stream.close()


ANYWHERE = ("/seat", "/watch", "/table", "/history", "/more", "/rules", "/report", "/setup?game=actionworks", "/doctor")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone that isn't listening is away at once."""
    monkeypatch.setattr(presence, "AWAY", 0.0)


@pytest.mark.parametrize("path", [*ANYWHERE, "/move", "/no/such/page"])
@pytest.mark.usefixtures("impatient")
def test_who_reads_any_page_is_at_the_table(ada: Phone, listen: Callable[..., Listener], path: str) -> None:
    seen: queue.SimpleQueue[tuple[int, ...]] = queue.SimpleQueue()
    ada.table.subscribe(lambda snapshot: seen.put(snapshot.away))
    ada.act({"verb": "bet", "actor": 0, "number": 9})
    while seen.get(timeout=PATIENCE) != (0,):
        pass
    stream = re.search(r'data-stream="([^"]+)"', ada.get(path).get_data(as_text=True))
    assert stream is not None, "nothing would tell that somebody looks at this page"
    listen(html.unescape(stream[1]), ada).until("fragment")
    while seen.get(timeout=PATIENCE) != ():
        pass


def test_a_page_that_stands_still_keeps_what_is_typed_and_follows_only_its_frame(
    ada: Phone, listen: Callable[..., Listener]
) -> None:
    told = listen("/stream?screen=still", ada).until("fragment")
    assert 'id="head"' in told
    assert 'id="troubles"' in told
    assert 'id="screen"' not in told
    assert "<title" not in told
