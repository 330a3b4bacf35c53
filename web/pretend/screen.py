"""What the pretend-table page shows: readers, every piece where it lies, lamp, faults, the first minute, phones.

It is the table's surface, so it shows every card; it is for trying out and never for play against each other.
"""

from __future__ import annotations

import hashlib
from itertools import islice
from typing import Final, Literal

import msgspec
from msgspec import Struct

from companion.core import (
    Glance,
    GlancePage,
    Lies,
    Name,
    Piece,
    PieceId,
    Place,
    ReaderId,
    Refusal,
    Said,
    SeatId,
    Uid,
    Waits,
    say,
    words_of,
)
from companion.table import door
from companion.table.outside import Chair, Fault, Joining, Lamp, PretendReader, Seen, Told
from web.draw import Code, Drawing, code_of, draw
from web.screen import STEPS, Page, Screen, Visit
from web.screens.seat import awaited_of, turn_of

from .drawn import Spot, spots
from .tray import Heap, Thing, heaps, laid_out

FAULTS: Final[tuple[Fault, ...]] = ("cable", "noise", "flicker", "display")
TALL: Final = 1.5
"""A picture that is higher than wide by more than this could not be read at the height of a screen."""
OWN_LINES: Final = 1
"""Of what a phone shows as much as fits beside its name."""


class Antenna(Struct, frozen=True):
    id: ReaderId
    said: Said
    lying: tuple[Thing, ...]
    is_zone: bool = False


class Row(Struct, frozen=True):
    """A row of the list that the box has open."""

    said: Said
    at: int


class Step(Struct, frozen=True):
    name: str
    done: bool
    now: bool


class PhoneLink(Struct, frozen=True):
    seat: SeatId
    name: str
    joined: bool
    away: bool = False
    bot: bool = False
    lamp: bool = False
    """Whether the small lamp at the seat shines."""
    own: tuple[Said, ...] = ()
    """The first lines of what its phone shows."""


class PretendScreen(Struct, frozen=True):
    readers: tuple[Antenna, ...]
    heaps: tuple[Heap, ...]
    loose: tuple[Thing, ...]
    """What may be played now and the picture does not show."""
    lamp: Lamp
    faults: tuple[tuple[Fault, bool], ...]
    steps: tuple[Step, ...]
    guide: Literal["steps", "done", "closed"]
    hint: Said | None
    """The very thing to lay, in the present step of the guide."""
    phones: tuple[PhoneLink, ...]
    shown: tuple[Said, ...]
    lately: tuple[Told, ...]
    joining: tuple[Said, ...]
    has_zones: bool = False
    """Some readers stand for places, so that the table can be set."""
    code: Code | None = None
    """Where phones find this table, drawn."""
    drawing: Drawing | None = None
    spots: tuple[Spot, ...] = ()
    """The game's own picture, with what can be picked up of it."""
    rows: tuple[Row, ...] = ()
    """What the box has to choose from."""
    shown_rows: str = ""
    """The mark by which a choice says which rows it was made from."""
    turn: Said | None = None
    awaited: Said | None = None
    no: Told | None = None
    """The last time the box said NO, while nothing was done since."""
    is_tall: bool = False
    """The picture is too tall to be read whole: it is drawn as wide as there is room, and scrolls by itself."""
    glow: tuple[str, ...] = ()
    """What the guide speaks of just now: `piece:ID`, `place:ID`, `key:check`, `phone:0`."""


def pretend_screen(visit: Visit) -> Screen:
    dash, seen, box = visit.dash, visit.public, visit.dash.pretend
    assert box is not None, "asked for only where there is a pretend box"
    readers, on, surface = box.readers(), box.faults(), box.surface()
    wanted = frozenset(PieceId(str(token.value)) for token in surface.touched if token.kind == "piece")
    lying = {uid: reader.said for reader in readers for uid in reader.lying}
    steps = _steps(dash.guide.done, seen)
    hinted = _hinted(surface.lying, wanted, next((step.name for step in steps if step.now), ""))
    glow = () if hinted is None or dash.guide.is_closed else (f"piece:{hinted}",)
    drawing = draw(surface.picture, visit.words)
    everything = heaps(seen, surface, lying, wanted)
    things = {thing.uid: thing for heap in everything for thing in heap.things}
    tray = laid_out(everything, drawing)
    address, recent = dash.address(), tuple(islice(seen.past.recent(), 5))
    model = PretendScreen(
        readers=tuple(_antenna(reader, things) for reader in readers),
        heaps=tray.heaps,
        loose=tray.loose,
        lamp=box.lamp(),
        faults=tuple((fault, fault in on) for fault in FAULTS),
        steps=steps,
        guide="closed" if dash.guide.is_closed else "done" if all(step.done for step in steps) else "steps",
        hint=_hint(surface.lying, hinted),
        phones=_seats(visit, box.seat_lamps()),
        shown=words_on(seen.flash or seen.page),
        lately=recent,
        joining=tuple(_asks(each) for each in door.waiting(seen.joining)),
        has_zones=any(reader.place is not None for reader in readers),
        code=code_of(address and address + "/J"),
        drawing=drawing,
        spots=spots(drawing, surface, readers, glow, seen.game),
        rows=tuple(Row(said, at) for at, said in enumerate(surface.rows)),
        shown_rows=mark_of(surface.rows),
        turn=turn_of(seen, None),
        awaited=awaited_of(seen),
        no=next((told for told in recent[:1] if told.kind == "refused"), None),
        is_tall=any(end - top > TALL * drawing.width for top, end in drawing.leaves),
        glow=glow,
    )
    return Screen("pretend", say("web.title.pretend"), "", model)


