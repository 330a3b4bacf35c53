"""What the pretend-table page shows: readers, every piece where it lies, lamp, faults, the first minute, phones.

It is the table's surface, so it shows every card; it is for trying things out, never for playing against each
other.
"""

from __future__ import annotations

import hashlib
from itertools import islice
from typing import Final

import msgspec
from msgspec import Struct

from companion.core import (
    Glance,
    GlancePage,
    Name,
    PieceId,
    ReaderId,
    Refusal,
    Said,
    SeatId,
    SpellPage,
    Uid,
    Waits,
    WifiPage,
    say,
    words_of,
)
from companion.table import door
from companion.table.outside import Chair, Fault, Joining, Lamp, PretendReader, Told
from web.draw import Code, Drawing, Leaves, code_of, draw, leaves_in
from web.screen import Page, Screen, Visit
from web.screens.seat import awaited_of, turn_of

from .bar import Bar, bar
from .drawn import Spot, spots
from .guiding import Guided, guided
from .tray import Heap, Thing, heaps, laid_out

FAULTS: Final[tuple[Fault, ...]] = ("cable", "noise", "flicker", "display")
ROOM: Final = (850, 540)
"""The space that a screen of 1280 × 800 leaves for the picture."""
TALL: Final = 1.5
"""A picture this many times taller than wide becomes unreadable when fitted to a screen."""
OWN_LINES: Final = 1
"""As many lines of a phone's page as fit beside its name."""


class Antenna(Struct, frozen=True):
    id: ReaderId
    said: Said
    lying: tuple[Thing, ...]
    is_zone: bool = False


class Row(Struct, frozen=True):
    """A row of the list that is open on the box."""

    said: Said
    at: int


class PhoneLink(Struct, frozen=True):
    seat: SeatId
    name: str
    joined: bool
    away: bool = False
    bot: bool = False
    lamp: bool = False
    """Whether the small lamp at the seat is lit."""
    own: tuple[Said, ...] = ()
    """The first lines of its phone's page."""
    turn: Said | None = None
    """Its phone's greeting."""
    awaited: bool = False


class PretendScreen(Struct, frozen=True):
    readers: tuple[Antenna, ...]
    heaps: tuple[Heap, ...]
    loose: tuple[Thing, ...]
    """What may be played now but isn't in the picture."""
    lamp: Lamp
    faults: tuple[tuple[Fault, bool], ...]
    bar: Bar
    guide: Guided
    phones: tuple[PhoneLink, ...]
    shown: tuple[Said, ...]
    lately: tuple[Told, ...]
    joining: tuple[Said, ...]
    has_zones: bool = False
    """Some readers stand for places, so the table can be laid out."""
    code: Code | None = None
    """The address of this table for phones, as a QR code."""
    drawing: Drawing | None = None
    leaves: Leaves = ()
    spots: tuple[Spot, ...] = ()
    """The game's own picture, with what can be picked up from it."""
    rows: tuple[Row, ...] = ()
    """What the box has to choose from."""
    shown_rows: str = ""
    """Identifies the rows from which a choice was made."""
    turn: Said | None = None
    awaited: Said | None = None
    no: Told | None = None
    """The last NO of the box, if nothing has been done since."""
    is_tall: bool = False
    """The picture is too tall to fit: it is drawn at full width, and scrolls by itself."""
    glow: tuple[str, ...] = ()
    """What the guide is talking about: `piece:ID`, `place:ID`, `key:check`, `phone:0`."""


