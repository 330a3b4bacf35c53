"""Strangers' streams, by the hundred and with anything in their address: little is drawn, less is kept."""

from __future__ import annotations

import http.client
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from companion.library import Texts
from companion.table import Table
from tests.patience import PATIENCE
from tests.web.conftest import Phone
from web import create_app, dashboard_of
from web.door import Limits
from web.door.limits import PACES
from web.live import drawn
from web.live.drawn import Drawn
from web.live.server import WebServer
from web.screen import Visit, rendering
from web.screens import LIVE


@pytest.fixture
def server(app: Flask) -> Iterator[WebServer]:
    with WebServer(app, "127.0.0.1") as server:
        yield server


def opened(port: int, path: str, cookie: str = "") -> tuple[int, bytes]:
    """A stream that is opened, read to the end of its first parts, and closed."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path, headers={"Cookie": cookie})
    response = connection.getresponse()
    lines = []
    while response.status == 200 and (line := response.readline()):
        lines.append(line)
        if line == b"\n" and any(told.startswith(b"event: fragment") for told in lines):
            break
    response.close()
    connection.close()
    return response.status, b"".join(lines)


@pytest.fixture
def drawings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is drawn from now on."""
    drawn: list[str] = []
    draw = rendering.render_fragments

    def noted(*args: Any) -> str:
        drawn.append(draw(*args))
        return drawn[-1]

    monkeypatch.setattr("web.live.stream.render_fragments", noted)
    return drawn


@pytest.mark.parametrize(
    ("path", "cookie"),
    [
        ("/stream?screen=table&q={}", ""),
        ("/stream?screen=table&form=f{}", ""),
        ("/stream?screen=join&seat=s{}", ""),
        ("/stream?screen=watch&form={}&seat={}&q={}", ""),
        ("/stream?screen=history&x={}", ""),
        ("/stream?screen=table", "companion-asking={}"),
        ("/stream?screen=table", "companion-seat={}; companion-theme={}; companion-lang={}; companion-confirm={}"),
    ],
)
def test_what_a_screen_does_not_know_makes_no_new_drawing(
    server: WebServer, drawings: list[str], path: str, cookie: str
) -> None:
    answers = {opened(server.port, path.format(n, n, n), cookie.format(n, n, n, n)) for n in range(5)}
    assert [status for status, _ in answers] == [200]
    assert len(drawings) == 1


def test_what_a_screen_knows_is_drawn(server: WebServer, drawings: list[str]) -> None:
    """The control: the table as a list is a different drawing."""
    for form in ("drawn", "list", "list"):
        assert opened(server.port, f"/stream?screen=table&form={form}")[0] == 200
    assert len(drawings) == len(set(drawings)) == 2


def test_every_screen_reads_only_what_it_says_that_it_reads(app: Flask, table: Table) -> None:
    dash, asked = dashboard_of(app), set[tuple[str, str]]()

    class Noted(dict[str, str]):
        def __init__(self, screen: str) -> None:
            self._screen = screen

        def get(self, name: str, default: Any = None) -> Any:
            asked.add((self._screen, name))
            return default

        def __getitem__(self, name: str) -> str:
            asked.add((self._screen, name))
            raise KeyError(name)

    for name, page in LIVE.items():
        query: Mapping[str, str] = Noted(name)
        page.build(Visit(dash, dash.phone({}, "", "", table.moment.public), table.moment, query))
    assert ("table", "form") in asked
    assert asked <= {(screen, name) for screen, page in LIVE.items() for name in page.reads}


def test_one_address_opens_so_many_streams_and_a_seat_still_gets_in(app: Flask, server: WebServer, ada: Phone) -> None:
    dashboard_of(app).limits = Limits(clock=lambda: 0.0)
    burst = PACES["stream"].burst
    statuses = [opened(server.port, "/stream?screen=watch")[0] for _ in range(burst + 2)]
    assert statuses == [200] * burst + [429] * 2
    assert opened(server.port, "/stream?screen=seat", f"companion-seat={ada.secret}")[0] == 200


def test_phones_in_an_address_are_the_pretend_tables_alone(
    table: Table, texts: Texts, server: WebServer, drawings: list[str]
) -> None:
    assert opened(server.port, "/phone/3/stream?screen=watch")[0] == 200
    with WebServer(create_app(table, texts, None, ("127.0.0.1",)), "127.0.0.1") as real:
        assert opened(real.port, "/phone/3/stream?screen=watch")[0] == 404


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 400)), max_size=200))
def test_no_more_is_kept_than_there_is_room_for(looks: list[tuple[int, int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawn, "MOST", 1000)
        kept = Drawn()
        for what, length in looks:
            assert kept.of((what, length), partial("x".__mul__, length)) == "x" * length
            assert kept.letters == sum(map(len, kept._by.values())) <= 1000
            assert next(reversed(kept._by)) == (what, length), "what was looked at last goes last"


def test_one_drawing_that_is_larger_than_all_room_is_kept_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn, "MOST", 10)
    kept = Drawn()
    drawings = iter(("x" * 20,))
    assert kept.of("a", drawings.__next__) == kept.of("a", drawings.__next__) == "x" * 20
