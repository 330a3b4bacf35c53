"""My seat: whose turn, what is awaited, what I may do, what not and why; and the one way in for commands."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from flask import Blueprint, Response, abort, g, jsonify, redirect, request
from msgspec import Meta, Struct
from werkzeug.wrappers import Response as AnyResponse

from companion.core.inputs import Act, Asked, Enrol, Lead, Leave, LetBot, Skip, TakeBack
from companion.table.answers import No

from . import rendering
from .dashboard import Dashboard
from .guard import HEADER, body_as
from .join import CommandId
from .screen import Screen
from .screens import refusal_screen, seat_screen, watch_screen, why_screen
from .visit import Visit

OwnWish: TypeAlias = Act | TakeBack | Leave | LetBot | Skip | Enrol | Lead
"""What a seated phone may wish; joining, moving and opening a game have their own ways in."""


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """A wish with its own id, naming the question it answers and the game it was shown in.

    The seat is not in it: the session knows that.
    """

    command: CommandId
    asked: int
    wish: OwnWish
    table: Annotated[str, Meta(max_length=40)] = ""


def blueprint(dash: Dashboard) -> Blueprint:
    screens = Blueprint("seat", __name__)

    @screens.get("/seat")
    def seat() -> str | AnyResponse:
        if g.visit.phone.seat is None:
            return redirect(g.visit.phone.prefix + "/")
        if g.visit.seen.beginning is not None:
            return redirect(g.visit.phone.prefix + "/first")
        return rendering.page(g.visit.asking({}), seat_screen(g.visit), "seat")

    @screens.get("/watch")
    def watch() -> str:
        return rendering.page(g.visit.asking({}), watch_screen(g.visit), "watch")

    @screens.get("/why")
    def why() -> str:
        return _why()

    @screens.post("/command")
    def command() -> Response:
        return _command(dash)

    return screens


def _why() -> str:
    if g.visit.phone.seat is None:
        abort(403)
    screen = why_screen(g.visit.seen, request.args.get("intent", "").encode())
    if screen is None:
        abort(404)
    draw = rendering.sheet if request.headers.get(HEADER) == "1" else rendering.page
    return draw(g.visit, screen)


def _command(dash: Dashboard) -> Response:
    if g.visit.phone.asker is None:
        abort(403)
    asked = body_as(Command)
    answer = dash.table.ask(Asked(asked.command, g.visit.phone.asker, asked.asked, asked.wish, asked.table))
    if isinstance(answer, No):
        visit = g.visit.afresh()
        return Response(rendering.sheet(visit, _refused(visit, asked.wish, answer)), status=409, mimetype="text/html")
    left = isinstance(asked.wish, Leave) and asked.wish.seat is None
    return jsonify(seq=answer.seq, go=g.visit.phone.prefix + "/" if left else "")


def _refused(visit: Visit, wish: OwnWish, answer: No) -> Screen:
    """The sheet that says why: with the whole checklist where the wish was an intent of the game."""
    if isinstance(wish, Act) and visit.phone.seat is not None:
        screen = why_screen(visit.seen, bytes(wish.intent), answer.refusal)
        if screen is not None:
            return screen
    return refusal_screen(answer.refusal)
