"""What a phone gets instead of the page it asked for."""

from __future__ import annotations

import msgspec
from flask import Response, request

from companion.core import say
from web.door import HEADER
from web.screen import Screen, Visit, render_page, render_sheet


def error_page(visit: Visit, code: int) -> Response:
    if request.path.startswith("/api/"):
        return _json_problem(visit, code)
    screen = Screen("error", say(f"web.error.{code}"), "", code)
    draw = render_sheet if request.headers.get(HEADER) == "1" else render_page
    return Response(draw(visit, screen), status=code, mimetype="text/html")


def _json_problem(visit: Visit, code: int) -> Response:
    key = visit.words.key
    problem = {"status": code, "title": key(f"web.error.{code}"), "hands": key(f"web.error.{code}", "hands")}
    return Response(msgspec.json.encode(problem), status=code, mimetype="application/json")
