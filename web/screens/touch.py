"""An unlit thing touched on the drawn table: why nothing can be done with it now, in one line."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.core import PUBLIC, Said, Token, say
from companion.phones import NotNow, touching
from web.screen import Page, Screen, Visit

from .thing import name_of, token_of


class TouchScreen(Struct, frozen=True):
    token: Token
    said: Said
    reason: NotNow | None


def touch_screen(visit: Visit) -> Screen | None:
    seen = visit.seen
    token = token_of(seen, visit.query)
    if token is None:
        return None
    reason = None if seen.audience == PUBLIC else touching.why_not(seen, token)
    return Screen("touch", say("web.title.thing"), "seat", TouchScreen(token, name_of(seen, token), reason))


PAGES: Final = (Page("touch", touch_screen, over="always"),)
