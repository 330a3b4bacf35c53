"""Set it up again: what belongs where on the real table, ticked off by photos."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from companion.core import say
from companion.phones import PlaceThere, places
from web.screen import Page, Query, Screen, Visit

_LAID: Final = re.compile(r"[0-9a-f]{1,100}")


class LayScreen(Struct, frozen=True):
    """`laid` is a number that encodes which pieces were seen in place."""

    places: tuple[PlaceThere, ...]
    laid: str
    left: int


def laid_of(query: Query, name: str = "laid") -> int | None:
    """The pieces that an address calls laid; None where it says nothing that can be read."""
    text = query.get(name, "")
    return int(text, 16) if _LAID.fullmatch(text) else None


def lay_screen(visit: Visit) -> Screen:
    laid = laid_of(visit.query) or 0
    found = places(visit.seen, laid)
    left = sum(not piece.laid for at in found for piece in at.pieces)
    return Screen("lay", say("web.title.lay"), "more", LayScreen(found, f"{laid:x}", left))


PAGES: Final = (Page("lay", lay_screen, live=True, reads={"laid": _LAID}),)
