"""Everything else, and this phone's reading preferences."""

from __future__ import annotations

from typing import Final, Literal

from flask import Blueprint, Response, g, jsonify
from msgspec import Struct

from companion import __version__
from companion.core import Name, Said, say
from companion.library import Lang
from companion.table.outside import Seen
from web.door import CommandId, Theme, body_as, remember
from web.screen import Dashboard, Page, Screen, Visit, as_time

from .chairs import ChairRow, chair_rows


class Liking(Struct, frozen=True, forbid_unknown_fields=True):
    """How this phone wants to read from now on."""

    command: CommandId
    lang: Lang
    theme: Theme
    confirm: Literal["yes", "no"] = "no"
    sound: Literal["yes", "no"] = "no"


class MoreScreen(Struct, frozen=True):
    """`mine` is this phone's own seat; `others` are those the referee may act for."""

    mine: ChairRow | None
    others: tuple[ChairRow, ...]
    mode: str
    is_over: bool
    plays: bool
    enrols: bool
    packs: bool
    prints: bool
    doctor: bool
    wifi: bool
    update: bool
    club: bool
    shown_at: str
    """The club that shows this table to everybody."""
    version: str
    troubles: tuple[Said, ...]
    """What the box has found wrong with itself, each with what to do."""
    address: str
    clock: Said
    """Which turn clock there is."""
    clocks: tuple[tuple[str, int], ...]
    """The clocks a referee may choose: the kind, and minutes."""


def more_screen(visit: Visit) -> Screen:
    dash, seen, phone = visit.dash, visit.seen, visit.phone
    rows = chair_rows(seen, phone)
    model = MoreScreen(
        mine=next((row for row in rows if row.mine), None),
        others=rows if phone.referee else (),
        mode=seen.mode,
        is_over=seen.result is not None,
        plays=dash.plays is not None and phone.asker is not None,
        enrols=dash.tagbook is not None and phone.asker is not None,
        packs=dash.packs is not None,
        prints=dash.printer is not None and dash.packs is not None and phone.asker is not None,
        doctor=dash.doctor is not None and phone.asker is not None,
        wifi=dash.network is not None and phone.asker is not None,
        update=dash.updates is not None and phone.referee,
        club=dash.club is not None and phone.asker is not None,
        shown_at="" if dash.club is None else dash.club.shown_at,
        version=__version__,
        troubles=seen.troubles,
        address=dash.address(),
        clock=_clock(seen),
        clocks=CLOCKS if phone.referee else (),
    )
    return Screen("more", say("web.title.more"), "more", model)


CLOCKS: Final = tuple((kind, minutes) for kind in ("soft", "strict") for minutes in (1, 2, 5))


def _clock(seen: Seen) -> Said:
    if seen.clock is None:
        return say("web.clock.now.off")
    wanted = seen.clock.wanted
    return say(f"web.clock.now.{wanted.kind}", time=Name(as_time(wanted.seconds)))


PAGES: Final = (Page("more", more_screen, live=True),)


def blueprint(_dash: Dashboard) -> Blueprint:
    ways = Blueprint("more", __name__)

    @ways.post("/settings")
    def settings() -> Response:
        liking, phone = body_as(Liking), g.visit.phone
        response = jsonify(go=phone.prefix + "/more")
        remember(response, phone, "lang", liking.lang)
        remember(response, phone, "theme", liking.theme)
        remember(response, phone, "confirm", liking.confirm)
        remember(response, phone, "sound", liking.sound)
        return response

    return ways
