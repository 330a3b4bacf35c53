"""Show a card: a phone's photo is a reader. One code is a tap by its seat, several are the table as it lies.

A photo is read and forgotten. Repeating a command gives the answer as of now.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, g, jsonify, request

from companion.core import Asked, Draw, Name, PieceId, Said, say
from companion.library import PieceTag, Speaker, codes_of, points_at, shelf
from companion.phones import Foreign, Laying, Meant, Stray, laying, meant, with_photo
from companion.phones.photo.spotting import Sighted
from companion.table.outside import Done, may_roll, question, things_seen
from web.door.guard import LARGEST_PICTURE, is_command
from web.screen import Dashboard, Page, Screen, Visit, render_sheet

from .lay import laid_of
from .thing import screen_of
from .unfit import STATUS, told, unfit_screen

LONGEST_SHORT: Final = 12


def typed_screen(visit: Visit) -> Screen:
    """The thing whose short code somebody typed instead."""
    tag = codes_of(things_seen(visit.public)).called(visit.query.get("code", "")[:LONGEST_SHORT])
    return _screen(visit, Stray() if tag is None else tag)


PAGES: Final = (Page("shown", typed_screen, over="may"),)


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("photo", __name__)

    @ways.post("/photo")
    def photo() -> Response:
        return _photo(dash, g.visit)

    return ways


def _photo(dash: Dashboard, visit: Visit) -> Response:
    asker, command = visit.phone.asker, request.args.get("command", "")
    if asker is None or dash.photos is None:
        abort(403)
    if not is_command(command):
        abort(400)
    request.max_content_length = LARGEST_PICTURE
    found = dash.photos.look(request.get_data(), f"seat {asker}")
    now = visit.afresh()
    if not isinstance(found, Sighted):
        return _sheet(now, unfit_screen(found), STATUS[found])
    codes = codes_of(things_seen(now.public))
    if (laid := laid_of(request.args, "lay")) is not None:
        after = with_photo(now.seen, laid, laying(now.seen, found, codes))
        return jsonify(go=f"{visit.phone.prefix}/lay?laid={after:x}")
    shown = meant(now.seen, found, codes, shelf.games())
    if isinstance(shown, PieceTag) and _draws(dash, now, shown.piece, command):
        return jsonify(go="")
    return _sheet(now, _screen(now, shown))


def _draws(dash: Dashboard, visit: Visit, piece: PieceId, command: str) -> bool:
    """Whether the shown card is the one that the table is waiting for from this seat's hands; then this draws it."""
    asker = visit.phone.asker
    if asker is None or not may_roll(visit.public, asker, visit.public.away):
        return False
    wish = Asked(command, asker, question(visit.public, asker), Draw(piece), visit.public.table)
    return isinstance(dash.table.ask(wish), Done)


def _screen(visit: Visit, shown: Meant) -> Screen:
    match shown:
        case "nothing":
            return told(Said("web.photo.nothing"), "web.photo.closer", "web.photo.light", "web.photo.flat")
        case Foreign(game=game):
            title = Speaker(visit.dash.texts_of(shelf.open(game)), visit.phone.lang).key("game.title")
            return told(say("web.photo.other-game", game=Name(title)))
        case Stray():
            return told(Said("web.photo.stray"), "web.photo.pack")
        case Laying(wrong=wrong, seen=seen):
            said = say("web.photo.wrong", n=len(wrong)) if wrong else say("web.photo.right", n=len(seen))
            return told(said, laying=shown)
        case _:
            return screen_of(visit, points_at(shown))


def _sheet(visit: Visit, screen: Screen, status: int = 200) -> Response:
    return Response(render_sheet(visit, screen), status, mimetype="text/html")
