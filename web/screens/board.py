"""The drawn table of one phone, with what its seat may touch on it."""

from __future__ import annotations

from companion.core import PUBLIC, Said, say
from companion.phones import touching
from companion.phones.offers import Group
from companion.phones.touching import Lit
from companion.table.outside import Seen
from web.draw import Board, Touch, board
from web.screen import Visit

from .thing import name_of

WIDE = "wide"
"""What a screen asks for that has room for the table beside the seat."""


def board_of(visit: Visit, seen: Seen, groups: tuple[Group, ...]) -> tuple[Board | None, tuple[Lit, ...]]:
    """The table with what is lit on it. On a narrow screen only where this seat is awaited and can touch something: to
    draw it makes people wait, and to look at it there is a page.
    """
    is_wide, is_awaited = WIDE in visit.query, seen.audience in seen.awaited
    if seen.audience == PUBLIC or not (is_wide or (is_awaited and groups)):
        return None, ()
    picture = seen.game.picture(seen.view)
    lights = touching.lit(seen, groups, picture) if is_awaited else ()
    if not (lights or is_wide):
        return None, ()
    touches = {each.token: _touch(visit, seen, each) for each in lights}
    return board(picture, visit.words, touches, seen.asked[seen.audience], whole=is_wide), lights


def _touch(visit: Visit, seen: Seen, lit: Lit) -> Touch:
    is_done = lit.at_once and not visit.phone.confirm
    return Touch(visit.words.say(_title(seen, lit)), lit.badge, lit.offers[0].json if is_done else "")


def _title(seen: Seen, lit: Lit) -> Said:
    """What is heard of it: the act, or how many there are."""
    if len(lit.offers) == 1:
        return lit.offers[0].said
    thing = name_of(seen, lit.token)
    return say("web.board.acts", n=len(lit.offers), **dict(thing.facts))
