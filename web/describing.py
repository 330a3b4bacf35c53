"""A card described on the spot while the game goes on: the form of the pack editor, an intent instead of a file."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
from flask import Blueprint, Response, abort, g, jsonify, request
from msgspec.structs import replace

from companion.core.cards import CardKind, Wrong
from companion.core.ids import PieceId, SeatId
from companion.core.inputs import Act, Asked
from companion.core.rules import Token
from companion.library.card_forms import read
from companion.table.answers import No
from companion.table.sitting import question
from companion.table.snapshot import Snapshot

from . import rendering
from .asking import clean_name
from .dashboard import Dashboard
from .guard import body_as
from .join import refused
from .pack_editor import LONGEST_VALUE, Written
from .pack_screens import CardAt, card_screen, speaker_for
from .screen import Screen

POST = "/describe/card"


class _Seen(NamedTuple):
    """A card that a seat sees, and the form it is described with."""

    seat: SeatId
    piece: PieceId
    kind: CardKind[Any, Any]
    pack: Any
    card: Any


def blueprint(dash: Dashboard) -> Blueprint:
    screens = Blueprint("describing", __name__)

    @screens.get("/describe")
    def look() -> str:
        seen = _seen(request.args.get("piece", "")) or abort(404)
        return rendering.page(dash, g.snapshot, g.phone, _screen(dash, seen))

    @screens.post(POST)
    def describe() -> Response:
        wanted = body_as(Written)
        wanted = replace(wanted, values={name: clean_name(text, LONGEST_VALUE) for name, text in wanted.values.items()})
        return _describe(dash, _seen(wanted.pack) or abort(404), wanted)

    return screens


def can_describe(snapshot: Snapshot, seat: SeatId | None, thing: Token) -> bool:
    """Whether this seat's phone offers to say what is printed on a thing."""
    game = snapshot.game
    if seat is None or game.describing is None or thing.kind != "piece" or thing.value not in snapshot.known(seat):
        return False
    return any(card.id == thing.value for card in game.cards[0].read(game.pack_now(snapshot.view(seat))))


def _seen(piece: str) -> _Seen | None:
    snapshot, seat = g.snapshot, g.phone.seat
    if not can_describe(snapshot, seat, Token("piece", piece)):
        return None
    kind = snapshot.game.cards[0]
    pack = snapshot.game.pack_now(snapshot.view(seat))
    card = next(card for card in kind.read(pack) if card.id == piece)
    return _Seen(seat, PieceId(piece), kind, pack, card)


def _screen(dash: Dashboard, seen: _Seen, wanted: Written | None = None, wrongs: tuple[Wrong, ...] = ()) -> Screen:
    speaker = speaker_for(dash, g.phone, g.snapshot.game, seen.pack)
    of = CardAt(g.snapshot.game, seen.piece, seen.kind, seen.card, 0, "", post=POST)
    return card_screen(speaker, of, None if wanted is None else wanted.values, wrongs)


def _describe(dash: Dashboard, seen: _Seen, wanted: Written) -> Response:
    card, wrongs = (None, ()) if wanted.show else read(seen.kind, wanted.values, seen.card)
    if card is None:
        html = rendering.part(dash, g.snapshot, g.phone, _screen(dash, seen, wanted, wrongs), "card_form")
        return Response(html, 422 if wrongs else 200, mimetype="text/html")
    describing = g.snapshot.game.describing
    assert describing is not None
    intent = msgspec.json.encode(describing(seen.seat, seen.piece, card))
    # It answers no question: whatever is asked meanwhile, what is printed stays printed.
    asked = question(dash.table.snapshot.at, seen.seat)
    answer = dash.table.ask(Asked(wanted.command, seen.seat, asked, Act(msgspec.Raw(intent))))
    return refused(dash, answer) if isinstance(answer, No) else jsonify(go=g.phone.prefix + "/seat")
