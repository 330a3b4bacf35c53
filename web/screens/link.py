"""What a sticker's link opens: the card it is under, on the seat page of whoever touches it.

The address contains only the tag's number, which is neither a secret nor a key: the page shows what this phone may
know of the thing anyway, and looks the same for any two cards that it may not tell apart.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias
from urllib.parse import urlencode

from flask import Blueprint, g, redirect
from msgspec import Struct
from werkzeug.wrappers import Response

from companion.core import Name, Said, Uid, say
from companion.library import BadUid, NumberTag, PieceTag, PlaceTag, SeatTag, Tag, uid_of
from web.screen import Dashboard, Query, Screen, Visit, render_page

from .thing import token_of

LONGEST: Final = 40
"""How many letters of a number are read; a tag has fewer."""
CARD: Final = re.compile("[0-9A-F]{8,20}")
"""How a phone that has yet to sit down carries the number along."""
WATCHES: Final = "watch"

Reason: TypeAlias = Literal["strange", "unknown", "other-game", "hidden", "number", "nothing"]
_REFUSED: Final[tuple[Reason, ...]] = ("strange", "unknown")


class LinkScreen(Struct, frozen=True):
    """Why no card can be shown."""

    reason: Reason
    said: Said


def link_screen(reason: Reason, **facts: Name | int) -> Screen:
    return Screen("link", say("web.title.link"), "", LinkScreen(reason, say(f"web.link.{reason}", **facts)))


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("link", __name__)

    @ways.get("/t/<path:number>")
    def follow(number: str) -> Response:
        try:
            uid = uid_of(number[:LONGEST])
        except BadUid:
            return _told(g.visit, link_screen("strange"))
        return _followed(dash, g.visit, uid)

    return ways


def _followed(dash: Dashboard, visit: Visit, uid: Uid) -> Response:
    """Somebody without a seat is asked to join first, and comes back here; a spectator sees what everybody may."""
    prefix = visit.phone.prefix
    if visit.phone.asker is None and WATCHES not in visit.query:
        return redirect(f"{prefix}/?{urlencode({'card': uid})}")
    found = _thing(visit, None if dash.tagbook is None else dash.tagbook.find(uid))
    return _told(visit, found) if isinstance(found, Screen) else redirect(f"{prefix}/thing?{urlencode(found)}")


def _thing(visit: Visit, tag: Tag | None) -> Query | Screen:
    """The address of the thing with this tag, or what to say instead if this phone may not know it."""
    match tag:
        case None:
            return link_screen("unknown")
        case PieceTag(game=game) | PlaceTag(game=game) if game != visit.seen.game.id:
            return link_screen("other-game", game=Name(game))
        case PieceTag(piece=piece):
            return _if_known(visit, {"kind": "piece", "id": piece}, "hidden")
        case PlaceTag(place=place):
            return _if_known(visit, {"kind": "place", "id": place}, "nothing")
        case SeatTag(seat=seat):
            return _if_known(visit, {"kind": "seat", "id": str(seat)}, "nothing")
        case NumberTag(number=number):
            return link_screen("number", n=number)


def _if_known(visit: Visit, query: Query, otherwise: Reason) -> Query | Screen:
    return query if token_of(visit.seen, query) is not None else link_screen(otherwise)


def _told(visit: Visit, screen: Screen) -> Response:
    html = render_page(visit, screen)
    return Response(html, 404 if screen.model.reason in _REFUSED else 200, mimetype="text/html")
