"""The question before an undo."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.core import Refusal, Said, Seq, say
from companion.table.outside import Told, question
from web.screen import Page, Screen, Visit


class TakeBackScreen(Struct, frozen=True):
    entry: Told
    allowed: bool
    refusal: Refusal | None
    moves: tuple[Said, ...]
    to: Seq
    asked: int


def take_back_screen(visit: Visit) -> Screen | None:
    """The question before an undo, or None if there is no such entry."""
    seen, phone = visit.seen, visit.phone
    entry = next((e for e in seen.past.recent() if str(e.seq) == visit.query.get("entry")), None)
    if entry is None or phone.asker is None or not entry.can_be_taken_back:
        return None
    to = max(seq for seq in seen.line if seq < entry.seq)
    found = seen.past.put_back(to)
    allowed = found.allowed or (phone.referee and found.refusal is not None and found.refusal.rule == "C6")
    asked = question(seen, phone.asker)
    model = TakeBackScreen(entry, allowed, None if allowed else found.refusal, found.moves, to, asked)
    return Screen("take_back", say("web.title.take-back"), "history", model)


PAGES: Final = (Page("take-back", take_back_screen, over="may"),)
