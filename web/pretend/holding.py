"""Things held over the drawn table: what lights up for them, and what happens when they are dropped."""

from __future__ import annotations

from typing import Annotated

from flask import Blueprint, Response, abort, g, jsonify, request
from msgspec import Meta, Struct

from companion.core import Fact, Piece, PieceId, Place, PlaceId, Refusal, Seat, SeatId, Token, say
from companion.table.outside import PretendBox
from web.screen import CommandId, Dashboard, Visit, body_as

from .drawn import token_of, written
from .screen import mark_of

Written = Annotated[str, Meta(max_length=80)]


class Dropped(Struct, frozen=True, forbid_unknown_fields=True):
    """Lay the held thing on something; with nothing held, touch it."""

    command: CommandId
    on: Written
    held: Written = ""


class Chosen(Struct, frozen=True, forbid_unknown_fields=True):
    """Take row `at` of the list with this mark."""

    command: CommandId
    rows: Annotated[str, Meta(max_length=16)]
    at: Annotated[int, Meta(ge=0, le=40)]


def add_holding(screens: Blueprint, dash: Dashboard, box: PretendBox) -> None:
    @screens.get("/carry")
    def carry() -> Response:
        held = token_of(request.args.get("held", "")) or abort(404)
        visit: Visit = g.visit
        found = box.carry(held)
        what, is_lit = _named(held), found.lit or found.alone
        said = visit.words.say(say("web.pretend.held" if is_lit else "web.pretend.held-nothing", what=what))
        otherwise = _no(visit, found.otherwise)
        return jsonify(
            lit=sorted(written(token) for token in found.lit),
            alone=found.alone,
            why={written(token): _no(visit, refusal) for token, refusal in found.why},
            otherwise=otherwise or visit.words.say(say("web.pretend.nowhere", what=what)),
            said=said if is_lit or not otherwise else f"{said} {otherwise}",
        )

    @screens.post("/drop")
    def drop() -> Response:
        dropped = body_as(Dropped)
        on, held = token_of(dropped.on) or abort(400), token_of(dropped.held)
        if held is None and dropped.held:
            abort(400)
        is_done = box.drop(held, on)
        dash.guide.did("laid")
        return jsonify(done=is_done, said="" if is_done else _why_nothing(g.visit, box, held, on))

    @screens.post("/choose")
    def choose() -> Response:
        chosen = body_as(Chosen)
        rows = box.surface().rows
        is_done = mark_of(rows) == chosen.rows and box.choose(rows, chosen.at)
        return jsonify(done=is_done)


def _why_nothing(visit: Visit, box: PretendBox, held: Token | None, on: Token) -> str:
    """Nothing that hands can do on the box leads there: why not, in the page's language."""
    thing = on if held is None else held
    found = box.carry(thing)
    refusal = dict(found.why).get(on) or found.otherwise
    return _no(visit, refusal) or visit.words.say(say("web.pretend.nowhere", what=_named(thing)))


def _no(visit: Visit, refusal: Refusal | None) -> str:
    """A reason with its rule."""
    return "" if refusal is None else f"{visit.words.refuse(refusal)} {refusal.rule}"


def _named(token: Token) -> Fact:
    match token.kind:
        case "piece":
            return Piece(PieceId(str(token.value)))
        case "place":
            return Place(PlaceId(str(token.value)))
        case "seat":
            return Seat(SeatId(int(token.value)))
        case _:
            return int(token.value)
