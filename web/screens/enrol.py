"""Giving tags with a phone: the same list as on the box, its buttons as wishes; and the tagbook as a file."""

from __future__ import annotations

import logging
from typing import Annotated, Final

import msgspec
from flask import Blueprint, Response, abort, g, jsonify
from msgspec import Meta, Struct

from companion.box import ROWS, enrol_page
from companion.core import CompanionError, Enrol, EnrolPage, Piece, PieceId, Said, say
from companion.library import Enrolling, PieceTag, Tagbook
from companion.table.outside import Seen, things_seen
from web.draw import Code, code_of
from web.screen import LARGEST_BODY, WORDS, CommandId, Dashboard, Page, Screen, Visit, body_as

log = logging.getLogger(__name__)
SHOWN: Final = 60
"""Pieces listed at once; a word narrows them down."""
FILE: Final = "tags.toml"


class Sent(Struct, frozen=True, forbid_unknown_fields=True):
    """An exported tagbook."""

    command: CommandId
    tags: Annotated[str, Meta(max_length=LARGEST_BODY)]


class Button(Struct, frozen=True):
    """A button with the wish that it sends."""

    id: str
    said: Said
    json: str


class PieceRow(Struct, frozen=True):
    piece: PieceId
    said: Said
    tagged: bool
    json: str


class EnrolScreen(Struct, frozen=True):
    """`uid` is the unknown tag laid last, "" if there is none. `page` is what the box shows while tags are given."""

    uid: str
    rows: tuple[PieceRow, ...]
    tagged: int
    total: int
    asked_for: str
    may: bool
    buttons: tuple[Button, ...]
    page: EnrolPage | None = None
    code: Code | None = None
    """The link of the last tag given."""
    saves: bool = False
    """Whether the whole tagbook may be saved now."""


def enrol_screen(visit: Visit) -> Screen:
    dash, public = visit.dash, visit.public
    now, book = public.enrolling, dash.tagbook or Tagbook()
    tagged = {tag.piece for _, tag in book.all() if isinstance(tag, PieceTag) and tag.game == public.game.id}
    words = visit.query.get("q", "")[:60]
    rows = _rows(public, tagged)
    say_it = visit.words.say
    found = [row for row in rows if all(w in say_it(row.said).casefold() for w in words.casefold().split())]
    found.sort(key=lambda row: row.tagged)
    page = enrol_page(now, things_seen(public)) if now else None
    model = EnrolScreen(
        uid=public.stranger or "",
        rows=tuple(found[:SHOWN]),
        tagged=len(tagged),
        total=len(rows),
        asked_for=words,
        may=visit.phone.asker is not None and dash.tagbook is not None,
        buttons=_while_giving(now, writes=bool(dash.sticker())) if now else _beginnings(),
        page=page,
        code=_link_of(now, dash.sticker()),
        saves=_may_be_read(visit),
    )
    strange = say("web.enrol.strange") if public.stranger else None
    return Screen(
        "enrol", say("web.title.enrol"), "more", model, spoken=page.note if page and page.note.key else strange
    )


def _rows(public: Seen, tagged: set[PieceId]) -> list[PieceRow]:
    uid = public.stranger
    return [
        PieceRow(p, say("choice", item=Piece(p)), p in tagged, _json(Enrol("begin", "piece", p, uid)))
        for p in things_seen(public).pieces
    ]


def _beginnings() -> tuple[Button, ...]:
    """For a single piece, the piece comes first."""
    rows = (row for row in ROWS if row != "piece")
    return tuple(Button(f"begin-{row}", say(f"tags.{row}"), _json(Enrol("begin", row))) for row in rows)


def _link_of(now: Enrolling | None, sticker: str) -> Code | None:
    """For tags that can't hold it: the same address, to be scanned."""
    uid = now.steps[-1].uid if now and now.row != "readers" and now.steps else ""
    return code_of(f"http://{sticker}{uid}") if sticker and uid else None


def _while_giving(now: Enrolling, *, writes: bool) -> tuple[Button, ...]:
    at = len(now.steps)
    wishes: list[Enrol] = []
    if now.refused:
        wishes.append(Enrol("anyway", at=at))
    if now.next is not None:
        wishes += [Enrol("skip", at=at), Enrol("dead", at=at)]
    if now.steps:
        wishes.append(Enrol("undo", at=at))
    if now.wanted:
        wishes.append(Enrol("look"))
    if writes and now.row != "readers":
        wishes.append(Enrol("link"))
    wishes.append(Enrol("end"))
    return tuple(Button(f"enrol-{wish.do}", _called(wish, now), _json(wish)) for wish in wishes)


def _called(wish: Enrol, now: Enrolling) -> Said:
    if wish.do == "look" and now.looking:
        return say("web.enrol.give-again")
    return say("web.enrol.no-links" if wish.do == "link" and now.linking else f"web.enrol.{wish.do}")


def _json(wish: Enrol) -> str:
    return msgspec.json.encode(wish).decode()


PAGES: Final = (Page("enrol", enrol_screen, live=True, reads={"q": WORDS}),)


def _may_be_read(visit: Visit) -> bool:
    """While people play, anyone who can read a tag's number through the back of a card could look the card up."""
    public = visit.public
    return visit.phone.referee or public.result is not None or len(public.line) == 1


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("enrol", __name__)

    @ways.get(f"/{FILE}")
    def export() -> Response:
        book = _book(dash)
        if not _may_be_read(g.visit):
            abort(403)
        headers = {"Content-Disposition": f'attachment; filename="{FILE}"', "Cache-Control": "no-store"}
        return Response(book.text(), mimetype="application/toml", headers=headers)

    @ways.post("/enrol")
    def take_in() -> Response:
        book = _book(dash)
        try:
            taken = book.take_in(Tagbook.parse(body_as(Sent).tags))
        except CompanionError as error:
            log.warning("a tagbook sent by a phone was not taken in: %s", error)
            abort(400)
        return jsonify(added=taken.added, differ=len(taken.differ), go=g.visit.phone.prefix + "/enrol")

    return ways


def _book(dash: Dashboard) -> Tagbook:
    """The tagbook, for people who sit at the table."""
    if g.visit.phone.asker is None or dash.tagbook is None:
        abort(403)
    return dash.tagbook
