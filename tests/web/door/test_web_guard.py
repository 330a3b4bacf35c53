"""Every route against everything a stranger can send: nothing changes, nothing breaks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from flask import Flask

from companion.library import Texts
from companion.table import Table
from tests.web.conftest import Box, Phone
from web import create_app
from web.door import is_our_host
from web.door.guard import host_name, is_our_origin

HOST = "box.test"
GOOD = {"X-Companion": "1", "Origin": f"http://{HOST}", "Content-Type": "application/json"}
POSTS = (
    "/join",
    "/claim",
    "/command",
    "/settings",
    "/move",
    "/moved",
    "/open",
    "/enrol",
    "/doctor",
    "/stay",
    "/update",
    "/wifi",
    "/club",
    "/pack/copy",
    "/pack/take-in",
    "/pack/throw-away",
    "/pack/count",
    "/pack/card",
    "/pack/remove",
    "/describe/card",
    "/api/v1/commands",
    "/demo",
    "/pretend/lay",
    "/pretend/lift",
    "/pretend/set",
    "/pretend/press",
    "/pretend/turn",
    "/pretend/trouble",
    "/pretend/guide",
    "/pretend/bots",
    "/pretend/choose",
    "/pretend/drop",
    "/pretend/game",
    "/pretend/speak",
)
FILES = {"/photo": "image/png", "/pack/photo": "image/png", "/update/file": "application/octet-stream"}
"""The only places where a file may be sent, and of which type."""
API = ("/api/v1/view", "/api/v1/rules", "/api/v1/history", "/api/v1/openapi.json")
GETS = (
    "/",
    "/J",
    "/j",
    "/waiting",
    "/seat",
    "/watch",
    "/tv",
    "/why",
    "/table",
    "/history",
    "/take-back",
    "/corrections",
    "/correction",
    "/words",
    "/more",
    "/check",
    "/lay",
    "/shown",
    "/rules",
    "/move",
    "/thing",
    "/touch",
    "/t/<path:number>",
    "/shelf",
    "/setup",
    "/report",
    "/report.html",
    "/plays",
    "/plays.bgsplay",
    "/plays.csv",
    "/enrol",
    "/first",
    "/doctor",
    "/update",
    "/wifi",
    "/club",
    "/packs",
    "/pack",
    "/pack.toml",
    "/card",
    "/card.jpg",
    "/describe",
    "/tags.toml",
    "/print",
    "/sheets.pdf",
    *API,
    "/pretend",
    "/pretend/screen.png",
    "/pretend/carry",
)
CHANGES: tuple[tuple[dict[str, str], int], ...] = (
    ({"Host": "evil.test"}, 421),
    ({"Host": ""}, 421),
    ({"Host": "box.test.evil.test"}, 421),
    ({"Host": "203.0.113.9"}, 421),
    ({"X-Companion": ""}, 403),
    ({"X-Companion": "0"}, 403),
    ({"Origin": "http://evil.test"}, 403),
    ({"Origin": "null"}, 403),
    ({"Origin": ""}, 403),
    ({"Origin": f"http://{HOST}.evil.test"}, 403),
    ({"Origin": f"http://{HOST}:81"}, 403),
    ({"Origin": f"file://{HOST}"}, 403),
    ({"Origin": "http://[::1"}, 403),
    ({"Content-Type": "text/plain"}, 415),
    ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ({"Content-Type": "multipart/form-data; boundary=x"}, 415),
)
BODIES = (
    b"",
    b"null",
    b"[]",
    b"{}",
    b"{",
    b"\xff\xfe",
    b"[" * 16_000,
    b'{"command":"12345678","asked":1,"wish":{"type":"act","intent":' + b'{"a":' * 2000 + b"1" + b"}" * 2003,
    b'{"command":"12345678","asked":1,"wish":{"type":"join","seat":1,"name":"x","code":"BCD"}}',
    b'{"command":"12345678","asked":1,"seat":0,"wish":{"type":"leave"}}',
    b'{"command":"12345678","asked":1e400,"wish":{"type":"leave"}}',
    b'{"command":"x","asked":1,"wish":{"type":"leave"}}',
    b'{"command":"12345678","seat":99,"name":"x"}',
    b'{"command":"12345678","seat":-1,"name":"x"}',
    b'{"command":"12345678","uid":"../../etc","reader":"left"}',
    b'{"command":"12345678","uid":"04A5A5A5A5A5A5","reader":"nowhere"}',
    b'{"command":"12345678","steps":100000}',
)


def some(paths: tuple[str, ...]) -> list[tuple[str, ...]]:
    """All of them in six handfuls: one table per handful, not per path."""
    return [paths[n::6] for n in range(6)]


def state_of(table: Table, box: Box) -> tuple[Any, ...]:
    snapshot = table.snapshot
    return snapshot.seq, snapshot.chairs, snapshot.joining, len(box.done)


ELSEWHERE = tuple(change["Origin"] for change, _ in CHANGES if change.get("Origin"))


@pytest.mark.parametrize("paths", some(GETS))
def test_the_script_of_another_site_reads_nothing(ada: Phone, paths: tuple[str, ...]) -> None:
    """With the seat's own cookie: to a browser, another port of the same machine is the same site, so it adds it."""
    for path, origin, method in product(paths, ELSEWHERE, ("GET", "HEAD")):
        response = ada.client.open(path, method=method, base_url=f"http://{HOST}", headers={"Origin": origin})
        assert response.status_code == 403, (path, origin)
        assert "Access-Control-Allow-Origin" not in response.headers, path
        assert "Card Ace" not in response.get_data(as_text=True), path
    for path in paths:
        assert ada.get(path, Origin=f"http://{HOST}").status_code == ada.get(path).status_code, f"our own may: {path}"


