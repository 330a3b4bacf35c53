"""The first run on a phone: the same questions that the box asks, answered on either, followed live."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from companion.core import ChoosePage, Lead, NumberPage, Said, SeatId, TurnPage, say
from companion.table.outside import FEWEST, Open, Seen
from web.screen import WORDS, Page, Screen, Visit

from .enrol import EnrolScreen, enrol_screen
from .portal import PORTAL, Newcomer, newcomer


class Line(Struct, frozen=True):
    """One answer, as the wish that it sends; `chosen` is the one that the box points to, `more` explains it."""

    said: Said
    json: str
    chosen: bool = False
    more: Said | None = None


class FirstScreen(Struct, frozen=True):
    """`question` is "" once all are answered.

    `seat` is the one this phone may take, None if it has one or all are taken; `may` says whether it may answer.
    """

    question: str
    number: int
    of: int
    seat: SeatId | None
    may: bool
    lines: tuple[Line, ...] = ()
    wanted: Said | None = None
    """What to press on the box, where only hands can answer."""
    note: Said | None = None
    back: str = ""
    giving: EnrolScreen | None = None
    """The tags being given meanwhile."""
    portal: Newcomer | None = None
    wifi: bool = False
    """Whether this phone may send the box to another Wi-Fi."""


def first_screen(visit: Visit) -> Screen:
    """What a box that has never played asks; if nothing is left to ask, that everything is ready."""
    title, asked, may = say("web.title.first"), visit.seen.beginning, visit.phone.asker is not None
    if asked is None:
        return Screen("first", title, "", FirstScreen("", 0, 0, None, may), spoken=say("web.first.ready"))
    if visit.seen.enrolling is not None:
        giving = enrol_screen(visit)
        model = FirstScreen(asked.question, 0, 0, None, may, giving=giving.model)
        return Screen("first", title, "", model, spoken=giving.spoken)
    wanted, note = (asked.page.who, asked.page.what) if isinstance(asked.page, TurnPage) else (None, None)
    model = FirstScreen(
        question=asked.question,
        number=asked.number,
        of=asked.of,
        seat=None if may else _free_seat(visit.seen),
        may=may,
        lines=_lines(asked),
        wanted=wanted,
        note=note,
        back="" if asked.question in ("language", "tags") else _json(asked, -1),
        portal=newcomer(visit),
        wifi=may and visit.dash.network is not None,
    )
    return Screen("first", title, "", model, spoken=wanted or say(f"web.first.{asked.question}"))


def _lines(asked: Open) -> tuple[Line, ...]:
    match asked.page:
        case ChoosePage(items=items, at=at):
            more = [say(f"web.first.more.{item.key}") if asked.question == "tags" else None for item in items]
            return tuple(Line(item, _json(asked, n), n == at, more[n]) for n, item in enumerate(items))
        case NumberPage(low=low, high=high, at=at):
            numbers = range(low, high + 1)
            return tuple(Line(say("web.first.people", n=n), _json(asked, n - low), n == at) for n in numbers)
        case TurnPage():
            return (Line(say("web.first.as-wired"), _json(asked, 0)),)
        case page:
            raise AssertionError(f"no phone can show {page}")


def _json(asked: Open, at: int) -> str:
    return msgspec.json.encode(Lead(asked.question, at)).decode()


def _free_seat(seen: Seen) -> SeatId | None:
    """A seat that a phone may take already: one of those that every game has, however many will play."""
    return next((SeatId(n) for n, chair in enumerate(seen.chairs[:FEWEST]) if not chair.key), None)


PAGES: Final = (Page("first", first_screen, live=True, reads={"q": WORDS, **PORTAL}),)
