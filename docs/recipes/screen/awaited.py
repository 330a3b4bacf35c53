"""Whom everybody is waiting for, in letters that can be read across the table."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.core import SeatId, say
from web.screen import Page, Screen, Visit


class AwaitedScreen(Struct, frozen=True):
    names: tuple[str, ...]
    others: int


def awaited_screen(visit: Visit) -> Screen:
    seen = visit.seen
    names = tuple(seen.chairs[seat].name for seat in seen.awaited if seat >= SeatId(0))
    model = AwaitedScreen(names, len(seen.chairs) - len(names))
    return Screen("awaited", say("web.title.awaited"), "more", model)


PAGES: Final = (Page("awaited", awaited_screen, live=True),)
