"""The table, drawn or as a list."""

from __future__ import annotations

from flask import Blueprint, abort, g, request

from . import rendering
from .dashboard import Dashboard
from .guard import HEADER
from .screens import table_screen
from .things import thing_screen


def blueprint(dash: Dashboard) -> Blueprint:
    screens = Blueprint("table", __name__)

    @screens.get("/table")
    def table() -> str:
        query = rendering.query_of(request.args)
        screen = table_screen(dash, g.snapshot, g.phone, query)
        return rendering.page(dash, g.snapshot, g.phone, screen, "table", **query)

    @screens.get("/thing")
    def thing() -> str:
        screen = thing_screen(dash, g.snapshot, g.phone, request.args)
        if screen is None:
            abort(404)
        draw = rendering.sheet if request.headers.get(HEADER) == "1" else rendering.page
        return draw(dash, g.snapshot, g.phone, screen)

    return screens
