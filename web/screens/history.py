"""What happened: the newest entries, and older ones page by page, so that a long evening doesn't slow anybody down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from companion.core import TABLE, SeatId, Seq, say
from companion.table.outside import Told
from web.screen import Page, Screen, Visit

from .tellings import acts_for, runs

MOST: Final = 60
"""Entries on one page."""


class Deeds(Struct, frozen=True):
    """A run of one seat's acts, newest first; `who` is TABLE for the opening of a game."""

    who: SeatId
    entries: tuple[Told, ...]


class HistoryScreen(Struct, frozen=True):
    groups: tuple[Deeds, ...]
    may_take_back: bool
    newest: Seq | None
    older: Seq | None
    """Where the page of earlier entries starts; None if there are none."""
    is_latest: bool


def history_screen(visit: Visit) -> Screen:
    past, before = visit.seen.past, visit.query.get("before", "")
    told = past.before(Seq(int(before))) if before else past.recent()
    entries = _page(told)
    model = HistoryScreen(
        groups=_grouped(entries),
        may_take_back=visit.phone.asker is not None,
        newest=next((e.seq for e in past.recent() if e.can_be_taken_back), None),
        older=entries[0].seq if entries and next(told, None) is not None else None,
        is_latest=not before,
    )
    return Screen("history", say("web.title.history"), "history", model)


def _page(told: Iterator[Told]) -> tuple[Told, ...]:
    """As many as fit, oldest first; chance stays with the act it followed."""
    page: list[Told] = []
    for entry in told:
        page.append(entry)
        if len(page) >= MOST and entry.who != TABLE:
            break
    return tuple(reversed(page))


def _grouped(entries: tuple[Told, ...]) -> tuple[Deeds, ...]:
    """Runs of one seat's entries, newest first."""
    return tuple(Deeds(acts_for(run[0]), tuple(reversed(run))) for run in reversed(runs(entries)))


PAGES: Final = (Page("history", history_screen, live=True, reads={"before": re.compile("[0-9]{1,7}")}),)
