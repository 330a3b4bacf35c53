"""Setting facts of the table right with a phone: which can be, how one of them stands, and what would change."""

from __future__ import annotations

from flask import Blueprint, abort, g, request
from msgspec import Struct

from companion.core.facts import Said, say
from companion.phones.corrections import Fixable, Kind, kinds
from companion.phones.previews import Preview, preview
from companion.table.seen import Seen
from companion.table.sitting import may_roll, question

from . import rendering
from .dashboard import Dashboard
from .guard import HEADER
from .screen import Screen
from .visit import Visit


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


def corrections_screen(visit: Visit) -> Screen:
    """The referee, who has no seat, sets things right for the table, as the box does."""
    found = () if visit.phone.asker is None else kinds(visit.seen)
    return Screen("corrections", say("web.title.corrections"), "history", CorrectionsScreen(found))


def correction_screen(visit: Visit) -> Screen | None:
    """One thing that can be set right; None where there is no such thing, or nobody to do it."""
    seen, asker, query = visit.seen, visit.phone.asker, visit.query
    if asker is None:
        return None
    rows = ((kind, thing) for kind in kinds(seen) if kind.verb == query.get("verb") for thing in kind.things)
    found = next(((kind, thing) for kind, thing in rows if thing.key == query.get("about", "")), None)
    if found is None:
        return None
    kind, thing = found
    at = next((n for n, setting in enumerate(thing.settings) if setting.stands), 0)
    words = preview(seen, thing.settings[at].json.encode())
    assert words is not None, "what is listed can be read"
    model = CorrectionScreen(kind.said, thing, at, words, question(seen, asker))
    return Screen("correction", say("web.title.corrections"), "history", model)


def words_screen(visit: Visit) -> Screen | None:
    """The words of a button for one intent of this phone, or one that it may say for the table."""
    intent = visit.query.get("intent", "").encode()
    for seen in _speaking(visit):
        words = preview(seen, intent)
        if words is not None:
            return Screen("words", say("web.title.seat"), "seat", WordsScreen(words))
    return None


def _speaking(visit: Visit) -> tuple[Seen, ...]:
    """What those see for whom this phone may speak: its seat, and the table."""
    phone, public = visit.phone, visit.public
    rolls = phone.asker is not None and may_roll(public, phone.asker, public.away)
    own = () if phone.seat is None else (visit.seen,)
    return (*own, public) if rolls or phone.referee else own


def blueprint(dash: Dashboard) -> Blueprint:
    screens = Blueprint("correcting", __name__)

    @screens.get("/corrections")
    def corrections() -> str:
        return rendering.page(g.visit, corrections_screen(g.visit), "corrections")

    @screens.get("/correction")
    def correction() -> str:
        screen = correction_screen(g.visit)
        if screen is None:
            abort(404)
        draw = rendering.sheet if request.headers.get(HEADER) == "1" else rendering.page
        return draw(g.visit, screen)

    @screens.get("/words")
    def words() -> str:
        screen = words_screen(g.visit)
        if screen is None:
            abort(404)
        return rendering.sheet(g.visit, screen)

    return screens
