"""Saying with a phone what a strange tag is: lay it on a reader, then choose the piece it belongs to."""

from __future__ import annotations

from typing import Annotated, Final

from flask import Blueprint, Response, abort, g, jsonify, request
from msgspec import Meta, Struct

from companion.core.facts import Piece, Said, say
from companion.core.ids import PieceId, Uid
from companion.snapshot import Snapshot
from companion.tagbook import AlreadyUsed, PieceTag, Tagbook

from . import rendering
from .dashboard import Dashboard
from .guard import body_as
from .join import CommandId
from .screen import Query, Screen
from .session import Phone

SHOWN: Final = 60
"""Pieces listed at once; a word narrows them down."""


class Enrolling(Struct, frozen=True, forbid_unknown_fields=True):
    command: CommandId
    uid: Annotated[str, Meta(pattern="^[0-9A-F]{8,20}$")]
    piece: Annotated[str, Meta(max_length=80)]


class PieceRow(Struct, frozen=True):
    piece: PieceId
    said: Said
    tagged: bool


class EnrolScreen(Struct, frozen=True):
    """`uid` is the strange tag laid last, "" while there is none."""

    uid: str
    rows: tuple[PieceRow, ...]
    tagged: int
    total: int
    asked_for: str
    may: bool


def enrol_screen(dash: Dashboard, snapshot: Snapshot, phone: Phone, query: Query) -> Screen:
    book = dash.tagbook or Tagbook()
    game, words = snapshot.game, query.get("q", "")[:60]
    tagged = {tag.piece for _, tag in book.all() if isinstance(tag, PieceTag) and tag.game == game.id}
    say_it = dash.speaker(snapshot, phone.lang).say
    rows = [PieceRow(p, say("choice", item=Piece(p)), p in tagged) for p in game.pieces(snapshot.state.setup.pack)]
    found = [row for row in rows if all(w in say_it(row.said).casefold() for w in words.casefold().split())]
    found.sort(key=lambda row: row.tagged)
    uid = snapshot.stranger or ""
    if uid and book.find(Uid(uid)) is not None:
        uid = ""
    may = phone.asker is not None and dash.tagbook is not None
    model = EnrolScreen(uid, tuple(found[:SHOWN]), len(tagged), len(rows), words, may)
    return Screen("enrol", say("web.title.enrol"), "more", model, spoken=say("web.enrol.strange") if uid else None)


def blueprint(dash: Dashboard) -> Blueprint:
    screens = Blueprint("enrol", __name__)

    @screens.get("/enrol")
    def enrol() -> str:
        query = rendering.query_of(request.args)
        screen = enrol_screen(dash, g.snapshot, g.phone, query)
        return rendering.page(dash, g.snapshot, g.phone, screen, "enrol", **query)

    @screens.post("/enrol")
    def give() -> Response:
        if g.phone.asker is None or dash.tagbook is None:
            abort(403)
        wanted = body_as(Enrolling)
        if wanted.piece not in g.snapshot.game.pieces(g.snapshot.state.setup.pack):
            abort(400)
        if wanted.uid != g.snapshot.stranger:
            abort(400)
        done = dash.tagbook.enrol(Uid(wanted.uid), PieceTag(g.snapshot.game.id, PieceId(wanted.piece)))
        if isinstance(done, AlreadyUsed) and done.tag != PieceTag(g.snapshot.game.id, PieceId(wanted.piece)):
            abort(400)
        return jsonify(go=g.phone.prefix + "/enrol")

    return screens
