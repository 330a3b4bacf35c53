"""What happened."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.core import TABLE, SeatId, Seq, say
from companion.table.outside import Told
from web.screen import Page, Screen, Visit


class Deeds(Struct, frozen=True):
    """What one seat did before another one did something, newest first; `who` is TABLE for what opens a game."""

    who: SeatId
    entries: tuple[Told, ...]


class HistoryScreen(Struct, frozen=True):
    groups: tuple[Deeds, ...]
    may_take_back: bool
    newest: Seq | None


def history_screen(visit: Visit) -> Screen:
    entries = visit.seen.past.told()
    standing = (e.seq for e in reversed(entries) if e.can_be_taken_back)
    model = HistoryScreen(_grouped(entries), visit.phone.asker is not None, next(standing, None))
    return Screen("history", say("web.title.history"), "history", model)


def _grouped(entries: tuple[Told, ...]) -> tuple[Deeds, ...]:
    """Runs of one seat's entries, newest first; what chance did belongs to the seat whose act it followed."""
    groups: list[list[Told]] = []
    for entry in entries:
        if groups and (entry.who in (TABLE, groups[-1][0].who)):
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return tuple(Deeds(group[0].who, tuple(reversed(group))) for group in reversed(groups))


PAGES: Final = (Page("history", history_screen, live=True),)
