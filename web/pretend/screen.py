"""What the pretend-table page shows: readers, every piece where it lies, lamp, faults, the first minute, phones.

It is the table's surface, so it shows every card; it is for trying out and never for play against each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core import (
    TABLE,
    Facing,
    Glance,
    GlancePage,
    Lies,
    Name,
    PieceId,
    Place,
    PlaceId,
    ReaderId,
    Refusal,
    Said,
    Seat,
    SeatId,
    Uid,
    Waits,
    mentions,
    say,
)
from companion.library import NumberTag, PieceTag, PlaceTag, SeatTag, pretend_uid
from companion.phones import offers
from companion.table import door
from companion.table.outside import Fault, Joining, Lamp, PretendReader, Seen, Surface, Told
from web.draw import Code, code_of
from web.screen import Page, Screen, Visit

from .bar import Bar, bar
from .guiding import Guided, guided

FAULTS: Final[tuple[Fault, ...]] = ("cable", "noise", "flicker", "display")
MANY: Final = 8
"""A heap of more pieces than this begins folded."""
STRANGER: Final = Uid("04A5A5A5A5A5A5")
"""A tag that no tagbook knows."""


class Thing(Struct, frozen=True):
    """One tagged piece as the person at the table sees it."""

    uid: Uid
    said: Said
    facing: Facing | None = None
    on: Said | None = None
    hint: bool = False
    """The guide speaks of it just now."""


class Heap(Struct, frozen=True):
    """Pieces that lie together; `id` stays the same while pieces come and go."""

    id: str
    said: Said
    things: tuple[Thing, ...]
    folded: bool
    wanted: bool = False
    """Something in it may be played now."""


class Antenna(Struct, frozen=True):
    id: ReaderId
    said: Said
    lying: tuple[Thing, ...]
    is_zone: bool = False


class PhoneLink(Struct, frozen=True):
    seat: SeatId
    name: str
    joined: bool
    away: bool = False
    bot: bool = False
    lamp: bool = False
    """Whether the small lamp at the seat shines."""


class PretendScreen(Struct, frozen=True):
    readers: tuple[Antenna, ...]
    heaps: tuple[Heap, ...]
    lamp: Lamp
    faults: tuple[tuple[Fault, bool], ...]
    bar: Bar
    guide: Guided
    phones: tuple[PhoneLink, ...]
    shown: tuple[Said, ...]
    lately: tuple[Told, ...]
    joining: tuple[Said, ...]
    has_zones: bool = False
    """Some readers stand for places, so that the table can be set."""
    code: Code | None = None
    """Where phones find this table, drawn."""
    glow: tuple[str, ...] = ()
    """What the guide speaks of just now: `piece:…`, `place:…`, `key:check`, `phone:0`."""


def pretend_screen(visit: Visit) -> Screen:
    dash, seen, box = visit.dash, visit.public, visit.dash.pretend
    assert box is not None, "asked for only where there is a pretend box"
    readers, on, surface, wanted = box.readers(), box.faults(), box.surface(), _wanted(visit)
    lying = {uid: reader.said for reader in readers for uid in reader.lying}
    guide = guided(dash, visit.moment, surface.lying, wanted)
    heaps = _heaps(seen, surface, lying, wanted, guide.glow)
    things = {thing.uid: thing for heap in heaps for thing in heap.things}
    address = dash.address()
    model = PretendScreen(
        readers=tuple(_antenna(reader, things) for reader in readers),
        heaps=heaps,
        lamp=box.lamp(),
        faults=tuple((fault, fault in on) for fault in FAULTS),
        bar=bar(visit),
        guide=guide,
        phones=_seats(seen, box.seat_lamps()),
        shown=words_on(seen.flash or seen.page),
        lately=tuple(islice(seen.past.recent(), 5)),
        joining=tuple(_asks(each) for each in door.waiting(seen.joining)),
        has_zones=any(reader.place is not None for reader in readers),
        code=code_of(address and address + "/J"),
        glow=guide.glow,
    )
    return Screen("pretend", say("web.title.pretend"), "", model)


def _antenna(reader: PretendReader, things: dict[Uid, Thing]) -> Antenna:
    lying = tuple(things.get(uid, Thing(uid, say("web.pretend.stranger"))) for uid in reader.lying)
    return Antenna(reader.id, reader.said, lying, reader.place is not None)


PAGE: Final = Page("pretend", pretend_screen, live=True)


def _seats(seen: Seen, lamps: tuple[bool, ...]) -> tuple[PhoneLink, ...]:
    """A row for each seat; a box has fewer lamps than a table has seats, perhaps."""
    return tuple(
        PhoneLink(SeatId(n), chair.name, bool(chair.key), n in seen.away, chair.bot, n < len(lamps) and lamps[n])
        for n, chair in enumerate(seen.chairs)
    )


def _asks(phone: Joining) -> Said:
    return say("web.pretend.asks", who=Name(phone.name), code=Name(phone.code))


def _heaps(
    seen: Seen, surface: Surface, lying: dict[Uid, Said], wanted: frozenset[PieceId], glow: tuple[str, ...]
) -> tuple[Heap, ...]:
    """Every piece by where it lies, those that may be played now first; then the game's box and the other tags."""
    game, pack = seen.game, surface.pack
    places: dict[PlaceId, list[Lies]] = {}
    for lies in surface.lying:
        places.setdefault(lies.place, []).append(lies)

    def thing(piece: PieceId, facing: Facing | None) -> Thing:
        uid = pretend_uid(PieceTag(game.id, piece))
        return Thing(uid, game.describe(pack, piece), facing, lying.get(uid), f"piece:{piece}" in glow)

    heaps = [
        Heap(
            id=place,
            said=say("web.pretend.place", place=Place(place)),
            things=tuple(thing(lies.piece, lies.facing) for lies in there),
            folded=len(there) > MANY,
            wanted=any(lies.piece in wanted for lies in there),
        )
        for place, there in places.items()
    ]
    heaps.sort(key=lambda heap: not heap.wanted)
    placed = {lies.piece for there in places.values() for lies in there}
    boxed = tuple(thing(piece, None) for piece in game.pieces(pack) if piece not in placed)
    heaps.append(Heap("box", say("web.pretend.in-box"), boxed, folded=True))
    heaps.append(Heap("places", say("web.pretend.places"), _places(seen, lying, glow), folded=True))
    heaps.append(Heap("tags", say("web.pretend.tags"), _tags(len(seen.chairs), lying), folded=True))
    return tuple(heap for heap in _glowing_first(heaps) if heap.things)


