"""The strip of a demo: says that nobody is playing, and lets spectators pause, step and pace it."""

from __future__ import annotations

from flask import Blueprint, Response, abort, g
from msgspec import Struct

from companion.core import Said
from companion.table.outside import PlaybackWish
from web.screen import CommandId, Dashboard, Screen, body_as, render_part


class Control(Struct, frozen=True, forbid_unknown_fields=True):
    """What a demo should do."""

    command: CommandId
    do: PlaybackWish


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("demo", __name__)

    @ways.post("/demo")
    def control() -> Response:
        wanted = body_as(Control)
        if dash.playback is None:
            abort(404)
        dash.playback.do(wanted.do)
        return Response(render_part(g.visit, Screen("demo", Said(""), "", None), "demo"), mimetype="text/html")

    return ways
