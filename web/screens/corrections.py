"""Which facts of the table can be fixed with a phone."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.core import say
from companion.phones import Kind, kinds
from web.screen import Page, Screen, Visit


class CorrectionsScreen(Struct, frozen=True):
    kinds: tuple[Kind, ...]


def corrections_screen(visit: Visit) -> Screen:
    """The referee, who has no seat, makes corrections for the table, as the box does."""
    found = () if visit.phone.asker is None else kinds(visit.seen)
    return Screen("corrections", say("web.title.corrections"), "history", CorrectionsScreen(found))


PAGES: Final = (Page("corrections", corrections_screen, live=True),)
