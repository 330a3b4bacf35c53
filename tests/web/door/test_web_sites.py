"""A real browser on another site's page: its links lead to your own seat, everything else that it tries fails."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page

from companion.core import PieceId, Uid
from companion.library import PieceTag
from companion.library.tagbook import Line
from companion.table import Table
from tests.chromium import new_phone
from tests.pick import GAME
from tests.web.conftest import Box, Phone
from web.door import guard
from web.live.server import WebServer

pytestmark = pytest.mark.browser

WISH = '{"command":"12345678","asked":1,"wish":{"type":"leave"},"table":"'
ACE = Uid("04A2B3C4D5E680")
PRESS = ("/pretend/press", '{"command":"12345678","button":"ok"}')
PAGE = """<!doctype html><title>Elsewhere</title>
<a id="link" href="{box}/J">Play on</a>
<form id="plain" method="post" enctype="text/plain" action="{box}/command"><input name='{wish}' value='"}}'></form>"""
READS = """async (url) => {
  const told = [];
  for (const options of [{}, { credentials: "include" }, { credentials: "include", mode: "no-cors" }])
    told.push(await fetch(url + "/seat", options).then((r) => r.text(), () => ""));
  told.push(await new Promise((done) => {
    const stream = new EventSource(url + "/stream?screen=seat", { withCredentials: true });
    stream.addEventListener("fragment", (e) => { stream.close(); done(e.data); });
    stream.onerror = () => { stream.close(); done(""); };
  }));
  const frame = document.body.appendChild(Object.assign(document.createElement("iframe"), { src: url + "/seat" }));
  await new Promise((done) => { frame.onload = done; });
  try { told.push(frame.contentDocument?.body.innerText ?? ""); } catch { told.push(""); }
  return told.join("");
}"""
SENDS = """async ([url, path, body]) => {
  for (const type of ["text/plain", "application/json", "application/x-www-form-urlencoded"])
    for (const mode of ["cors", "no-cors"])
      await fetch(url + path, { method: "POST", mode, credentials: "include", headers: { "Content-Type": type }, body })
        .catch(() => 0);
  navigator.sendBeacon(url + path, body);
}"""


@pytest.fixture
def box_url(app: Flask) -> Iterator[str]:
    with WebServer(app, "127.0.0.1") as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture
def elsewhere(box_url: str) -> Iterator[Callable[[str], str]]:
    """Another site that knows where the box is: under another name, and as another port of the same machine."""
    page = PAGE.format(box=box_url, wish=WISH)

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()

        yield lambda host: f"http://{host}:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def her_phone(chromium: Browser, box_url: str, ada: Phone) -> Iterator[Page]:
    """Ada's browser, which got its seat from the box itself."""
    context = new_phone(chromium)
    page = context.new_page()
    page.goto(f"{box_url}/?seat=0")
    page.click("#ask")
    page.wait_for_selector(".letters")
    ada.hold_ok()
    page.wait_for_url("**/seat")
    yield page
    context.close()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_link_in_another_app_leads_to_ones_own_seat(
    her_phone: Page, elsewhere: Callable[[str], str], host: str
) -> None:
    her_phone.goto(elsewhere(host))
    her_phone.click("#link")
    her_phone.wait_for_url("**/seat")
    assert her_phone.inner_text("h1") == "Your turn, Ada"


def test_a_stickers_link_leads_to_that_card_on_ones_own_phone(
    her_phone: Page, elsewhere: Callable[[str], str], box_url: str, table: Table
) -> None:
    table._desk.tagbook.change([Line(ACE, PieceTag(GAME.id, PieceId("Ace")))])
    her_phone.goto(elsewhere("localhost"))
    her_phone.evaluate("(url) => { document.querySelector('#link').href = url }", f"{box_url}/t/{ACE}")
    her_phone.click("#link")
    her_phone.wait_for_url("**/thing?kind=piece&id=Ace")
    assert her_phone.inner_text("h1") == "Card Ace"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_another_site_reads_and_changes_nothing(
    her_phone: Page, elsewhere: Callable[[str], str], box_url: str, table: Table, box: Box, host: str
) -> None:
    before, sits = table.snapshot.seq, table.snapshot.chairs
    her_phone.goto(elsewhere(host))
    assert "Ace" not in her_phone.evaluate(READS, box_url)
    for path, body in (("/command", WISH + '"}'), PRESS):
        her_phone.evaluate(SENDS, [box_url, path, body])
    her_phone.evaluate("() => document.querySelector('#plain').submit()")
    her_phone.wait_for_selector("h1")
    assert (table.snapshot.seq, table.snapshot.chairs, box.done) == (before, sits, [])


def test_a_box_without_its_guard_would_be_played_from_elsewhere(
    her_phone: Page, elsewhere: Callable[[str], str], box_url: str, box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: the very same page then presses OK."""
    monkeypatch.setattr(guard, "_guard_change", lambda: None)
    her_phone.goto(elsewhere("localhost"))
    her_phone.evaluate(SENDS, [box_url, *PRESS])
    assert ("press", "ok", "False") in box.done
