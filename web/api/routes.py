"""The JSON API, version 1: the same views and commands as the pages, for other clients. `openapi.json` describes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec
from flask import Blueprint, Response, abort, g, request

from companion.core import Asked
from companion.table.outside import No
from web.door import body_as
from web.screen import Dashboard, Visit
from web.screens.seat import Command

from .view import Accepted, history_of, refused_of, rules_of, view_of

BASE: Final = "/api/v1"
DESCRIPTION: Final = Path(__file__).parent / "openapi.json"


def view_json(visit: Visit) -> str:
    """The view as the stream sends it."""
    return msgspec.json.encode(view_of(visit)).decode()


def blueprint(dash: Dashboard) -> Blueprint:
    routes = Blueprint("api", __name__, url_prefix=BASE)

    @routes.get("/view")
    def view() -> Response:
        return _json(view_of(g.visit))

    @routes.get("/rules")
    def rules() -> Response:
        return _json(rules_of(g.visit))

    @routes.get("/history")
    def history() -> Response:
        after = request.args.get("after", "0")
        if not after.isascii() or not after.isdecimal() or len(after) > 9:
            abort(400)
        return _json(history_of(g.visit, int(after)))

    @routes.post("/commands")
    def command() -> Response:
        return _command(dash)

    @routes.get("/openapi.json")
    def description() -> Response:
        return Response(DESCRIPTION.read_bytes(), mimetype="application/json")

    return routes


def _command(dash: Dashboard) -> Response:
    if g.visit.phone.asker is None:
        abort(403)
    asked = body_as(Command)
    answer = dash.table.ask(Asked(asked.command, g.visit.phone.asker, asked.asked, asked.wish, asked.table))
    if isinstance(answer, No):
        return _json(refused_of(g.visit.afresh().words, answer.refusal), 409)
    return _json(Accepted(answer.seq, answer.again))


def _json(value: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, mimetype="application/json")
