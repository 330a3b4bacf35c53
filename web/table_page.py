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
        visit = g.visit.asking(rendering.query_of(request.args))
        return rendering.page(visit, table_screen(visit), "table")

    @screens.get("/thing")
    def thing() -> str:
        screen = thing_screen(g.visit)
        if screen is None:
            abort(404)
        draw = rendering.sheet if request.headers.get(HEADER) == "1" else rendering.page
        return draw(g.visit, screen)

    return screens
