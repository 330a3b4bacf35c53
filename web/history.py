"""What happened, and taking back."""

from __future__ import annotations

from flask import Blueprint, abort, g, request

from . import rendering
from .dashboard import Dashboard
from .guard import HEADER
from .screens import history_screen, take_back_screen


def blueprint(dash: Dashboard) -> Blueprint:
    screens = Blueprint("history", __name__)

    @screens.get("/history")
    def history() -> str:
        visit = g.visit.asking({})
        return rendering.page(visit, history_screen(visit), "history")

    @screens.get("/take-back")
    def take_back() -> str:
        screen = take_back_screen(g.visit)
        if screen is None:
            abort(404)
        draw = rendering.sheet if request.headers.get(HEADER) == "1" else rendering.page
        return draw(g.visit, screen)

    return screens
