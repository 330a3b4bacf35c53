"""One thing to fix: its current value, and what would change."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.core import Said, say
from companion.phones import Fixable, Preview, kinds, preview
from companion.table.outside import question
from web.screen import Page, Screen, Visit


class CorrectionScreen(Struct, frozen=True):
    """One thing, with what its button does until something else is chosen."""

    said: Said
    thing: Fixable
    at: int
    """Which of its settings is shown first."""
    words: Preview
    asked: int


def correction_screen(visit: Visit) -> Screen | None:
    """One thing that can be fixed; None if there is no such thing, or nobody to do it."""
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


PAGES: Final = (Page("correction", correction_screen, over="may"),)