def _glowing_first(heaps: list[Heap]) -> Iterator[Heap]:
    """What the guide speaks of lies on top, in a heap of its own: nobody looks for it."""
    glowing = tuple(thing for heap in heaps for thing in heap.things if thing.hint)
    yield Heap("glow", say("web.guide.these"), glowing, folded=False)
    for heap in heaps:
        yield replace(heap, things=tuple(thing for thing in heap.things if not thing.hint))


def _wanted(visit: Visit) -> frozenset[PieceId]:
    """The pieces that an awaited seat may do something with."""
    awaited = (seat for seat in visit.public.awaited if seat != TABLE)
    groups = (group for seat in awaited for group in offers.may(visit.moment.seen_by(seat)))
    tokens = (token for group in groups for offer in group.offers for token in mentions(offer.intent))
    return frozenset(PieceId(str(token.value)) for token in tokens if token.kind == "piece")


def _places(seen: Seen, lying: dict[Uid, Said], glow: tuple[str, ...]) -> tuple[Thing, ...]:
    """The tags on the game's places; of slots and corners only those of people who play."""
    game, seats = seen.game, len(seen.chairs)
    places = [place for place in game.places(seen.view.setup.pack) if _is_there(place, seats)]
    tags = (
        (pretend_uid(PlaceTag(game.id, place)), say("web.pretend.place", place=Place(place)), f"place:{place}" in glow)
        for place in places
    )
    return tuple(Thing(uid, said, None, lying.get(uid), hint) for uid, said, hint in tags)


def _is_there(place: PlaceId, seats: int) -> bool:
    head, _, rest = place.partition("/")
    seat = rest.partition("/")[0]
    return head.isdecimal() or not seat.isdecimal() or int(seat) < seats


def _tags(seats: int, lying: dict[Uid, Said]) -> tuple[Thing, ...]:
    """Tags that are no pieces: seats, numbers, and one that nobody knows."""
    who = [(pretend_uid(SeatTag(SeatId(i))), say("web.pretend.seat-tag", who=Seat(SeatId(i)))) for i in range(seats)]
    numbers = [(pretend_uid(NumberTag(n)), say("web.pretend.number-tag", number=n)) for n in range(1, 7)]
    tags = [*who, *numbers, (STRANGER, say("web.pretend.stranger"))]
    return tuple(Thing(uid, said, None, lying.get(uid)) for uid, said in tags)


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