def test_every_route_is_in_this_matrix(app: Flask) -> None:
    known = {"/static/<name>", *POSTS, *FILES, *GETS}
    assert {rule.rule for rule in app.url_map.iter_rules()} == known


@pytest.mark.parametrize("paths", some((*POSTS, *FILES)))
def test_what_another_site_can_send_is_refused(table: Table, box: Box, ada: Phone, paths: tuple[str, ...]) -> None:
    before = state_of(table, box)
    content = b'{"command":"12345678","asked":1,"wish":{"type":"leave"}}'
    for path, (change, status) in product(paths, CHANGES):
        response = ada.client.post(path, base_url=f"http://{HOST}", data=content, headers={**GOOD, **change})
        assert response.status_code == status, (path, change)
        assert state_of(table, box) == before, (path, change)


def test_the_same_request_from_our_own_page_goes_through(ada: Phone) -> None:
    """The control of the matrix: without the change, that very wish is carried out."""
    content = b'{"command":"12345678","asked":1,"wish":{"type":"leave"}}'
    assert ada.client.post("/command", base_url=f"http://{HOST}", data=content, headers=GOOD).status_code == 200
    assert ada.table.snapshot.chairs[0].key == ""


@pytest.mark.parametrize("paths", some(POSTS))
def test_bodies_that_make_no_sense_change_nothing(table: Table, box: Box, ada: Phone, paths: tuple[str, ...]) -> None:
    before = state_of(table, box)
    for path, content in product(paths, BODIES):
        response = ada.client.post(path, base_url=f"http://{HOST}", data=content, headers=GOOD)
        assert response.status_code in (400, 403), (path, content[:200])
        assert state_of(table, box) == before, (path, content[:200])


@pytest.mark.parametrize("path", FILES)
def test_where_a_file_is_sent_nothing_else_is_read(table: Table, box: Box, ada: Phone, path: str) -> None:
    before = state_of(table, box)
    for content in BODIES:
        for headers, status in ((GOOD, (415,)), ({**GOOD, "Content-Type": FILES[path]}, (400, 403, 404))):
            response = ada.client.post(path, base_url=f"http://{HOST}", data=content, headers=headers)
            assert response.status_code in status, content[:200]
    assert state_of(table, box) == before


def test_a_body_over_16_kib_is_refused(table: Table, box: Box, ada: Phone) -> None:
    before = state_of(table, box)
    content = b'{"command":"12345678","name":"' + b"x" * 17_000 + b'"}'
    for path in POSTS:
        response = ada.client.post(path, base_url=f"http://{HOST}", data=content, headers=GOOD)
        assert response.status_code in (403, 413), path
        assert state_of(table, box) == before, path


@pytest.mark.parametrize("paths", some((*POSTS, *FILES)))
def test_only_a_post_changes_anything(table: Table, box: Box, ada: Phone, paths: tuple[str, ...]) -> None:
    before = state_of(table, box)
    for path, method in product(paths, ("GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS")):
        response = ada.client.open(path, method=method, base_url=f"http://{HOST}", headers=GOOD, data=b"{}")
        # If reading and changing share an address, another method may only read.
        reads = method in ("GET", "HEAD") and path in GETS
        assert response.status_code in ((200,) if reads else (404, 405)), (path, method)
    assert state_of(table, box) == before


@pytest.mark.parametrize("paths", some(GETS))
def test_no_get_changes_anything(table: Table, box: Box, ada: Phone, paths: tuple[str, ...]) -> None:
    before = state_of(table, box)
    queries = ("", "?intent={}&entry=1&form=list&seat=1&q=x", "?intent=%00&entry=-1&seat=zz&q=%F0%9F%8E%B2")
    for path, query in product(paths, queries):
        assert ada.get(path + query).status_code in (200, 302, 404), path + query
        assert state_of(table, box) == before, path + query


def test_a_wrong_host_gets_a_page_that_says_what_to_do(app: Flask) -> None:
    for path in (*GETS, "/static/companion.js", "/static/..%2fguard.py", "/no/such/page"):
        response = app.test_client().get(path, base_url=f"http://{HOST}", headers={"Host": "evil.test"})
        assert response.status_code == 421, path
        assert "address on the box’s display" in response.get_data(as_text=True), path


