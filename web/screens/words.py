"""A button's label for the number or choice that somebody is considering."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.core import say
from companion.phones import Preview, preview
from companion.table.outside import Seen, may_roll
from web.screen import Page, Screen, Visit


class WordsScreen(Struct, frozen=True):
    words: Preview


def words_screen(visit: Visit) -> Screen | None:
    """A button's label for one intent of this phone, or one that it may state for the table."""
    intent = visit.query.get("intent", "").encode()
    for seen in _speaking(visit):
        words = preview(seen, intent)
        if words is not None:
            return Screen("words", say("web.title.seat"), "seat", WordsScreen(words))
    return None


def _speaking(visit: Visit) -> tuple[Seen, ...]:
    """What the audiences see for whom this phone may speak: its seat, and the table."""
    phone, public = visit.phone, visit.public
    rolls = phone.asker is not None and may_roll(public, phone.asker, public.away)
    own = () if phone.seat is None else (visit.seen,)
    return (*own, public) if rolls or phone.referee else own


PAGES: Final = (Page("words", words_screen, over="always"),)
