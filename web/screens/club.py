"""The club on a phone: join one by its code, be shown there or not, and leave people out."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, g, jsonify
from msgspec import Meta, Struct

from companion.core import say
from web.club import Club, ClubStatus, NoWay
from web.screen import CommandId, Dashboard, Page, Screen, Visit, body_as

Doing = Literal["join", "leave", "show", "hide", "nobody", "everybody", "without-me", "with-me"]


class ClubWish(Struct, frozen=True, forbid_unknown_fields=True):
    """What a phone wants from the club; the first three fields are what it takes to join one."""

    command: CommandId
    do: Doing
    address: Annotated[str, Meta(max_length=200)] = ""
    code: Annotated[str, Meta(max_length=20)] = ""
    name: Annotated[str, Meta(max_length=40)] = ""


class ClubScreen(Struct, frozen=True):
    """`now` is the club; None if this table isn't in one."""

    may: bool
    now: ClubStatus | None = None
    name: str = ""
    """Whose phone it is, if they may ask to be left out."""
    is_out: bool = False
    no: NoWay | None = None
    """Why it couldn't join."""
    address: str = ""
    code: str = ""
    called: str = ""
    """What was typed, so that nobody has to type it again."""


def club_screen(visit: Visit) -> Screen:
    club, title, query = visit.dash.club, say("web.title.club"), visit.query
    if club is None or visit.phone.asker is None:
        return Screen("club", title, "more", ClubScreen(may=False))
    now, name = club.now(), _name(visit)
    model = ClubScreen(
        may=True,
        now=now,
        name=name,
        is_out=now is not None and name.casefold() in [each.casefold() for each in now.member.left_out],
        no=next((why for why in get_args(NoWay) if why == query.get("no")), None),
        address=query.get("hub", "")[:200],
        code=query.get("code", "")[:20],
        called=query.get("name", "")[:40],
    )
    return Screen("club", title, "more", model)


def _name(visit: Visit) -> str:
    seat = visit.phone.seat
    return "" if seat is None else visit.public.chairs[seat].name


PAGES: Final = (Page("club", club_screen),)


def _done(club: Club, wish: ClubWish, visit: Visit) -> str:
    """Do it; returns what the page's address should say then."""
    now = club.now()
    match wish.do:
        case "join":
            why = club.join(wish.address, wish.code, wish.name.strip() or visit.public.table)
            typed = {"hub": wish.address, "code": wish.code, "name": wish.name}
            return "" if why is None else f"?no={why}&{urlencode(typed)}"
        case "leave":
            club.leave()
        case "without-me" | "with-me":
            if name := _name(visit):
                club.leave_out(name, wish.do == "without-me")
        case "show" | "hide":
            club.show(wish.do == "show", nobody=now is not None and now.member.nobody)
        case "nobody" | "everybody":
            club.show(now is not None and now.member.shown, nobody=wish.do == "nobody")
    return ""


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("club", __name__)

    @ways.post("/club")
    def change() -> Response:
        wish, club = body_as(ClubWish), dash.club
        if g.visit.phone.asker is None or club is None:
            abort(403)
        return jsonify(go=f"{g.visit.phone.prefix}/club{_done(club, wish, g.visit)}")

    return ways
