"""The screens that follow the game by themselves, by the name a stream asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from companion.core.facts import say

from .chairs import join_screen, more_screen, waiting_screen
from .correcting import corrections_screen
from .enrolling import enrol_screen
from .evening import setup_screen, shelf_screen
from .first_time import first_screen
from .screen import STILL, Builder, Screen
from .screens import check_screen, history_screen, rules_screen, seat_screen, table_screen, watch_screen
from .visit import Query, Visit


def still_screen(_visit: Visit) -> Screen:
    """Nothing of a page but its frame: for pages that stand still, such as a card that is being typed."""
    return Screen(STILL, say("box.title"), "", None)


_WORDS: Final = re.compile(r".{1,60}")
READS: Final[Mapping[str, Mapping[str, re.Pattern[str]]]] = {
    "join": {"seat": re.compile("-?[0-9]")},
    "table": {"form": re.compile("list")},
    "rules": {"q": _WORDS},
    "enrol": {"q": _WORDS},
    "first": {"q": _WORDS},
    "setup": {"game": re.compile("[a-z-]{1,40}")},
}
"""What a screen reads of its address, and what it knows of that; anything else there makes no new drawing."""

LIVE: Final[Mapping[str, Builder]] = {
    "seat": seat_screen,
    "watch": watch_screen,
    "first": first_screen,
    "join": join_screen,
    "waiting": waiting_screen,
    "table": table_screen,
    "history": history_screen,
    "corrections": corrections_screen,
    "check": check_screen,
    "rules": rules_screen,
    "more": more_screen,
    "shelf": shelf_screen,
    "setup": setup_screen,
    "enrol": enrol_screen,
    STILL: still_screen,
}


def known_of(screen: str, query: Query) -> Query:
    """Of what an address says only what its screen reads and knows."""
    return {name: query[name] for name, form in READS.get(screen, {}).items() if form.fullmatch(query.get(name, ""))}
