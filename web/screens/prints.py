"""Sheets to print, from the phone: which pack, on which paper, everything or only the codes."""

from __future__ import annotations

import logging
from typing import Final, get_args

from flask import Blueprint, Response, abort, g, request
from msgspec import Struct

from companion.core import Said, say
from companion.library import SHIPPED, Speaker
from companion.table.outside import NotPrinted, Paper, SheetsAsked
from web.screen import Dashboard, Page, Screen, Visit, render_page

from .packs import PackRow, game_of, own_of, packs_of

log = logging.getLogger(__name__)

PAPERS: Final[tuple[Paper, ...]] = get_args(Paper)


class PrintScreen(Struct, frozen=True):
    """The packs of a game; `problem` says why there are no sheets."""

    game: str
    title: str
    packs: tuple[PackRow, ...]
    papers: tuple[Paper, ...]
    may: bool
    problem: Said | None = None


def print_screen(visit: Visit, problem: Said | None = None) -> Screen | None:
    game = game_of(visit.query, visit.seen)
    if game is None or visit.dash.printer is None:
        return None
    rows = packs_of(visit, game, own_of(visit.dash))
    title = Speaker(visit.dash.texts_of(game), visit.phone.lang).key("game.title")
    model = PrintScreen(game.id, title, rows, PAPERS, visit.phone.asker is not None, problem)
    return Screen("print", say("web.title.print"), "more", model)


PAGES: Final = (Page("print", print_screen),)


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("print", __name__)

    @ways.get("/sheets.pdf")
    def sheets() -> Response:
        if g.visit.phone.asker is None:
            abort(403)
        if dash.printer is None:
            abort(404)
        wanted = _wanted(dash, g.visit)
        try:
            pdf = dash.printer.sheets(wanted)
        except NotPrinted as error:
            log.warning("%s", error)
            return _problem(say("web.print.broken"))
        if pdf is None:
            return _problem(say("web.print.busy"))
        response = Response(pdf, mimetype="application/pdf")
        response.headers["Content-Disposition"] = f'attachment; filename="{wanted.game}-{wanted.paper}.pdf"'
        return response

    return ways


def _wanted(dash: Dashboard, visit: Visit) -> SheetsAsked:
    """What an address asks for, if there is such a pack and such a paper."""
    asked = request.args
    game = game_of(asked, visit.seen) or abort(404)
    pack = asked.get("pack", SHIPPED)
    paper = next((paper for paper in PAPERS if paper == asked.get("paper")), PAPERS[0])
    if pack != SHIPPED and pack not in own_of(dash).names(game.id):
        abort(404)
    return SheetsAsked(game.id, pack, visit.phone.lang, paper, asked.get("labels") == "1")


def _problem(problem: Said) -> Response:
    screen = print_screen(g.visit, problem) or abort(404)
    return Response(render_page(g.visit, screen, ""), 503, mimetype="text/html")
