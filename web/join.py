"""Choosing a seat, being let in by whoever holds OK on the box, and giving the seat back."""

from __future__ import annotations

from typing import Annotated

from flask import Blueprint, Response, abort, g, jsonify, redirect, request
from msgspec import Meta, Struct
from werkzeug.wrappers import Response as AnyResponse

from companion.core.ids import REFEREE, SeatId
from companion.core.inputs import Asked, Claim, HandOver, Join
from companion.table.answers import No

from . import rendering
from .asking import Asker, clean_name, key_of, new_code, new_secret
from .chairs import join_screen, move_screen, moved_screen, waiting_screen
from .dashboard import Dashboard
from .guard import body_as
from .screens import refusal_screen
from .session import cookie_name, remember
from .visit import Visit

CommandId = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[0-9A-Za-z_-]+$")]


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Which seat, under which name."""

    command: CommandId
    seat: int
    name: str


class Moved(Struct, frozen=True, forbid_unknown_fields=True):
    """The code that the other phone showed, and under which name the seat goes on."""

    command: CommandId
    token: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    name: str = ""


class Empty(Struct, frozen=True, forbid_unknown_fields=True):
    command: CommandId


def blueprint(dash: Dashboard) -> Blueprint:
    screens = Blueprint("join", __name__)
    _add_moving(screens, dash)

    @screens.get("/")
    def join() -> str | AnyResponse:
        if g.visit.public.beginning is not None:
            return redirect(g.visit.phone.prefix + "/first")
        visit = g.visit.asking(rendering.query_of(request.args))
        if visit.phone.asker is not None and "seat" not in visit.query:
            return redirect(visit.phone.home)
        return rendering.page(visit, join_screen(visit), "join")

    @screens.get("/J")
    @screens.get("/j")
    def short() -> AnyResponse:
        # Whoever reads the code again, after the browser was closed, is back at the seat without asking.
        return redirect(g.visit.phone.home)

    @screens.get("/waiting")
    def waiting() -> str | AnyResponse:
        visit = g.visit.asking({})
        screen = waiting_screen(visit)
        if screen.model.stage == "gone" and g.visit.phone.asker is not None:
            return redirect(g.visit.phone.home)
        return rendering.page(visit, screen, "waiting")

    @screens.post("/join")
    def ask_for_seat() -> Response:
        return _ask(dash)

    @screens.post("/claim")
    def claim() -> Response:
        return _claim(dash)

    return screens


def _ask(dash: Dashboard) -> Response:
    wanted = body_as(Wanted)
    seat, asking, before = SeatId(wanted.seat), new_secret(), dash.askers.find(g.visit.phone.asking)
    code = new_code({each.code for each in g.visit.public.joining})
    if seat != REFEREE and not 0 <= seat < len(g.visit.public.chairs):
        abort(400)
    if not dash.limits.allows("join", request.remote_addr or ""):
        abort(429)
    name = clean_name(wanted.name) or _usual_name(dash, seat)
    join = Join(seat, name, code, before.code if before else "")
    answer = dash.table.ask(Asked(wanted.command, seat, 0, join))
    if isinstance(answer, No):
        return refused(g.visit, answer)
    dash.askers.add(key_of(asking), Asker(seat, name, code, new_secret()))
    response = jsonify(go=g.visit.phone.prefix + "/waiting")
    remember(response, g.visit.phone, "asking", asking, None)
    return response


def _claim(dash: Dashboard) -> Response:
    empty = body_as(Empty)
    asker = dash.askers.find(g.visit.phone.asking)
    if asker is None:
        abort(403)
    answer = dash.table.ask(Asked(empty.command, asker.seat, 0, Claim(asker.code, key_of(asker.secret))))
    if isinstance(answer, No):
        return refused(g.visit, answer)
    response = jsonify(go=g.visit.phone.prefix + ("/watch" if asker.seat == REFEREE else "/seat"))
    remember(response, g.visit.phone, "seat", asker.secret)
    response.delete_cookie(cookie_name(g.visit.phone.prefix, "asking"), path=g.visit.phone.prefix or "/")
    return response


def _add_moving(screens: Blueprint, dash: Dashboard) -> None:
    @screens.post("/move")
    def offer() -> Response:
        body_as(Empty)
        if g.visit.phone.seat is None:
            abort(403)
        token = dash.moves.offer(g.visit.phone.seat, g.visit.public.chairs[g.visit.phone.seat].key)
        screen = move_screen(g.visit, token, request.host_url.rstrip("/"))
        return Response(rendering.sheet(g.visit, screen), mimetype="text/html")

    @screens.get("/move")
    def move() -> str:
        screen = moved_screen(g.visit, request.args.get("token", ""))
        return rendering.page(g.visit, screen)

    @screens.post("/moved")
    def take() -> Response:
        wanted = body_as(Moved)
        found = dash.moves.take(wanted.token, wanted.command)
        if found is None:
            abort(403)
        key = key_of(found.secret)
        if g.visit.public.chairs[found.seat].key not in (found.key, key):
            abort(403)
        answer = dash.table.ask(Asked(wanted.command, found.seat, 0, HandOver(clean_name(wanted.name), key)))
        if isinstance(answer, No):
            return refused(g.visit, answer)
        response = jsonify(go=g.visit.phone.prefix + "/seat")
        remember(response, g.visit.phone, "seat", found.secret)
        return response


def _usual_name(dash: Dashboard, seat: SeatId) -> str:
    """What somebody is called who says no name."""
    speaker = dash.speaker(g.visit.public, dash.lang)
    if seat == REFEREE:
        return speaker.key("web.referee.name")
    return speaker.key("first.seat", n=seat + 1) if g.visit.public.beginning else g.visit.public.chairs[seat].name


def refused(visit: Visit, answer: No) -> Response:
    """The sheet of a refusal that is about no intent."""
    screen = refusal_screen(answer.refusal)
    return Response(rendering.sheet(visit.afresh(), screen), status=409, mimetype="text/html")
