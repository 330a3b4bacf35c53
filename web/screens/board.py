"""The drawn table of one phone, with what its seat may touch on it."""

from __future__ import annotations

from typing import Final

from companion.core import PUBLIC, Said, say
from companion.phones import Group, Lit, touching
from companion.table.outside import Seen
from web.draw import Board, Cut, Touch, board, cut
from web.screen import Visit

from .choices import Near
from .thing import name_of

WIDE = "wide"
"""Asked for by a screen that has room for the table beside the seat."""


def lit_of(visit: Visit, seen: Seen, groups: tuple[Group, ...]) -> tuple[Cut | None, tuple[Lit, ...]]:
    """The table with what is lit on it.

    On a narrow screen only if this seat is awaited and can touch something: drawing it makes people wait, and there
    is a page for looking at it.
    """
    is_wide, is_awaited = WIDE in visit.query, seen.audience in seen.awaited
    if seen.audience == PUBLIC or not (is_wide or (is_awaited and groups)):
        return None, ()
    picture = seen.game.picture(seen.view)
    lights = touching.lit(seen, groups, picture) if is_awaited else ()
    shown = cut(picture, frozenset(each.token for each in lights)) if lights or is_wide else None
    return shown, lights


def board_of(visit: Visit, seen: Seen, shown: Cut, lights: tuple[Lit, ...], below: int) -> Board:
    """The drawn table; on a narrow screen cut so that the `below` lines of choices under it stay in sight."""
    touches = {each.token: _touch(visit, seen, each) for each in lights}
    return board(shown, visit.words, touches, seen.asked[seen.actor], None if WIDE in visit.query else below)


SHOWDOWN: Final = 5
"""Lines taken by an attack that was just settled."""


def near_of(visit: Visit, shown: Cut | None, lights: tuple[Lit, ...]) -> Near | None:
    """The drawn table that the choices are next to; None if nothing is lit."""
    if shown is None or not lights:
        return None
    duel = visit.public.past.showdown()
    news = 0 if duel is None or duel.outcome is None else SHOWDOWN
    return Near(lights, shown.lines, visit.words.say, news)


def _touch(visit: Visit, seen: Seen, lit: Lit) -> Touch:
    is_done = lit.at_once and not visit.phone.confirm
    return Touch(visit.words.say(_title(seen, lit)), lit.badge, lit.offers[0].json if is_done else "")


def _title(seen: Seen, lit: Lit) -> Said:
    """What a screen reader says: the act, or how many there are."""
    if len(lit.offers) == 1:
        return lit.offers[0].said
    thing = name_of(seen, lit.token)
    return say("web.board.acts", n=len(lit.offers), **dict(thing.facts))