def test_every_page_carries_its_armour(ada: Phone) -> None:
    for path in GETS:
        response = ada.get(path)
        assert response.status_code != 429, f"{path} was not looked at"
        headers = response.headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy, path
        assert "unsafe" not in policy, path
        assert headers["X-Frame-Options"] == "DENY", path
        assert headers["X-Content-Type-Options"] == "nosniff", path
        assert headers["Referrer-Policy"] == "no-referrer", path
        assert headers["Cache-Control"] == "no-store", path


def test_no_page_holds_inline_script_or_style(ada: Phone) -> None:
    pages = [path for path in GETS if not path.endswith((".png", ".html")) and path not in API]
    for path in pages:
        response = ada.get(path)
        assert response.status_code != 429, f"{path} was not looked at"
        html = response.get_data(as_text=True)
        found = [each for each in (" style=", "<style", "<script>", "javascript:", " onclick") if each in html]
        assert found == [], path


def test_static_files_have_hashed_names_and_live_long(ada: Phone) -> None:
    html = ada.html("/watch")
    path = html.split('<link rel="stylesheet" href="')[1].split('"')[0]
    response = ada.get(path)
    assert response.status_code == 200
    assert "immutable" in response.headers["Cache-Control"]
    for wrong in ("/static/companion.css", "/static/../guard.py", "/static/%2e%2e/guard.py", "/static//etc/passwd"):
        assert ada.get(wrong).status_code in (301, 302, 308, 404)


def test_without_a_pretend_box_its_page_does_not_exist(table: Table, texts: Texts) -> None:
    client = create_app(table, texts, None, (HOST,)).test_client()
    for path in ("/pretend", "/pretend/screen.png", "/phone/0/", "/phone/0/watch"):
        assert client.get(path, base_url=f"http://{HOST}").status_code == 404
    assert client.post("/pretend/press", base_url=f"http://{HOST}", data=b"{}", headers=GOOD).status_code == 404
    assert "/pretend" not in client.get("/more", base_url=f"http://{HOST}").get_data(as_text=True)


def test_an_error_is_a_page_without_its_text(
    ada: Phone, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    card = "ecA"[::-1]  # a traceback shows the line above, so the line must not name the card

    def broken(*_: Any) -> None:
        raise ValueError(f"Ada holds the {card}")

    monkeypatch.setattr("web.screens.check.CheckScreen", broken)
    response = ada.get("/check")
    assert response.status_code == 500
    assert "The game is safe" in response.get_data(as_text=True)
    assert "Traceback" not in response.get_data(as_text=True)
    assert "ValueError" in caplog.text
    assert "Ace" not in response.get_data(as_text=True) + caplog.text


def test_a_table_that_does_not_answer_is_a_page_too(ada: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*_: Any) -> None:
        raise TimeoutError

    monkeypatch.setattr(ada.table, "ask", silent)
    response = ada.act({"verb": "pass", "actor": 0})
    assert response.status_code == 503
    assert "The table is busy" in response.get_data(as_text=True)


@pytest.mark.parametrize(
    ("host", "arrived_at", "ours"),
    [
        ("box.test", "10.0.0.1", True),
        ("BOX.TEST:8080", "10.0.0.1", True),
        ("box.test.", "10.0.0.1", True),
        ("10.0.0.1:80", "10.0.0.1", True),
        ("[fe80::1]:80", "fe80::1", True),
        ("10.0.0.2", "10.0.0.1", False),
        ("evil.test", "evil.test", False),
        ("box.test@evil.test", "10.0.0.1", False),
        ("evil.test/box.test", "10.0.0.1", False),
        ("[", "10.0.0.1", False),
        ("", "", False),
    ],
)
def test_hosts(host: str, arrived_at: str, ours: bool) -> None:
    assert is_our_host(host, frozenset({"box.test"}), arrived_at) is ours


def test_names_and_origins_are_compared_whole() -> None:
    assert host_name("Box.Test:81") == "box.test"
    assert is_our_origin("http://box.test:81", "box.test:81")
    assert not is_our_origin("http://box.test", "box.test:81")


def test_a_guard_left_off_is_caught(
    table: Table, texts: Texts, box: Box, monkeypatch: pytest.MonkeyPatch, phone: Callable[[], Phone]
) -> None:
    """The matrix would notice a build without its guard: the same cross-site press then reaches the box."""
    monkeypatch.setattr("web.door.guard._guard_change", lambda: None)
    client = create_app(table, texts, box, (HOST,)).test_client()
    content = b'{"command":"12345678","button":"ok"}'
    headers = {"Origin": "http://evil.test", "Content-Type": "text/plain"}
    client.post("/pretend/press", base_url=f"http://{HOST}", data=content, headers=headers)
    assert box.done == [("press", "ok", "False")]
