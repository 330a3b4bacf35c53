"""My seat: whose turn it is, what is awaited, what I may do, what not and why; and the one route for commands."""

from __future__ import annotations

import re
from typing import Annotated, Final, TypeAlias

from flask import Blueprint, Response, abort, g, jsonify
from msgspec import Meta, Struct

from companion.core import (
    PUBLIC,
    REFEREE,
    TABLE,
    Act,
    Asked,
    BelieveTable,
    Enrol,
    Lead,
    Leave,
    LetBot,
    LetStand,
    Said,
    Seat,
    SeatId,
    SetClock,
    Shown,
    SitElsewhere,
    Skip,
    Stages,
    Standing,
    TakeBack,
    say,
)
from companion.phones import offers
from companion.table.outside import Appealed, No, Seen, Undo, who_rolls
from web.draw import Board
from web.screen import CommandId, Dashboard, Page, Screen, Visit, body_as, render_sheet

from .board import WIDE, board_of, lit_of, near_of
from .chairs import ChairRow, chair_rows
from .choices import Choices, Closed, Pad, by_reason, choices, lines_of, pad
from .tellings import Telling, lately
from .why import refusal_screen, why_screen

OwnWish: TypeAlias = (
    Act | LetStand | TakeBack | BelieveTable | Leave | LetBot | SitElsewhere | Skip | SetClock | Enrol | Lead
)
"""What a seated phone may wish; joining, moving and opening a game have their own routes."""


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """A wish with its own id, naming the question it answers and the game it was shown in.

    It doesn't name the seat: the session knows that.
    """

    command: CommandId
    asked: int
    wish: OwnWish
    table: Annotated[str, Meta(max_length=40)] = ""


class May(Struct, frozen=True):
    """What a seat may do now, and the number of the question that each act answers."""

    asked: int
    choices: tuple[Choices, ...]
    describes: str = ""
    """A card that this seat must describe before the game can go on."""
    corrects: bool = False
    """People are doing things that no rule covers: corrections are one touch away."""
    near: bool = False
    """The buttons are right below the drawn table, in pairs."""
    asks: bool = False
    """The game waits for this seat: the first button is most likely what it wants."""


NOTHING: Final = May(0, ())


class SeatScreen(Struct, frozen=True):
    seat: SeatId | None
    turn: Said
    headline: Said
    awaited: Said | None
    asked_of: SeatId | None
    is_over: bool
    asked: int
    own: tuple[Shown, ...]
    may: May
    board: Board | None
    """The drawn table, if this seat may do something by touching it."""
    not_now: tuple[Closed, ...]
    lately: tuple[Telling, ...]
    stages: Stages | None = None
    standings: tuple[Standing, ...] = ()
    """How every seat stands: for spectators, and for everybody once the game is over."""
    waits: tuple[ChairRow, ...] = ()
    """Seats that the game is waiting for while their phone is away."""
    bots: tuple[ChairRow, ...] = ()
    """Awaited seats for which a bot plays."""
    mine: ChairRow | None = None
    to_do: tuple[Said, ...] = ()
    """What hands still have to do for past acts."""
    repairs: tuple[Said, ...] = ()
    """What brings the table back in step."""
    refereeing: bool = False
    pad: Pad | None = None
    """Keys for real dice, on the phone of whoever rolls."""
    noted: May = NOTHING
    """What else would be noted at a scribe's table."""
    appeal: Appealed | None = None
    undo: Undo | None = None
    """What this seat did last, as long as it may take that back alone."""


def turn_of(seen: Seen, seat: SeatId | None) -> Said:
    """Whose turn it is, as this seat would say it."""
    awaited = seen.awaited
    if seen.result is not None:
        winners = seen.result.winners
        return say("web.turn.won", who=Seat(winners[0])) if len(winners) == 1 else say("web.turn.over")
    if seat is not None and seat in awaited:
        return say("web.turn.yours", who=Seat(seat))
    if awaited == (TABLE,) or not awaited:
        rolls = who_rolls(seen)
        if rolls is None:
            return say("web.turn.table")
        return say("web.turn.rolls-you" if rolls == seat else "web.turn.rolls", who=Seat(rolls))
    if len(awaited) == 1:
        return say("web.turn.other", who=Seat(awaited[0]))
    return say("web.turn.several", n=len(awaited))


def awaited_of(seen: Seen) -> Said | None:
    """What is awaited, in the game's words; the result once it is over."""
    if seen.result is not None:
        return seen.result.said
    top = seen.decisions[-1] if seen.decisions else None
    return Said("decide." + top.kind, top.facts) if top else None


