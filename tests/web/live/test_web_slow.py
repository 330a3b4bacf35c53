"""Strangers that send half of something, read nothing or say nothing: players don't notice."""

from __future__ import annotations

import asyncio
import http.client
import json
import resource
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from flask import Flask
from werkzeug.wsgi import ClosingIterator

from companion.app import service
from tests.patience import PATIENCE
from tests.web.conftest import Phone
from web.door import LARGEST_BODY
from web.door.asgi import Lane, bodies
from web.door.asgi import connections as door
from web.door.asgi.lanes import LONGEST_REST
from web.live import server as servers
from web.live.server import SEATED, STRANGERS, WebServer


@pytest.fixture
def server(app: Flask) -> Iterator[WebServer]:
    app.add_url_rule("/big", "big", lambda: "x" * 8_000_000)
    with WebServer(app, "127.0.0.1") as server:
        yield server


class Stranger:
    """A socket that sends what it likes, from one of this machine's many addresses."""

    def __init__(self, port: int, words: str = "", address: str = "127.0.0.1", room: int = 0) -> None:
        self.socket = socket.socket()
        if room:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        self.socket.bind((address, 0))
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", port))
        self.socket.sendall(words.replace("\n", "\r\n").encode())

    def status(self) -> int:
        """The status of its answer; 0 if the connection just ends."""
        try:
            head = self.socket.recv(4096)
        except ConnectionError:
            return 0
        return int(head.split()[1]) if head else 0

    def is_ended(self) -> bool:
        """Wait until the other side hangs up; False if it still hasn't."""
        try:
            while self.socket.recv(65536):
                pass
        except ConnectionError:
            return True
        except TimeoutError:
            return False
        return True

    def is_open(self) -> bool:
        readable, _, _ = select.select([self.socket], [], [], 0)
        return not readable


def half_sent(port: int, length: int = 900) -> str:
    head = f"POST /join HTTP/1.1\nHost: 127.0.0.1:{port}\nX-Companion: 1\nOrigin: http://127.0.0.1:{port}\n"
    return f"{head}Content-Type: application/json\nContent-Length: {length}\n\n{{"


@pytest.fixture
def stranger(server: WebServer) -> Iterator[Callable[..., Stranger]]:
    opened: list[Stranger] = []

    def come(words: str = "", **more: Any) -> Stranger:
        opened.append(Stranger(server.port, words, **more))
        return opened[-1]

    yield come
    for each in opened:
        each.socket.close()


class Seated:
    """A phone with a seat and a persistent connection."""

    def __init__(self, port: int, browser: Any) -> None:
        secret = browser.client.get_cookie("companion-seat", domain="box.test").value
        self._cookie = {"Cookie": f"companion-seat={secret}"}
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def get(self, path: str) -> int:
        self.connection.request("GET", path, headers=self._cookie)
        response = self.connection.getresponse()
        response.read()
        return response.status

    def post(self, path: str, body: bytes) -> int:
        here = f"http://127.0.0.1:{self.connection.port}"
        headers = {**self._cookie, "X-Companion": "1", "Origin": here, "Content-Type": "application/json"}
        self.connection.request("POST", path, body, headers)
        response = self.connection.getresponse()
        response.read()
        return response.status


@pytest.fixture
def seat(server: WebServer, ada: Phone) -> Iterator[Seated]:
    phone = Seated(server.port, ada)
    yield phone
    phone.connection.close()


def until(is_so: Callable[[], bool]) -> bool:
    end, pause = time.monotonic() + PATIENCE, threading.Event()
    while not is_so() and time.monotonic() < end:
        pause.wait(0.01)
    return is_so()


def test_the_end_of_an_answer_does_not_wait_until_its_beginning_is_confirmed(server: WebServer, seat: Seated) -> None:
    """Phones acknowledge late, to save power: each page and each act took 40 ms longer for nothing."""
    assert seat.get("/seat") == 200
    (there,) = server._asgi.door._all
    assert there.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize("apart", [False, True], ids=["one address", "many addresses"])
def test_half_sent_bodies_keep_no_page_from_anybody(
    server: WebServer, seat: Seated, stranger: Callable[..., Stranger], apart: bool
) -> None:
    for n in range(40):
        stranger(half_sent(server.port), address=f"127.0.0.{n + 2 if apart else 2}")
    assert seat.get("/seat") == 200
    assert stranger(f"GET /watch HTTP/1.1\nHost: 127.0.0.1:{server.port}\n\n").status() == 200
    assert service.page_is_served(server.port)


