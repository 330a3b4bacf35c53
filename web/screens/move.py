"""A seat on its way: the code that its phone shows to another, and what the other sees; and the seat's own phone,
when it has followed the box to another address.
"""

from __future__ import annotations

from typing import Annotated, Final

from flask import Blueprint, Response, abort, g, jsonify, request
from msgspec import Meta, Struct

from companion.core import REFEREE, Asked, HandOver, SeatId, say
from companion.table.outside import Chair, No, Seen
from web.door import PATIENCE, CommandId, body_as, clean_name, key_of, remember
from web.draw import Code, code_of
from web.screen import Dashboard, Page, Screen, Visit, render_sheet

from .why import refused


class Offered(Struct, frozen=True, forbid_unknown_fields=True):
    """Offer this phone's seat to somebody else."""

    command: CommandId


class Moved(Struct, frozen=True, forbid_unknown_fields=True):
    """The code that the other phone showed, and the name under which the seat continues."""

    command: CommandId
    token: Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
    name: str = ""


class MoveScreen(Struct, frozen=True):
    """The seat offered to another phone: its address, as a code and as text."""

    code: Code | None
    minutes: int


class MovedScreen(Struct, frozen=True):
    """On the other phone: whose seat it is; None if the offer is no longer valid."""

    seat: SeatId | None
    name: str
    token: str
    follows: bool = False
    """It is the seat's own phone, so it needn't give its name."""
    at_once: bool = False
    """It needn't even press a button: it sits nowhere else."""


def move_screen(visit: Visit, token: str) -> Screen:
    here = visit.dash.address() or request.host_url.rstrip("/")
    return Screen(
        "move", say("web.title.move"), "more", MoveScreen(code_of(f"{here}/move?token={token}"), int(PATIENCE // 60))
    )


def moved_screen(visit: Visit) -> Screen:
    """What the other phone shows; an offer is valid only while the phone that made it holds the seat."""
    token = visit.query.get("token", "")
    move = visit.dash.moves.find(token)
    chair = None if move is None else _chair(visit.public, move.seat)
    if move is None or chair is None or chair.key != move.key:
        return Screen("moved", say("web.title.move"), "", MovedScreen(None, "", ""))
    follows = move.follows is not None
    model = MovedScreen(move.seat, chair.name, token, follows, follows and visit.phone.asker is None)
    return Screen("moved", say("web.title.move"), "", model)


def _chair(public: Seen, seat: SeatId) -> Chair | None:
    """Who sits there; None if the game no longer has this seat."""
    if seat == REFEREE:
        return public.referee
    return public.chairs[seat] if seat < len(public.chairs) else None


def _home(visit: Visit) -> str:
    """For a phone that already took the seat and opens its link again."""
    move = visit.dash.moves.find(visit.query.get("token", ""))
    chair = None if move is None else _chair(visit.public, move.seat)
    if move is None or chair is None or chair.key != key_of(move.secret):
        return ""
    return visit.phone.home if visit.phone.asker == move.seat else ""


PAGES: Final = (Page("move", moved_screen, elsewhere=_home),)


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("move", __name__)

    @ways.post("/move")
    def offer() -> Response:
        body_as(Offered)
        seat = g.visit.phone.seat
        if seat is None:
            abort(403)
        token = dash.moves.offer(seat, g.visit.public.chairs[seat].key)
        return Response(render_sheet(g.visit, move_screen(g.visit, token)), mimetype="text/html")

    @ways.post("/moved")
    def take() -> Response:
        return _take(dash)

    return ways


def _take(dash: Dashboard) -> Response:
    wanted = body_as(Moved)
    found = dash.moves.take(wanted.token, wanted.command)
    if found is None:
        abort(403)
    key, chair = key_of(found.secret), _chair(g.visit.public, found.seat)
    if chair is None or chair.key not in (found.key, key):
        abort(403)
    answer = dash.table.ask(Asked(wanted.command, found.seat, 0, HandOver(clean_name(wanted.name), key)))
    if isinstance(answer, No):
        return refused(g.visit, answer)
    response = jsonify(go=g.visit.phone.prefix + ("/watch" if found.seat == REFEREE else "/seat"))
    for what, value in (("seat", found.secret), *(found.follows or ())):
        remember(response, g.visit.phone, what, value)
    return response
