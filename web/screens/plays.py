"""Finished games of this table, also as files for the programs in which people log their plays."""

from __future__ import annotations

import time
from typing import Final

from flask import Blueprint, Response, abort, g
from msgspec import Struct

from companion.core import say
from companion.library import Play, Speaker, as_bgstats, as_csv, shelf
from web.screen import Dashboard, Page, Screen, Visit

MOST: Final = 50
"""How many are listed; the files have all of them."""


class PlayRow(Struct, frozen=True):
    day: str
    title: str
    minutes: int
    players: tuple[tuple[int, str, str], ...]
    """Place, name and score, best first; place 0 if nobody won."""


class PlaysScreen(Struct, frozen=True):
    may: bool
    rows: tuple[PlayRow, ...]
    of: int


def plays_screen(visit: Visit) -> Screen | None:
    if visit.dash.plays is None:
        return None
    may = visit.phone.asker is not None
    plays = visit.dash.plays() if may else ()
    model = PlaysScreen(may, tuple(_row(visit, play) for play in plays[:MOST]), len(plays))
    return Screen("plays", say("web.title.plays"), "more", model)


def _row(visit: Visit, play: Play) -> PlayRow:
    title = Speaker(visit.dash.texts_of(shelf.open(play.game)), visit.phone.lang).key("game.title")
    day = time.strftime("%Y-%m-%d %H:%M", time.localtime(play.began))
    return PlayRow(day, title, play.minutes, in_order(play))


def in_order(play: Play) -> tuple[tuple[int, str, str], ...]:
    """The players by place: place, name, score."""
    rows = ((p.place, play.called(n), "" if p.score is None else str(p.score)) for n, p in enumerate(play.players))
    return tuple(sorted(rows, key=lambda row: row[0]))


def as_file(plays: tuple[Play, ...], name: str, kind: str) -> Response:
    """Plays as a file to keep: `kind` is bgsplay or csv."""
    body = as_csv(plays) if kind == "csv" else as_bgstats(plays)
    response = Response(body, mimetype="text/csv" if kind == "csv" else "application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return response


PAGES: Final = (Page("plays", plays_screen),)


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("plays", __name__)

    def file(kind: str) -> Response:
        if dash.plays is None:
            abort(404)
        if g.visit.phone.asker is None:
            abort(403)
        return as_file(dash.plays(), f"plays-{time.strftime('%Y-%m-%d')}", kind)

    ways.add_url_rule("/plays.bgsplay", "bgsplay", lambda: file("bgsplay"))
    ways.add_url_rule("/plays.csv", "csv", lambda: file("csv"))
    return ways