def _asked_of(seen: Seen, seat: SeatId | None) -> SeatId | None:
    """The one other seat whose answer is awaited, so that nobody takes its question for their own."""
    awaited = seen.awaited
    return awaited[0] if len(awaited) == 1 and awaited != (TABLE,) and seat not in awaited else None


def seat_screen(visit: Visit) -> Screen:
    """My seat; for a phone without one, what everybody may see."""
    title = "web.title.watch" if visit.phone.seat is None else "web.title.seat"
    return _seat_or_public(visit, visit.seen, say(title))


def watch_screen(visit: Visit) -> Screen:
    """What everybody may see, even on a phone that has a seat."""
    return _seat_or_public(visit, visit.public, say("web.title.watch"))


def _seat_or_public(visit: Visit, seen: Seen, title: Said) -> Screen:
    phone, seat = visit.phone, None if seen.audience == PUBLIC else seen.audience
    view, rows = seen.view, chair_rows(seen, phone)
    asked = 0 if seat is None else seen.asked[seat]
    groups = () if seat is None else offers.may(seen)
    shown, lights = lit_of(visit, seen, groups)
    found = choices(seen, groups, near_of(visit, shown, lights))
    noted = () if seat is None else choices(seen, offers.noted_too(seen))
    model = SeatScreen(
        seat=seat,
        turn=turn_of(seen, seat),
        headline=seen.game.headline(view),
        awaited=awaited_of(seen),
        asked_of=_asked_of(seen, seat),
        is_over=seen.result is not None,
        asked=asked,
        own=() if seat is None else seen.game.own(view, seat),
        may=_may(seen, seat, found, near=bool(lights)),
        board=None if shown is None else board_of(visit, seen, shown, lights, lines_of(found)),
        not_now=() if seat is None else by_reason(offers.not_now(seen)),
        lately=() if seat in seen.awaited else lately(seen)[::-1],
        stages=seen.game.stages(view),
        standings=standings_of(seen) if seat is None or seen.result is not None else (),
        waits=tuple(row for row in rows if row.waits and row.seat != seat),
        bots=tuple(row for row in rows if row.awaited and row.bot and row.seat != seat),
        mine=next((row for row in rows if row.seat == seat), None),
        to_do=seen.to_do,
        repairs=seen.repairs,
        refereeing=phone.referee,
        noted=May(asked, noted),
        appeal=seen.appeal,
        undo=None if seat is None or seen.result is not None else seen.past.undo(),
        pad=pad(visit.public, phone.asker) if phone.asker in (seat, REFEREE) and phone.asker is not None else None,
    )
    return Screen("seat", title, "seat", model, spoken=model.turn)


def _may(seen: Seen, seat: SeatId | None, found: tuple[Choices, ...], *, near: bool) -> May:
    if seat is None or not found:
        return NOTHING
    describes = seen.game.undescribed(seen.view, seat) or ""
    corrects = bool(seen.decisions) and seen.decisions[-1].corrects and seat in seen.awaited
    return May(seen.asked[seat], found, describes, corrects, near, asks=seat in seen.awaited)


def standings_of(seen: Seen) -> tuple[Standing, ...]:
    return tuple(each for each in seen.game.status(seen.view).facts if isinstance(each, Standing))


def _elsewhere(visit: Visit) -> str:
    if visit.phone.seat is None:
        return visit.phone.prefix + "/"
    return visit.phone.prefix + "/first" if visit.seen.beginning is not None else ""


PAGES: Final = (
    Page("seat", seat_screen, live=True, elsewhere=_elsewhere, reads={WIDE: re.compile("1")}),
    Page("watch", watch_screen, live=True),
)


def blueprint(dash: Dashboard) -> Blueprint:
    ways = Blueprint("seat", __name__)

    @ways.post("/command")
    def command() -> Response:
        return _command(dash)

    return ways


def _command(dash: Dashboard) -> Response:
    if g.visit.phone.asker is None:
        abort(403)
    asked = body_as(Command)
    answer = dash.table.ask(Asked(asked.command, g.visit.phone.asker, asked.asked, asked.wish, asked.table))
    if isinstance(answer, No):
        visit = g.visit.afresh()
        return Response(render_sheet(visit, _refused(visit, asked.wish, answer)), status=409, mimetype="text/html")
    left = isinstance(asked.wish, Leave) and asked.wish.seat is None
    return jsonify(seq=answer.seq, go=g.visit.phone.prefix + "/" if left else "")


def _refused(visit: Visit, wish: OwnWish, answer: No) -> Screen:
    """The sheet that says why, with the whole checklist if the wish was one of the game's intents."""
    if isinstance(wish, Act) and visit.phone.seat is not None:
        screen = why_screen(visit.seen, bytes(wish.intent), answer.refusal)
        if screen is not None:
            return screen
    return refusal_screen(answer.refusal)
