"""Between asking for a seat and being let in by somebody who holds OK on the box."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from flask import Blueprint, Response, abort, g, jsonify
from msgspec import Meta, Struct

from companion.core import REFEREE, Asked, Claim, say
from companion.table.outside import No
from web.door import CommandId, body_as, cookie_name, key_of, remember
from web.screen import Dashboard, Page, Screen, Visit

from .why import refused


class Claimed(Struct, frozen=True, forbid_unknown_fields=True):
    """`now` and `zone`: this phone's time and time zone."""

    command: CommandId
    now: Annotated[float, Meta(ge=0, le=1e11)] = 0.0
    zone: Annotated[str, Meta(max_length=64)] = ""


class WaitingScreen(Struct, frozen=True):
    """`stage`: asked (hold OK), admitted (claim now), gone (ask again)."""

    stage: Literal["asked", "admitted", "gone"]
    code: str
    name: str


def waiting_screen(visit: Visit) -> Screen:
    asker = visit.dash.askers.find(visit.phone.asking)
    joining = next((each for each in visit.seen.joining if asker is not None and each.code == asker.code), None)
    if asker is None or joining is None:
        model = WaitingScreen("gone", "", "")
    else:
        model = WaitingScreen("admitted" if joining.admitted else "asked", asker.code, asker.name)
    return Screen("waiting", say("web.title.join"), "", model, spoken=say(f"web.waiting.{model.stage}"))


def _home(visit: Visit) -> str:
    """Where a phone that already has a seat sits."""
    screen = waiting_screen(visit)
    return visit.phone.home if screen.model.stage == "gone" and visit.phone.asker is not None else ""


PAGES: Final = (Page("waiting", waiting_screen, live=True, elsewhere=_home),)


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("waiting", __name__)

    @ways.post("/claim")
    def claim() -> Response:
        return _claim(dash)

    return ways


def _claim(dash: Dashboard) -> Response:
    said = body_as(Claimed)
    asker = dash.askers.find(g.visit.phone.asking)
    if asker is None:
        abort(403)
    answer = dash.table.ask(
        Asked(said.command, asker.seat, 0, Claim(asker.code, key_of(asker.secret), said.now, said.zone))
    )
    if isinstance(answer, No):
        return refused(g.visit, answer)
    home = "/watch" if asker.seat == REFEREE else "/seat"
    response = jsonify(go=g.visit.phone.prefix + (f"/t/{asker.card}" if asker.card else home))
    remember(response, g.visit.phone, "seat", asker.secret)
    response.delete_cookie(cookie_name(g.visit.phone.prefix, "asking"), path=g.visit.phone.prefix or "/")
    return response