def test_a_body_that_does_not_come_is_given_up(
    server: WebServer, stranger: Callable[..., Stranger], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "PATIENCE", 0.1)
    waits = stranger(half_sent(server.port))
    assert waits.status() == 408
    assert waits.is_ended()


def test_one_address_sends_so_many_bodies_at_once_and_no_more(
    server: WebServer, seat: Seated, stranger: Callable[..., Stranger]
) -> None:
    waiting = [stranger(half_sent(server.port)) for _ in range(bodies.AT_ONCE)]
    assert stranger(half_sent(server.port)).status() == 429
    assert seat.post("/command", b"{}") == 400, "a seat at the same address is counted apart: this was read"
    waiting[0].socket.sendall(b'"seat": 0'.ljust(899))
    assert waiting[0].status() == 400, "read, and no JSON"
    assert stranger(half_sent(server.port, 2) + "}").status() == 400, "one of them is through, so another may come"


def test_a_body_that_is_too_large_is_not_waited_for(server: WebServer, stranger: Callable[..., Stranger]) -> None:
    large = stranger(half_sent(server.port, LARGEST_BODY + 1))
    assert large.status() == 413
    assert large.is_ended()


def test_a_body_in_pieces_without_an_end_is_too_large_at_some_time(
    server: WebServer, stranger: Callable[..., Stranger]
) -> None:
    head = half_sent(server.port).partition("Content-Length")[0]
    endless = stranger(f"{head}Transfer-Encoding: chunked\n\n")
    for _ in range(LARGEST_BODY // 4096 + 1):
        endless.socket.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
    assert endless.status() in (400, 413)
    assert endless.is_ended()


def test_whoever_comes_gets_in_while_others_say_nothing(
    server: WebServer, seat: Seated, stranger: Callable[..., Stranger], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "FROM_ADDRESS", 4)
    assert seat.get("/seat") == 200
    stream = stranger(f"GET /stream?screen=watch HTTP/1.1\nHost: 127.0.0.1:{server.port}\n\n")
    assert stream.status() == 200
    silent = [stranger() for _ in range(8)]
    assert all(each.is_ended() for each in silent[:6]), "the oldest made room"
    assert all(each.is_open() for each in silent[6:])
    before = seat.connection.sock
    assert seat.get("/seat") == 200
    assert seat.connection.sock is before, "the seat kept its connection"


def test_all_addresses_together_have_a_bound_too(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MOST", 4)
    with WebServer(app, "127.0.0.1") as server, ExitStack() as stack:
        silent = [Stranger(server.port, address=f"127.0.0.{n + 2}") for n in range(6)]
        for each in silent:
            stack.callback(each.socket.close)
        assert all(each.is_ended() for each in silent[:2])
        assert all(each.is_open() for each in silent[2:])


@pytest.mark.parametrize(
    ("soft", "hard", "then", "most"),
    [
        (256, 4096, 1700, 1500),
        (1024, 1024, 1024, 824),
        (200, 200, 200, 100),
        (9000, 9000, 9000, 1500),
        (-1, -1, -1, 1500),
    ],
)
def test_there_are_as_many_connections_as_the_machine_has_files_for(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, then: int, most: int
) -> None:
    limits = [(soft, hard)]
    monkeypatch.setattr(resource, "getrlimit", lambda _what: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _what, to: limits.append(to))
    assert door._made_room() == most
    assert limits[-1][0] == then


def test_where_everybody_is_served_one_more_is_turned_away(
    server: WebServer, stranger: Callable[..., Stranger], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "FROM_ADDRESS", 2)
    for _ in range(2):
        assert stranger(f"GET /stream?screen=watch HTTP/1.1\nHost: 127.0.0.1:{server.port}\n\n").status() == 200
    late = stranger()
    assert late.is_ended()


@pytest.mark.parametrize("words", ["", "GET /watch HT"], ids=["nothing", "half a line"])
def test_who_asks_nothing_is_not_waited_for_for_ever(app: Flask, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "PATIENCE", 0.2)
    monkeypatch.setattr(door, "LOOK", 0.02)
    with WebServer(app, "127.0.0.1") as server:
        quiet = Stranger(server.port, words)
        assert quiet.is_ended()
        quiet.socket.close()


def test_who_takes_no_answer_is_not_waited_for_for_ever(
    app: Flask, server: WebServer, stranger: Callable[..., Stranger], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "PATIENCE", 0.2)
    monkeypatch.setattr(door, "LOOK", 0.02)
    there = server._asgi.door
    lazy = stranger(f"GET /big HTTP/1.1\nHost: 127.0.0.1:{server.port}\n\n", room=2048)
    assert until(lambda: any(c.transport.get_write_buffer_size() for c in tuple(there._all)))
    assert until(lambda: not there._all), "and what it was to be sent is let go"
    lazy.socket.close()


def test_the_watchdog_asks_past_those_who_wait_for_a_page(
    app: Flask, server: WebServer, seat: Seated, stranger: Callable[..., Stranger], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = f"GET /hang HTTP/1.1\nHost: 127.0.0.1:{server.port}\n"
    for n in range(SEATED + STRANGERS):
        stranger(ask + ("\n" if n < STRANGERS else f"Cookie: {seat._cookie['Cookie']}\n\n"))
    assert all(hangs.acquire(timeout=PATIENCE) for _ in range(SEATED + STRANGERS)), "every thread is busy"
    assert service.page_is_served(server.port)
    monkeypatch.setattr(servers, "STUCK", 0.0)
    assert not service.page_is_served(server.port), "the control: threads that never end count as hanging"
    for _ in range(SEATED + STRANGERS):
        goes_on.release()


def test_strangers_pages_take_no_more_than_their_share_of_a_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page takes some work; then follows a rest long enough that two threads take half a core."""
    worked, rests = list[float](), list[float]()

    def app(_environ: Any, start_response: Any) -> Any:
        begun = time.thread_time()
        while time.thread_time() - begun < 0.01:
            pass
        worked.append(time.thread_time() - begun)
        start_response("200 OK", [])
        return ClosingIterator([b"a", b" page"])

    async def ask(lane: Lane) -> bytes:
        loop, sent = asyncio.get_running_loop(), list[bytes]()
        later = loop.call_later

        def at_once(rest: float, then: Callable[[], None]) -> None:
            rests.append(rest)
            later(0, then)

        monkeypatch.setattr(loop, "call_later", at_once)

        async def send(message: Any) -> None:
            sent.append(message.get("body", b""))

        scope: dict[str, Any] = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": []}
        scope |= {"http_version": "1.1", "scheme": "http", "server": None, "client": None}
        await lane(scope, b"", asyncio.Event().wait, send)  # type: ignore[arg-type]
        return b"".join(sent)

    assert asyncio.run(ask(Lane(app, 2, 0.5))) == b"a page"
    assert 3 * worked[0] <= rests[0] <= LONGEST_REST
    assert asyncio.run(ask(Lane(app, 2))) == b"a page"
    assert rests[1] == 0, "seats never wait for that"


def test_no_page_is_made_for_who_has_gone(app: Flask, server: WebServer, stranger: Callable[..., Stranger]) -> None:
    made = list[str]()

    def make(who: str) -> str:
        made.append(who)
        return who

    def ask(path: str) -> Stranger:
        return stranger(f"GET {path} HTTP/1.1\nHost: 127.0.0.1:{server.port}\n\n")

    app.add_url_rule("/made/<who>", "made", make)
    for _ in range(STRANGERS):
        ask("/hang")
    assert all(hangs.acquire(timeout=PATIENCE) for _ in range(STRANGERS)), "every thread of strangers is busy"
    leaves, stays = ask("/made/leaves"), ask("/made/stays")
    there = server._asgi.door
    assert until(lambda: sum(c.cycle is not None for c in tuple(there._all)) == STRANGERS + 2)
    leaves.socket.close()
    assert until(lambda: len(there._all) == STRANGERS + 1)
    for _ in range(STRANGERS):
        goes_on.release()
    assert stays.status() == 200
    assert made == ["stays"]


hangs, goes_on = threading.Semaphore(0), threading.Semaphore(0)


@pytest.fixture
def app(app: Flask) -> Flask:
    """With a page that takes until somebody lets it go."""

    def hang() -> str:
        hangs.release()
        goes_on.acquire(timeout=PATIENCE)
        return json.dumps({})

    app.add_url_rule("/hang", "hang", hang)
    return app
