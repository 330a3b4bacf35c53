"""The rest: the referee check, the rules, and how this phone likes to read."""

from __future__ import annotations

from typing import Literal

from flask import Blueprint, Response, g, jsonify, request
from msgspec import Struct

from companion.library.texts import Lang

from . import rendering
from .chairs import more_screen
from .dashboard import Dashboard
from .guard import body_as
from .join import CommandId
from .screens import check_screen, rules_screen
from .session import Theme, remember


class Liking(Struct, frozen=True, forbid_unknown_fields=True):
    """How this phone would like to read from now on."""

    command: CommandId
    lang: Lang
    theme: Theme
    confirm: Literal["yes", "no"] = "no"


def blueprint(dash: Dashboard) -> Blueprint:
    screens = Blueprint("more", __name__)

    @screens.get("/more")
    def more() -> str:
        return rendering.page(g.visit.asking({}), more_screen(g.visit), "more")

    @screens.get("/check")
    def check() -> str:
        return rendering.page(g.visit.asking({}), check_screen(g.visit), "check")

    @screens.get("/rules")
    def rules() -> str:
        visit = g.visit.asking(rendering.query_of(request.args))
        return rendering.page(visit, rules_screen(visit), "rules")

    @screens.post("/settings")
    def settings() -> Response:
        liking = body_as(Liking)
        response = jsonify(go=g.visit.phone.prefix + "/more")
        remember(response, g.visit.phone, "lang", liking.lang)
        remember(response, g.visit.phone, "theme", liking.theme)
        remember(response, g.visit.phone, "confirm", liking.confirm)
        return response

    return screens
