"""The first run on a phone: the same questions that the box asks, answered here or there, followed live."""

from __future__ import annotations

import msgspec
from flask import Blueprint, g
from msgspec import Struct

from companion.core.facts import Said, say
from companion.core.ids import SeatId
from companion.core.inputs import Lead
from companion.core.pages import ChoosePage, NumberPage, TurnPage
from companion.table.snapshot import FEWEST, Open, Snapshot

from . import rendering
from .dashboard import Dashboard
from .enrolling import EnrolScreen, enrol_screen
from .screen import Query, Screen
from .session import Phone


class Line(Struct, frozen=True):
    """One answer, as the wish that it sends; `chosen` is the one that the box points to, `more` what it means."""

    said: Said
    json: str
    chosen: bool = False
    more: Said | None = None


class FirstScreen(Struct, frozen=True):
    """`question` is "" once all are answered. `seat` is the one for this phone to sit down on, None while it has one
    or all for now are taken; `may` says whether it may answer.
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
    """The tags that are being given in between."""


def first_screen(dash: Dashboard, snapshot: Snapshot, phone: Phone, query: Query) -> Screen:
    """What a box that has never played asks; where nothing is asked, that all is ready."""
    title, asked, may = say("web.title.first"), snapshot.beginning, phone.asker is not None
    if asked is None:
        return Screen("first", title, "", FirstScreen("", 0, 0, None, may), spoken=say("web.first.ready"))
    if snapshot.enrolling is not None:
        giving = enrol_screen(dash, snapshot, phone, query)
        model = FirstScreen(asked.question, 0, 0, None, may, giving=giving.model)
        return Screen("first", title, "", model, spoken=giving.spoken)
    wanted, note = (asked.page.who, asked.page.what) if isinstance(asked.page, TurnPage) else (None, None)
    model = FirstScreen(
        question=asked.question,
        number=asked.number,
        of=asked.of,
        seat=None if may else _free_seat(snapshot),
        may=may,
        lines=_lines(asked),
        wanted=wanted,
        note=note,
        back="" if asked.question in ("language", "tags") else _json(asked, -1),
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


def _free_seat(snapshot: Snapshot) -> SeatId | None:
    """Where a phone may sit down already: on the seats that every game has, however many will play."""
    return next((SeatId(n) for n, chair in enumerate(snapshot.chairs[:FEWEST]) if not chair.key), None)


def blueprint(dash: Dashboard) -> Blueprint:
    screens = Blueprint("first_time", __name__)

    @screens.get("/first")
    def first() -> str:
        screen = first_screen(dash, g.snapshot, g.phone, {})
        return rendering.page(dash, g.snapshot, g.phone, screen, "first")

    return screens
