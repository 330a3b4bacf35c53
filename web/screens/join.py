"""Choosing a seat."""

from __future__ import annotations

import re
from typing import Annotated, Final
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, g, jsonify, redirect, request
from msgspec import Meta, Struct
from werkzeug.wrappers import Response as AnyResponse

from companion.core import REFEREE, Asked, Join, SeatId, say
from companion.table.outside import No
from web.door import Asker, CommandId, body_as, clean_name, key_of, new_code, new_secret, remember
from web.door.portal import ARRIVED
from web.screen import Dashboard, Page, Screen, Visit

from .chairs import ChairRow, chair_rows
from .link import CARD
from .portal import PORTAL, Newcomer, newcomer
from .why import refused

Card = Annotated[str, Meta(pattern=f"^({CARD.pattern})?\\Z")]


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    """Which seat, under which name."""

    command: CommandId
    seat: int
    name: str
    card: Card = ""


class JoinScreen(Struct, frozen=True):
    chairs: tuple[ChairRow, ...]
    chosen: SeatId | None
    referee: str
    """Who referees with a phone, "" if nobody."""
    refereeing: bool
    card: str = ""
    """The tag whose link led here: after sitting down, people go on to its card."""
    portal: Newcomer | None = None
    back: tuple[SeatId, ...] = ()
    """Seats whose phones are away: somebody without a cookie may be one of these people, on another Wi-Fi."""
    namesake: SeatId | None = None
    """Whoever already sits here under the requested name."""


def join_screen(visit: Visit) -> Screen:
    seen, phone = visit.seen, visit.phone
    chairs = chair_rows(seen, phone)
    chosen, namesake = _seat_in(visit, "seat"), _seat_in(visit, "namesake")
    model = JoinScreen(
        chairs,
        chosen,
        referee=seen.referee.name if seen.referee else "",
        refereeing=phone.referee,
        card=visit.query.get("card", ""),
        portal=newcomer(visit),
        back=tuple(c.seat for c in chairs if _may_be_back(c, namesake)) if phone.asker is None else (),
        namesake=namesake,
    )
    return Screen("join", say("web.title.join"), "", model)


def _seat_in(visit: Visit, name: str) -> SeatId | None:
    """A seat of this table that the address names."""
    asked_for = visit.query.get(name, "")
    return SeatId(int(asked_for)) if asked_for in {str(n) for n in range(len(visit.seen.chairs))} else None


def _may_be_back(chair: ChairRow, namesake: SeatId | None) -> bool:
    return chair.taken and not chair.bot and (chair.away or chair.seat == namesake)


def _elsewhere(visit: Visit) -> str:
    if visit.public.beginning is not None and _seat_in(visit, "namesake") is None:
        how = visit.query.get(ARRIVED, "")
        return visit.phone.prefix + "/first" + (f"?{ARRIVED}={how}" if how else "")
    return visit.phone.home if visit.phone.asker is not None and "seat" not in visit.query else ""


PAGES: Final = (
    Page(
        "join",
        join_screen,
        live=True,
        reads={"seat": re.compile("-?[0-9]"), "namesake": re.compile("[0-9]"), "card": CARD, **PORTAL},
        elsewhere=_elsewhere,
        path="/",
    ),
)


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("join", __name__)

    @ways.get("/J")
    @ways.get("/j")
    def short() -> AnyResponse:
        # People who scan the code again after closing the browser get back to their seat without asking.
        return redirect(g.visit.phone.home)

    @ways.post("/join")
    def ask_for_seat() -> Response:
        return _ask(dash)

    return ways


def _ask(dash: Dashboard) -> Response:
    wanted = body_as(Wanted)
    seat, asking, before = SeatId(wanted.seat), new_secret(), dash.askers.find(g.visit.phone.asking)
    code = new_code({each.code for each in g.visit.public.joining})
    if seat != REFEREE and not 0 <= seat < len(g.visit.public.chairs):
        abort(400)
    name = clean_name(wanted.name) or _usual_name(dash, seat)
    namesake = _namesake(g.visit, seat, name)
    if namesake is not None:
        return jsonify(go=f"{g.visit.phone.prefix}/?{urlencode({'namesake': namesake, 'card': wanted.card})}")
    if not dash.limits.allows("join", request.remote_addr or ""):
        abort(429)
    join = Join(seat, name, code, before.code if before else "")
    answer = dash.table.ask(Asked(wanted.command, seat, 0, join))
    if isinstance(answer, No):
        return refused(g.visit, answer)
    dash.askers.add(key_of(asking), Asker(seat, name, code, new_secret(), wanted.card))
    response = jsonify(go=g.visit.phone.prefix + "/waiting")
    remember(response, g.visit.phone, "asking", asking, None)
    return response


def _namesake(visit: Visit, seat: SeatId, name: str) -> SeatId | None:
    """Who else sits here with a phone under this name: probably the same person, whose phone has lost its cookie."""
    for other, chair in enumerate(visit.public.chairs):
        is_other = other not in (seat, visit.phone.seat) and bool(chair.key) and not chair.bot
        if is_other and chair.name.casefold() == name.casefold():
            return SeatId(other)
    return None


def _usual_name(dash: Dashboard, seat: SeatId) -> str:
    """The name of somebody who gives none."""
    speaker = dash.speaker(g.visit.public, dash.lang)
    if seat == REFEREE:
        return speaker.key("web.referee.name")
    chair = g.visit.public.chairs[seat]
    return speaker.key("first.seat", n=seat + 1) if g.visit.public.beginning and not chair.key else chair.name
