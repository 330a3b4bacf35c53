"""The box's own Wi-Fi: a phone that has just joined it and asks its maker for the internet finds the table."""

from __future__ import annotations

import http.client
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from flask import Flask

from companion.library import Texts
from companion.table import Table
from tests.patience import PATIENCE
from tests.web.conftest import HOST, Phone
from web import create_app
from web.door.portal import MOST, ONLINE, Portal
from web.live.server import WebServer

HERE = "127.0.0.1"
PROBES = {
    "Apple": ("captive.apple.com", "/hotspot-detect.html", 200, b"Success"),
    "Android": ("connectivitycheck.gstatic.com", "/generate_204", 204, b""),
    "Windows": ("www.msftconnecttest.com", "/connecttest.txt", 200, b"Microsoft Connect Test"),
    "Firefox": ("detectportal.firefox.com", "/success.txt", 200, b"success\n"),
    "GNOME": ("nmcheck.gnome.org", "/check_network_status.txt", 200, b"NetworkManager is online\n"),
}
"""What each asks, and what tells it that all is well."""


class Served:
    """A running box, and a client that asks it over the network."""

    def __init__(self, server: WebServer) -> None:
        self.server = server

    def ask(self, host: str, path: str, method: str = "GET") -> tuple[int, bytes, str]:
        connection = http.client.HTTPConnection(HERE, self.server.port, timeout=PATIENCE)
        connection.request(method, path, headers={"Host": host})
        answer = connection.getresponse()
        found = answer.status, answer.read(), answer.headers.get("Location", "")
        connection.close()
        return found


@contextmanager
def served(app: Flask) -> Iterator[Served]:
    with WebServer(app, host=HERE) as server:
        yield Served(server)


AppOf = Callable[[Portal | None], Flask]


@pytest.fixture
def app_of(table: Table, texts: Texts) -> AppOf:
    return lambda portal: create_app(table, texts, None, ("table.local", HOST), portal=portal)


@pytest.mark.parametrize("who", PROBES)
def test_every_phone_is_led_to_the_join_page_until_it_stays(app_of: AppOf, who: str) -> None:
    portal = Portal(HERE)
    host, path, status, words = PROBES[who]
    with served(app_of(portal)) as here:
        home = f"http://{HERE}:{here.server.port}/?portal=1"
        assert here.ask(host, path) == (302, b"", home)
        portal.welcome(HERE)
        answer = here.ask(host, path)
        assert (answer[0], words in answer[1]) == (status, True)
        assert here.ask("example.org", "/anything") == (302, b"", home), "but for that there is no internet"
        assert here.ask("www.msftconnecttest.com", "/redirect")[0] == 302, "what Windows opens by itself"


def test_the_box_itself_is_served_as_ever(app_of: AppOf) -> None:
    with served(app_of(Portal(HERE))) as here:
        for host in ("table.local", f"{HERE}:{here.server.port}"):
            status, page, _ = here.ask(host, "/")
            assert (status, b'id="ask"' in page) == (200, True)
        assert here.ask("captive.apple.com", "/hotspot-detect.html", "HEAD")[:2] == (302, b"")
        assert here.ask("captive.apple.com", "/join", "POST")[0] == 421


@pytest.mark.parametrize("portal", [None, Portal("10.42.0.1")])
def test_on_any_other_network_strange_names_are_refused(app_of: AppOf, portal: Portal | None) -> None:
    """The control: names that somebody points at the box get nothing, probes or not."""
    with served(app_of(portal)) as here:
        for host, path, *_ in PROBES.values():
            assert here.ask(host, path)[0] == 421


def test_who_stays_is_remembered_for_as_many_phones_as_there_can_be() -> None:
    portal = Portal("10.42.0.1")
    for n in range(MOST + 1):
        portal.welcome(f"10.42.0.{n}")

    def asks(who: str) -> int:
        scope = {"type": "http", "server": ("10.42.0.1", 80), "client": (who, 1), "method": "GET", "headers": []}
        said = portal.answer({**scope, "path": "/generate_204"}, frozenset())
        assert said is not None
        return said.status

    assert (asks("10.42.0.0"), asks("10.42.0.1"), asks(f"10.42.0.{MOST}")) == (302, 204, 204)
    assert all(said.status in (200, 204) for said in ONLINE.values())


def test_staying_is_a_button_on_the_first_page(app_of: AppOf, phone: Callable[[], Phone], table: Table) -> None:
    portal = Portal(HERE)
    newcomer = Phone(app_of(portal), table)
    html = newcomer.html("/?portal=1")
    assert "Stay on this Wi-Fi" in html
    assert "Stay on this Wi-Fi" not in newcomer.html("/")
    assert "Stay on this Wi-Fi" not in newcomer.html("/?portal=7")
    assert newcomer.post("/stay").get_json() == {"go": "/?portal=2"}
    assert "open http" not in html
    assert "This phone stays" in newcomer.html("/?portal=2")
    assert phone().post("/stay").status_code == 404, "where there is no such Wi-Fi"


def test_a_second_port_is_served_too_and_a_taken_one_is_only_told(
    app_of: AppOf, caplog: pytest.LogCaptureFixture
) -> None:
    with WebServer(app_of(None), host=HERE) as first:
        with WebServer(app_of(None), host=HERE, also=first.port) as second:
            assert second.port != first.port
            assert Served(second).ask("table.local", "/")[0] == 200
        assert "cannot listen" in caplog.text
        free = first.port
    with WebServer(app_of(None), host=HERE, also=free) as both:
        assert [Served(both).ask("table.local", "/alive")[0], both.port == free] == [200, False]
        both.port = free
        assert Served(both).ask("table.local", "/alive")[0] == 200
