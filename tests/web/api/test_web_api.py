"""The JSON API: true to its description, and never more than the pages show."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from flask import Flask

from tests.patience import PATIENCE
from tests.web.conftest import Phone
from web.api import openapi
from web.api.routes import BASE, DESCRIPTION
from web.api.view import Accepted, Entry, Problem, Refused, Rule, View
from web.live.server import WebServer

NAMED: dict[str, Any] = {t.__name__: t for t in (Accepted, Entry, Problem, Refused, Rule, View)}


def test_the_description_is_made_from_the_types() -> None:
    assert json.loads(DESCRIPTION.read_text()) == json.loads(msgspec.json.encode(openapi.document())), (
        "make it anew: python -m web.api.openapi"
    )


def test_every_route_is_described_and_every_description_is_a_route(app: Flask) -> None:
    routes = {r.rule.removeprefix(BASE) for r in app.url_map.iter_rules() if r.rule.startswith(BASE)}
    assert routes | {"/stream"} == set(openapi.document()["paths"])


def told(response: Any) -> Any:
    """A response as the type its description names for that path and status."""
    path = response.request.path.removeprefix(BASE)
    method = response.request.method.lower()
    answer = openapi.document()["paths"][path][method]["responses"][str(response.status_code)]
    schema = answer["content"]["application/json"]["schema"]
    many = schema.get("type") == "array"
    cls: Any = NAMED[(schema["items"] if many else schema)["$ref"].rsplit("/", 1)[1]]
    assert response.mimetype == "application/json"
    return msgspec.json.decode(response.data, type=list.__class_getitem__(cls) if many else cls, strict=True)


def command(browser: Any, intent: Any, asked: int, **more: Any) -> Any:
    return browser.post("/api/v1/commands", asked=asked, wish={"type": "act", "intent": intent}, **more)


def test_a_client_plays_by_view_and_command(ada: Phone, ben: Phone) -> None:
    view = told(ada.get("/api/v1/view"))
    assert (view.role, view.seat, view.turn.text) == ("seat", 0, "Your turn, Ada")
    offer = next(o for o in view.may if o.verb == "lay")
    done = told(command(ada, json.loads(bytes(offer.intent)), view.asked, table=view.table, command="api-tap-1"))
    assert isinstance(done, Accepted)
    again = told(command(ada, json.loads(bytes(offer.intent)), view.asked, command="api-tap-1"))
    assert (again.seq, again.again) == (done.seq, True)
    bet = next(o for o in told(ada.get("/api/v1/view")).may if o.verb == "bet")
    assert (bet.number.field, bet.number.low, bet.number.high) == ("number", 1, 9)
    lines = [line.text for entry in told(ben.get(f"/api/v1/history?after={done.seq - 1}")) for line in entry.lines]
    assert lines == ["Ada laid Card Ace"]


def test_a_refusal_is_a_value(ada: Phone, ben: Phone) -> None:
    refused = command(ada, {"verb": "bet", "actor": 0, "number": 9}, told(ada.get("/api/v1/view")).asked)
    assert refused.status_code == 409
    why = told(refused)
    assert (why.rule, why.reason.text) == ("X3", "9 is more than your 5 chips.")
    assert why.reason.facts == {"have": 5, "number": 9}
    view = told(ben.get("/api/v1/view"))
    assert view.not_now[0].refusal.rule == "X1"


def test_a_spectator_reads_what_all_may_know(phone: Callable[[], Phone], ada: Phone) -> None:
    watcher = phone()
    response = watcher.get("/api/v1/view", **{"Accept-Language": "fr"})
    view = told(response)
    assert (view.role, view.seat, view.may) == ("spectator", None, ())
    assert "Ace" not in response.get_data(as_text=True)
    assert view.turn.text == "Au tour d’Ada"
    assert told(command(watcher, {}, 0)).status == 403
    rules = told(watcher.get("/api/v1/rules"))
    assert {"X1", "C10"} <= {rule.id for rule in rules}


@pytest.mark.parametrize("after", ["-1", "x", "1e3", "٣", "9" * 30])
def test_wrong_questions_get_a_json_answer(ada: Phone, after: str) -> None:
    problem = told(ada.get(f"/api/v1/history?after={after}"))
    assert problem.status == 400
    assert problem.title


def test_the_stream_sends_views(app: Flask, ada: Phone) -> None:
    with WebServer(app, "127.0.0.1") as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        connection.request("GET", "/api/v1/stream", headers={"Cookie": f"companion-seat={ada.secret}"})
        stream = connection.getresponse()

        def next_view() -> View:
            while True:
                line = stream.readline().decode()
                if line.startswith("event: view"):
                    assert stream.readline().startswith(b"id: ")
                    return msgspec.json.decode(stream.readline()[6:], type=View)

        assert next_view().seat == 0
        ada.act({"verb": "lay", "actor": 0, "card": "Ace"})
        assert all(o.said.text != "Lay Card Ace" for o in next_view().may)
        stream.close()
        connection.close()
