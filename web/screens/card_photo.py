"""The photo that a pack's owner took of a card: taken while describing it, shown when the card is touched."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, g, request

from companion.core import PieceId, Token
from web.door.guard import LARGEST_PICTURE
from web.screen import Dashboard, Visit, render_sheet

from .pack import Where, where
from .packs import changing, game_named, go, own_of
from .unfit import STATUS, unfit_screen


def photo_of(visit: Visit, token: Token) -> str:
    """The address of a piece's photo in the current game; "" if there is none."""
    packs, seen = visit.dash.packs, visit.seen
    name = str(getattr(seen.view.setup.pack, "id", ""))
    if packs is None or token.kind != "piece" or packs.photo(seen.game.id, name, str(token.value)) is None:
        return ""
    return "/card.jpg?" + urlencode({"game": seen.game.id, "pack": name, "card": token.value})


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("card_photo", __name__)

    @ways.get("/card.jpg")
    def show() -> Response:
        game, query = game_named(request.args.get("game", "")), request.args
        photo = own_of(dash).photo(game.id, query.get("pack", ""), query.get("card", ""))
        return Response(photo or abort(404), mimetype="image/jpeg")

    @ways.post("/pack/photo")
    def take() -> Response:
        return _take(dash, g.visit)

    return ways


def _take(dash: Dashboard, visit: Visit) -> Response:
    own, query = changing(dash), request.args
    place = where(dash, query.get("game", ""), query.get("pack", ""), query.get("kind", ""))
    piece = _piece(place, query.get("at", ""))
    if dash.photos is None:
        abort(403)
    request.max_content_length = LARGEST_PICTURE
    small = dash.photos.shrink(request.get_data(), f"seat {visit.phone.asker}")
    if isinstance(small, str):
        return Response(render_sheet(visit, unfit_screen(small)), STATUS[small], mimetype="text/html")
    own.keep_photo(place.game, query.get("pack", ""), piece, small)
    there = {name: query.get(name, "") for name in ("game", "pack", "kind", "at")}
    return go(f"/card?{urlencode(there)}")


def _piece(place: Where, at: str) -> PieceId:
    """The id of the card being described; a 404 if it has none."""
    number = int(at) if at.isdecimal() and len(at) < 4 else len(place.cards)
    return PieceId(piece_of(place, place.cards[number]) if number < len(place.cards) else "") or abort(404)


def piece_of(place: Where, card: Any) -> str:
    """The piece that a card of a pack is; "" if it stands for several."""
    found = getattr(card, "id", "")
    return found if found in place.game.pieces(place.pack) else ""