def mark_of(rows: tuple[Said, ...]) -> str:
    """A short mark of just these rows."""
    return hashlib.sha256(msgspec.json.encode(rows)).hexdigest()[:12] if rows else ""


def _antenna(reader: PretendReader, things: dict[Uid, Thing]) -> Antenna:
    lying = tuple(things.get(uid, Thing(uid, say("web.pretend.stranger"))) for uid in reader.lying)
    return Antenna(reader.id, reader.said, lying, reader.place is not None)


PAGE: Final = Page("pretend", pretend_screen, live=True)


def _seats(visit: Visit, lamps: tuple[bool, ...]) -> tuple[PhoneLink, ...]:
    """A row for each seat; a box has fewer lamps than a table has seats, perhaps."""
    seen = visit.public

    def link(n: int, chair: Chair) -> PhoneLink:
        seat, has_lamp = SeatId(n), n < len(lamps) and lamps[n]
        own = words_of(seen.game.own(visit.moment.seen_by(seat).view, seat))[:OWN_LINES]
        return PhoneLink(seat, chair.name, bool(chair.key), n in seen.away, chair.bot, has_lamp, own)

    return tuple(link(n, chair) for n, chair in enumerate(seen.chairs))


def _asks(phone: Joining) -> Said:
    return say("web.pretend.asks", who=Name(phone.name), code=Name(phone.code))


def _hinted(layout: tuple[Lies, ...], wanted: frozenset[PieceId], step: str) -> PieceId | None:
    """A piece that shows what this step is about: one that may be played, or one of a hand that may not."""
    held = [lies for lies in layout if lies.facing == "down"]
    theirs = {lies.place for lies in layout if lies.piece in wanted}
    match step:
        case "laid":
            found = [lies.piece for lies in (*held, *layout) if lies.piece in wanted]
        case "refused":
            found = [lies.piece for lies in (*held, *layout) if lies.piece not in wanted and lies.place not in theirs]
        case _:
            found = []
    return found[0] if found else None


def _hint(layout: tuple[Lies, ...], piece: PieceId | None) -> Said | None:
    place = next((lies.place for lies in layout if lies.piece == piece), None)
    if piece is None or place is None:
        return None
    return say("web.guide.try", piece=Piece(piece), place=Place(place))


def _steps(tried: frozenset[str], seen: Seen) -> tuple[Step, ...]:
    """The first minute: what was tried on this page, and what the game itself shows was done."""
    done, happened = set(tried), seen.past.kinds()
    if done:
        done.add("look")
    if "did" in happened:
        done |= {"look", "laid", "acted"}
    if "refused" in happened:
        done.add("refused")
    if any(chair.key for chair in seen.chairs):
        done.add("joined")
    now = next((name for name in STEPS if name not in done), "")
    return tuple(Step(name, name in done, name == now) for name in STEPS)


def words_on(page: Struct) -> tuple[Said, ...]:
    """Everything a page of the display says, for those who cannot see the picture."""
    found: list[Said] = []
    for value in msgspec.structs.astuple(page):
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Said):
                found.append(part)
            elif isinstance(part, Glance | Waits):
                found.append(part.said if isinstance(part, Glance) else part.who)
            elif isinstance(page, GlancePage) and isinstance(part, str):
                found.append(say("choice", item=Name(part)))
            elif isinstance(part, Refusal):
                found.append(Said(f"no.{part.key}", part.facts))
    return tuple(said for said in found if said.key)
