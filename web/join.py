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
        if g.snapshot.beginning is not None:
            return redirect(g.phone.prefix + "/first")
        query = rendering.query_of(request.args)
        if g.phone.asker is not None and "seat" not in query:
            return redirect(g.phone.home)
        screen = join_screen(dash, g.snapshot, g.phone, query)
        return rendering.page(dash, g.snapshot, g.phone, screen, "join", **query)

    @screens.get("/J")
    @screens.get("/j")
    def short() -> AnyResponse:
        # Whoever reads the code again, after the browser was closed, is back at the seat without asking.
        return redirect(g.phone.home)

    @screens.get("/waiting")
    def waiting() -> str | AnyResponse:
        screen = waiting_screen(dash, g.snapshot, g.phone, {})
        if screen.model.stage == "gone" and g.phone.asker is not None:
            return redirect(g.phone.home)
        return rendering.page(dash, g.snapshot, g.phone, screen, "waiting")

    @screens.post("/join")
    def ask_for_seat() -> Response:
        return _ask(dash)

    @screens.post("/claim")
    def claim() -> Response:
        return _claim(dash)

    return screens


def _ask(dash: Dashboard) -> Response:
    wanted = body_as(Wanted)
    seat, asking, before = SeatId(wanted.seat), new_secret(), dash.askers.find(g.phone.asking)
    code = new_code({each.code for each in g.snapshot.joining})
    if seat != REFEREE and not 0 <= seat < len(g.snapshot.chairs):
        abort(400)
    if not dash.limits.allows("join", request.remote_addr or ""):
        abort(429)
    name = clean_name(wanted.name) or _usual_name(dash, seat)
    join = Join(seat, name, code, before.code if before else "")
    answer = dash.table.ask(Asked(wanted.command, seat, 0, join))
    if isinstance(answer, No):
        return refused(dash, answer)
    dash.askers.add(key_of(asking), Asker(seat, name, code, new_secret()))
    response = jsonify(go=g.phone.prefix + "/waiting")
    remember(response, g.phone, "asking", asking, None)
    return response


def _claim(dash: Dashboard) -> Response:
    empty = body_as(Empty)
    asker = dash.askers.find(g.phone.asking)
    if asker is None:
        abort(403)
    answer = dash.table.ask(Asked(empty.command, asker.seat, 0, Claim(asker.code, key_of(asker.secret))))
    if isinstance(answer, No):
        return refused(dash, answer)
    response = jsonify(go=g.phone.prefix + ("/watch" if asker.seat == REFEREE else "/seat"))
    remember(response, g.phone, "seat", asker.secret)
    response.delete_cookie(cookie_name(g.phone.prefix, "asking"), path=g.phone.prefix or "/")
    return response


def _add_moving(screens: Blueprint, dash: Dashboard) -> None:
    @screens.post("/move")
    def offer() -> Response:
        body_as(Empty)
        if g.phone.seat is None:
            abort(403)
        token = dash.moves.offer(g.phone.seat, g.snapshot.chairs[g.phone.seat].key)
        screen = move_screen(dash, token, request.host_url.rstrip("/"))
        return Response(rendering.sheet(dash, g.snapshot, g.phone, screen), mimetype="text/html")

    @screens.get("/move")
    def move() -> str:
        screen = moved_screen(dash, g.snapshot, request.args.get("token", ""))
        return rendering.page(dash, g.snapshot, g.phone, screen)

    @screens.post("/moved")
    def take() -> Response:
        wanted = body_as(Moved)
        found = dash.moves.take(wanted.token, wanted.command)
        if found is None:
            abort(403)
        key = key_of(found.secret)
        if g.snapshot.chairs[found.seat].key not in (found.key, key):
            abort(403)
        answer = dash.table.ask(Asked(wanted.command, found.seat, 0, HandOver(clean_name(wanted.name), key)))
        if isinstance(answer, No):
            return refused(dash, answer)
        response = jsonify(go=g.phone.prefix + "/seat")
        remember(response, g.phone, "seat", found.secret)
        return response


def _usual_name(dash: Dashboard, seat: SeatId) -> str:
    """What somebody is called who says no name."""
    speaker = dash.speaker(g.snapshot, dash.lang)
    if seat == REFEREE:
        return speaker.key("web.referee.name")
    return speaker.key("first.seat", n=seat + 1) if g.snapshot.beginning else g.snapshot.chairs[seat].name


def refused(dash: Dashboard, answer: No) -> Response:
    """The sheet of a refusal that is about no intent."""
    screen = refusal_screen(answer.refusal)
    return Response(rendering.sheet(dash, dash.table.snapshot, g.phone, screen), status=409, mimetype="text/html")
