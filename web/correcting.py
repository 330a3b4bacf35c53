"""Setting facts of the table right with a phone: which can be, how one of them stands, and what would change."""

from __future__ import annotations

from flask import Blueprint, abort, g, request
from msgspec import Struct

from companion.core.facts import Said, say
from companion.core.ids import TABLE, SeatId
from companion.phones.corrections import Fixable, Kind, kinds
from companion.phones.previews import Preview, preview
from companion.table.sitting import may_roll, question
from companion.table.snapshot import Snapshot

from . import rendering
from .dashboard import Dashboard
from .guard import HEADER
from .screen import Query, Screen
from .session import Phone


class CorrectionsScreen(Struct, frozen=True):
    kinds: tuple[Kind, ...]


class CorrectionScreen(Struct, frozen=True):
    """One thing, with what its button would do as long as nothing else is chosen."""

    said: Said
    thing: Fixable
    at: int
    """Which of its settings is shown first."""
    words: Preview
    asked: int


class WordsScreen(Struct, frozen=True):
    words: Preview


def actor_of(phone: Phone) -> SeatId | None:
    """As whom a phone sets things right: the referee has no seat and does it for the table, as the box does."""
    return TABLE if phone.referee else phone.seat


def corrections_screen(_dash: Dashboard, snapshot: Snapshot, phone: Phone, _query: Query) -> Screen:
    actor = actor_of(phone)
    found = () if actor is None else kinds(snapshot, actor)
    return Screen("corrections", say("web.title.corrections"), "history", CorrectionsScreen(found))


def correction_screen(snapshot: Snapshot, phone: Phone, query: Query) -> Screen | None:
    """One thing that can be set right; None where there is no such thing, or nobody to do it."""
    actor = actor_of(phone)
    if actor is None or phone.asker is None:
        return None
    rows = ((kind, thing) for kind in kinds(snapshot, actor) if kind.verb == query.get("verb") for thing in kind.things)
    found = next(((kind, thing) for kind, thing in rows if thing.key == query.get("about", "")), None)
    if found is None:
        return None
    kind, thing = found
    at = next((n for n, setting in enumerate(thing.settings) if setting.stands), 0)
    words = preview(snapshot, actor, thing.settings[at].json.encode())
    assert words is not None, "what is listed can be read"
    model = CorrectionScreen(kind.said, thing, at, words, question(snapshot.at, phone.asker))
    return Screen("correction", say("web.title.corrections"), "history", model)


def words_screen(snapshot: Snapshot, phone: Phone, intent: bytes) -> Screen | None:
    """The words of a button for one intent of this phone, or one that it may say for the table."""
    for actor in _actors(snapshot, phone):
        words = preview(snapshot, actor, intent)
        if words is not None:
            return Screen("words", say("web.title.seat"), "seat", WordsScreen(words))
    return None


def _actors(snapshot: Snapshot, phone: Phone) -> tuple[SeatId, ...]:
    rolls = phone.asker is not None and may_roll(snapshot.at, phone.asker, snapshot.away)
    own = () if phone.seat is None else (phone.seat,)
    return (*own, TABLE) if rolls or phone.referee else own


def blueprint(dash: Dashboard) -> Blueprint:
    screens = Blueprint("correcting", __name__)

    @screens.get("/corrections")
    def corrections() -> str:
        screen = corrections_screen(dash, g.snapshot, g.phone, {})
        return rendering.page(dash, g.snapshot, g.phone, screen, "corrections")

    @screens.get("/correction")
    def correction() -> str:
        screen = correction_screen(g.snapshot, g.phone, request.args)
        if screen is None:
            abort(404)
        draw = rendering.sheet if request.headers.get(HEADER) == "1" else rendering.page
        return draw(dash, g.snapshot, g.phone, screen)

    @screens.get("/words")
    def words() -> str:
        screen = words_screen(g.snapshot, g.phone, request.args.get("intent", "").encode())
        if screen is None:
            abort(404)
        return rendering.sheet(dash, g.snapshot, g.phone, screen)

    return screens