def pretend_screen(visit: Visit) -> Screen:
    dash, seen, box = visit.dash, visit.public, visit.dash.pretend
    assert box is not None, "asked for only where there is a pretend box"
    readers, on, surface = box.readers(), box.faults(), box.surface()
    wanted = frozenset(PieceId(str(token.value)) for token in surface.touched if token.kind == "piece")
    lying = {uid: reader.said for reader in readers for uid in reader.lying}
    guide = guided(dash, visit.moment, surface.lying, wanted)
    drawing = draw(surface.picture, visit.words)
    leaves = leaves_in(drawing, *ROOM)
    everything = heaps(seen, surface, lying, wanted)
    things = {thing.uid: thing for heap in everything for thing in heap.things}
    tray = laid_out(everything, drawing, guide.glow)
    address, recent = dash.address(), tuple(islice(seen.past.recent(), 5))
    model = PretendScreen(
        readers=tuple(_antenna(reader, things) for reader in readers),
        heaps=tray.heaps,
        loose=tray.loose,
        lamp=box.lamp(),
        faults=tuple((fault, fault in on) for fault in FAULTS),
        bar=bar(visit),
        guide=guide,
        phones=_seats(visit, box.seat_lamps()),
        shown=words_on(seen.flash or seen.page),
        lately=recent,
        joining=tuple(_asks(each) for each in door.waiting(seen.joining)),
        has_zones=any(reader.place is not None for reader in readers),
        code=code_of(address and address + "/J"),
        drawing=drawing,
        leaves=leaves,
        spots=spots(drawing, surface, readers, guide.glow, seen.game),
        rows=tuple(Row(said, at) for at, said in enumerate(surface.rows)),
        shown_rows=mark_of(surface.rows),
        turn=turn_of(seen, None),
        awaited=awaited_of(seen),
        no=next((told for told in recent[:1] if told.kind == "refused"), None),
        is_tall=any(end - top > TALL * drawing.width for top, end in leaves),
        glow=guide.glow,
    )
    return Screen("pretend", say("web.title.pretend"), "", model)


def mark_of(rows: tuple[Said, ...]) -> str:
    """A short hash that identifies these rows."""
    return hashlib.sha256(msgspec.json.encode(rows)).hexdigest()[:12] if rows else ""


def _antenna(reader: PretendReader, things: dict[Uid, Thing]) -> Antenna:
    lying = tuple(things.get(uid, Thing(uid, say("web.pretend.stranger"))) for uid in reader.lying)
    return Antenna(reader.id, reader.said, lying, reader.place is not None)


PAGE: Final = Page("pretend", pretend_screen, live=True)


def _seats(visit: Visit, lamps: tuple[bool, ...]) -> tuple[PhoneLink, ...]:
    """A row for each seat; a box may have fewer lamps than the table has seats."""
    seen = visit.public

    def link(n: int, chair: Chair) -> PhoneLink:
        seat, has_lamp = SeatId(n), n < len(lamps) and lamps[n]
        own = words_of(seen.game.own(visit.moment.seen_by(seat).view, seat))[:OWN_LINES]
        turn, is_awaited = turn_of(seen, seat), seat in seen.awaited
        return PhoneLink(seat, chair.name, bool(chair.key), n in seen.away, chair.bot, has_lamp, own, turn, is_awaited)

    return tuple(link(n, chair) for n, chair in enumerate(seen.chairs))


def _asks(phone: Joining) -> Said:
    return say("web.pretend.asks", who=Name(phone.name), code=Name(phone.code))


def words_on(page: Struct) -> tuple[Said, ...]:
    """Everything on a page of the display as text, for people who can't see the picture."""
    if isinstance(page, WifiPage):
        return say("choice", item=Name(page.name)), say("choice", item=Name(page.password))
    if isinstance(page, SpellPage):
        return page.title, say("choice", item=Name(page.typed)), say("choice", item=Name(page.sign))
    found: list[Said] = []
    for value in msgspec.structs.astuple(page):
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Said):
                found.append(part)
            elif isinstance(part, Glance):
                found.append(part.said)
            elif isinstance(part, Waits):
                found += part.who, say("choice", item=Name(part.code))
            elif isinstance(page, GlancePage) and isinstance(part, str):
                found.append(say("choice", item=Name(part)))
            elif isinstance(part, Refusal):
                found.append(Said(f"no.{part.key}", part.facts))
    return tuple(said for said in found if said.key)
