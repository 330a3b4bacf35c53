"""The big screen, for a television or tablet at the end of the table: what everybody may see, readable from 4 m.

Nobody touches it, and everybody sees the same: even on a device that has a seat it shows only what is public.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from companion.core import Duel, Ledger, Said, SeatId, Shown, Stages, Standing, say, wide_picture
from companion.table.outside import Seen
from web.draw import Code, Drawing, Leaves, code_of, draw, leaves_from_afar
from web.screen import Page, Screen, Visit

from .chairs import chair_rows
from .ending import Ending, ending
from .report import Titled, charts
from .seat import awaited_of, standings_of, turn_of
from .tellings import Telling, lately

ROOM: Final = (5, 3)
"""The shape of the space that a wide screen leaves for the table."""
LATELY: Final = 9
"""The most acts shown; the column beside the table may have room for fewer."""


class TvScreen(Struct, frozen=True):
    turn: Said
    headline: Said
    awaited: Said | None
    seat: SeatId | None
    """The one seat that everybody is waiting for; after the game, the winner."""
    since: str
    """The time of the last act that counts; the screen itself counts how long everybody has waited since."""
    drawing: Drawing
    leaves: Leaves
    stages: Stages | None
    standings: tuple[Standing, ...]
    showdown: Duel | None
    """What two seats are settling, or have just settled."""
    lately: tuple[Telling, ...]
    """Oldest first."""
    ticker: Said | None
    passing: tuple[tuple[Said | None, Said, str], ...]
    """What the ticker shows: where, what, and how much."""
    code: Code | None
    free: bool
    """Whether a seat has no phone yet: then the code is large."""
    ending: Ending | None
    """Shown instead of the table once it is over: who, how, and what decided it."""
    chart: Titled | None


def tv_screen(visit: Visit) -> Screen:
    seen = visit.public
    facts = seen.game.status(seen.view).facts
    said, passing = _ticker(facts)
    address, drawing = visit.dash.address(), draw(wide_picture(seen.game, seen.view), visit.words)
    model = TvScreen(
        turn=turn_of(seen, None),
        headline=seen.game.headline(seen.view),
        awaited=awaited_of(seen),
        seat=_awaited_seat(seen),
        since=f"{seen.table}#{seen.line[-1]}",
        drawing=drawing,
        leaves=leaves_from_afar(drawing, *ROOM),
        stages=seen.game.stages(seen.view),
        standings=standings_of(seen),
        showdown=seen.past.showdown() if seen.result is None else None,
        lately=lately(seen, LATELY),
        ticker=said,
        passing=passing,
        code=code_of(address and address + "/J"),
        free=any(not row.taken and not row.bot for row in chair_rows(seen, visit.phone)),
        ending=ending(seen),
        chart=None if seen.result is None else next(charts(seen), None),
    )
    return Screen("tv", say("web.title.tv"), "", model, spoken=model.turn)


def _awaited_seat(seen: Seen) -> SeatId | None:
    awaited = seen.awaited if seen.result is None else seen.result.winners
    return awaited[0] if len(awaited) == 1 and awaited[0] >= 0 else None


def _ticker(facts: tuple[Shown, ...]) -> tuple[Said | None, tuple[tuple[Said | None, Said, str], ...]]:
    """Prices and markets if the game has a list of them, else what the check says about the table."""
    for fact in facts:
        if isinstance(fact, Ledger) and fact.rows:
            return fact.said, tuple((row.left, row.said, row.right) for row in fact.rows)
    return None, tuple((None, fact, "") for fact in facts if isinstance(fact, Said))


PAGES: Final = (Page("tv", tv_screen, live=True),)
