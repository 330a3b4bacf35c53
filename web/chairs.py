"""People and their seats as screens list them: who has a phone, whose phone is away, for whom a bot plays."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion import __version__
from companion.core.facts import Said, say
from companion.core.ids import TABLE, SeatId
from companion.table.seen import Seen

from .moving import PATIENCE
from .qr import Code, code_of
from .screen import Screen
from .session import Phone
from .visit import Visit


class ChairRow(Struct, frozen=True):
    """One seat. `waits`: the game waits for it, and its phone does not listen."""

    seat: SeatId
    name: str
    taken: bool
    mine: bool
    away: bool = False
    bot: bool = False
    awaited: bool = False

    @property
    def waits(self) -> bool:
        return self.awaited and self.away and not self.bot


def chair_rows(seen: Seen, phone: Phone) -> tuple[ChairRow, ...]:
    awaited = seen.awaited if seen.result is None else ()
    return tuple(
        ChairRow(
            seat=SeatId(n),
            name=chair.name,
            taken=bool(chair.key),
            mine=phone.seat == n,
            away=n in seen.away,
            bot=chair.bot,
            awaited=n in awaited and n != TABLE,
        )
        for n, chair in enumerate(seen.chairs)
    )


class JoinScreen(Struct, frozen=True):
    chairs: tuple[ChairRow, ...]
    chosen: SeatId | None
    referee: str
    """Who referees with a phone, "" if nobody does."""
    refereeing: bool


class WaitingScreen(Struct, frozen=True):
    """`stage`: asked (hold OK), admitted (claim now), gone (ask again)."""

    stage: Literal["asked", "admitted", "gone"]
    code: str
    name: str


class MoreScreen(Struct, frozen=True):
    """`mine` is this phone's own seat; `others` are those that the referee may speak for."""

    mine: ChairRow | None
    others: tuple[ChairRow, ...]
    mode: str
    is_over: bool
    enrols: bool
    packs: bool
    doctor: bool
    version: str
    troubles: tuple[Said, ...]
    """What the box finds wrong with itself while it runs, each with its cure."""
    address: str


class MoveScreen(Struct, frozen=True):
    """The seat offered to another phone: its address, drawn and in words."""

    code: Code | None
    minutes: int


class MovedScreen(Struct, frozen=True):
    """On the other phone: whose seat it is; None when the offer no longer counts."""

    seat: SeatId | None
    name: str
    token: str


def join_screen(visit: Visit) -> Screen:
    seen, phone = visit.seen, visit.phone
    chairs = chair_rows(seen, phone)
    asked_for = visit.query.get("seat", "")
    chosen = SeatId(int(asked_for)) if asked_for in {str(c.seat) for c in chairs} else None
    referee = seen.referee.name if seen.referee else ""
    return Screen("join", say("web.title.join"), "", JoinScreen(chairs, chosen, referee, phone.referee))


def waiting_screen(visit: Visit) -> Screen:
    asker = visit.dash.askers.find(visit.phone.asking)
    joining = next((each for each in visit.seen.joining if asker is not None and each.code == asker.code), None)
    if asker is None or joining is None:
        model = WaitingScreen("gone", "", "")
    else:
        model = WaitingScreen("admitted" if joining.admitted else "asked", asker.code, asker.name)
    return Screen("waiting", say("web.title.join"), "", model, spoken=say(f"web.waiting.{model.stage}"))


def more_screen(visit: Visit) -> Screen:
    dash, seen, phone = visit.dash, visit.seen, visit.phone
    rows = chair_rows(seen, phone)
    model = MoreScreen(
        mine=next((row for row in rows if row.mine), None),
        others=rows if phone.referee else (),
        mode=seen.mode,
        is_over=seen.result is not None,
        enrols=dash.tagbook is not None and phone.asker is not None,
        packs=dash.packs is not None,
        doctor=dash.doctor is not None and phone.asker is not None,
        version=__version__,
        troubles=seen.troubles,
        address=dash.address(),
    )
    return Screen("more", say("web.title.more"), "more", model)


def move_screen(visit: Visit, token: str, here: str) -> Screen:
    address = f"{visit.dash.address() or here}/move?token={token}"
    return Screen("move", say("web.title.move"), "more", MoveScreen(code_of(address), int(PATIENCE // 60)))


def moved_screen(visit: Visit, token: str) -> Screen:
    """What the other phone shows; an offer counts only while the phone that made it holds the seat."""
    move, chairs = visit.dash.moves.find(token), visit.seen.chairs
    if move is None or chairs[move.seat].key != move.key:
        return Screen("moved", say("web.title.move"), "", MovedScreen(None, "", ""))
    return Screen("moved", say("web.title.move"), "", MovedScreen(move.seat, chairs[move.seat].name, token))
