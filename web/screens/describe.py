"""A card described in mid-game: the form of the pack editor, sent as an intent instead of saved to a file."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import msgspec
from flask import Blueprint, Response, abort, g, jsonify
from msgspec.structs import replace

from companion.core import PUBLIC, Act, Asked, CardKind, PieceId, SeatId, Token, Wrong
from companion.library.card_forms import read
from companion.table.outside import No, Seen, question
from web.screen import Dashboard, Page, Screen, Visit, body_as, clean_name, render_part

from .card import LONGEST_VALUE, CardAt, Written, card_screen
from .packs import speaker_for
from .why import refused

POST = "/describe/card"


class _Card(NamedTuple):
    """A card that a seat sees, and the form it is described with."""

    seat: SeatId
    piece: PieceId
    kind: CardKind[Any, Any]
    pack: Any
    card: Any


def can_describe(seen: Seen, thing: Token) -> bool:
    """Whether a seat's phone offers to say what is printed on a thing."""
    game, is_known = seen.game, thing.kind == "piece" and thing.value in seen.known
    if seen.audience == PUBLIC or game.describing is None or not is_known:
        return False
    return any(card.id == thing.value for card in game.cards[0].read(seen.pack))


def _found(visit: Visit, piece: str) -> _Card | None:
    seen = visit.seen
    if not can_describe(seen, Token("piece", piece)):
        return None
    kind, pack = seen.game.cards[0], seen.pack
    card = next(card for card in kind.read(pack) if card.id == piece)
    return _Card(seen.audience, PieceId(piece), kind, pack, card)


def _screen(visit: Visit, of: _Card, wanted: Written | None = None, wrongs: tuple[Wrong, ...] = ()) -> Screen:
    speaker = speaker_for(visit, visit.seen.game, of.pack)
    at = CardAt(visit.seen.game, of.piece, of.kind, of.card, 0, "", post=POST)
    return card_screen(speaker, at, None if wanted is None else wanted.values, wrongs)


def describe_screen(visit: Visit) -> Screen | None:
    found = _found(visit, visit.query.get("piece", ""))
    return None if found is None else _screen(visit, found)


PAGES: Final = (Page("describe", describe_screen),)


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("describe", __name__)

    @ways.post(POST)
    def describe() -> Response:
        wanted = body_as(Written)
        wanted = replace(wanted, values={name: clean_name(text, LONGEST_VALUE) for name, text in wanted.values.items()})
        return _describe(dash, _found(g.visit, wanted.pack) or abort(404), wanted)

    return ways


def _describe(dash: Dashboard, of: _Card, wanted: Written) -> Response:
    card, wrongs = (None, ()) if wanted.show else read(of.kind, wanted.values, of.card)
    if card is None:
        html = render_part(g.visit, _screen(g.visit, of, wanted, wrongs), "card_form")
        return Response(html, 422 if wrongs else 200, mimetype="text/html")
    describing = g.visit.seen.game.describing
    assert describing is not None
    intent = msgspec.json.encode(describing(of.seat, of.piece, card))
    # It isn't the answer to a question: whatever the game asks meanwhile, the print on the card stays the same.
    asked = question(dash.table.moment.public, of.seat)
    answer = dash.table.ask(Asked(wanted.command, of.seat, asked, Act(msgspec.Raw(intent))))
    return refused(g.visit, answer) if isinstance(answer, No) else jsonify(go=g.visit.phone.prefix + "/seat")
