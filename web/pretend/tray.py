"""The tray beside the drawn table: every tag that the picture doesn't show, in heaps, and loose what may be played."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from companion.core import Facing, GameId, Lies, PieceId, Place, PlaceId, Said, Seat, SeatId, Token, Uid, say
from companion.library import PieceTag, PlaceTag, pretend_uid
from companion.table.outside import Seen, Surface
from web.draw import Drawing

from .drawn import uid_of, written

LOOSE: Final = 8
"""More than this can't be taken in at a glance: a heap with more playable pieces stays a heap."""
STRANGER: Final = Uid("04A5A5A5A5A5A5")
"""A tag that isn't in the tagbook."""


class Thing(Struct, frozen=True):
    """One tagged piece as the person at the table sees it; an unknown tag stands for nothing."""

    uid: Uid
    said: Said
    token: str = ""
    facing: Facing | None = None
    on: Said | None = None
    """The reader on which it lies."""
    may: bool = False
    """Something may be done with it now."""
    where: Said | None = None
    """The heap it comes from, if it lies loose."""


class Heap(Struct, frozen=True):
    """Pieces that lie together; `id` stays the same while pieces come and go."""

    id: str
    said: Said
    things: tuple[Thing, ...]
    wanted: bool = False
    """Something in it may be played now."""


class Tray(Struct, frozen=True):
    loose: tuple[Thing, ...]
    heaps: tuple[Heap, ...]


def laid_out(found: tuple[Heap, ...], drawing: Drawing, glow: tuple[str, ...] = ()) -> Tray:
    """What the picture doesn't show: nothing appears in two places. Seats have tags beside their pawns.

    What the guide is talking about lies loose, so that nobody has to look for it.
    """
    drawn = {written(mark.points_at) for mark in drawing.marks if mark.points_at is not None}
    loose: list[Thing] = []
    left: list[Heap] = []
    for heap in found:
        things = tuple(t for t in heap.things if heap.id == "tags" or t.token not in drawn)
        spread = _spread(things, glow)
        loose += (replace(t, where=heap.said) for t in spread)
        things = tuple(t for t in things if t not in spread)
        left.append(replace(heap, things=things, wanted=any(t.may for t in things)))
    loose.sort(key=lambda thing: (thing.token not in glow, not thing.may))
    return Tray(tuple(loose), tuple(heap for heap in left if heap.things))


def _spread(things: tuple[Thing, ...], glow: tuple[str, ...]) -> tuple[Thing, ...]:
    """What lies loose: what may be played now."""
    playable, glowing = tuple(t for t in things if t.may), tuple(t for t in things if t.token in glow)
    return playable if len(playable) <= LOOSE and set(glowing) <= set(playable) else glowing


def heaps(seen: Seen, surface: Surface, lying: dict[Uid, Said], wanted: frozenset[PieceId]) -> tuple[Heap, ...]:
    """Every piece by where it lies, heaps with playable ones first; then the game's box and the other tags."""
    game, pack = seen.game, surface.pack
    beside = game.beside(pack)
    places: dict[PlaceId, list[Lies]] = {}
    for lies in surface.lying:
        if lies.piece not in beside:
            places.setdefault(lies.place, []).append(lies)

    def thing(piece: PieceId, facing: Facing | None) -> Thing:
        uid = pretend_uid(PieceTag(game.id, piece))
        return Thing(uid, game.describe(pack, piece), f"piece:{piece}", facing, lying.get(uid), piece in wanted)

    found = [
        Heap(
            id=place,
            said=say("web.pretend.place", place=Place(place)),
            things=tuple(thing(lies.piece, lies.facing) for lies in there),
            wanted=any(lies.piece in wanted for lies in there),
        )
        for place, there in places.items()
    ]
    found.sort(key=lambda heap: not heap.wanted)
    placed = {lies.piece for lies in surface.lying} | set(beside)
    boxed = tuple(thing(piece, None) for piece in game.pieces(pack) if piece not in placed)
    other = tuple(thing(piece, None) for piece in beside)
    found.append(Heap("box", say("web.pretend.in-box"), boxed))
    found.append(Heap("places", say("web.pretend.places"), _places(seen, lying)))
    found.append(Heap("tags", say("web.pretend.tags"), (*other, *_tags(len(seen.chairs), lying))))
    return tuple(heap for heap in found if heap.things)


def _places(seen: Seen, lying: dict[Uid, Said]) -> tuple[Thing, ...]:
    """The tags of the game's places; of slots and corners only those of people who play."""
    game, seats = seen.game, len(seen.chairs)
    places = [place for place in game.places(seen.view.setup.pack) if _is_there(place, seats)]
    tags = ((place, pretend_uid(PlaceTag(game.id, place))) for place in places)
    return tuple(
        Thing(uid, say("web.pretend.place", place=Place(place)), f"place:{place}", None, lying.get(uid))
        for place, uid in tags
    )


def _is_there(place: PlaceId, seats: int) -> bool:
    head, _, rest = place.partition("/")
    seat = rest.partition("/")[0]
    return head.isdecimal() or not seat.isdecimal() or int(seat) < seats


def _tags(seats: int, lying: dict[Uid, Said]) -> tuple[Thing, ...]:
    """Tags that aren't pieces: seats, numbers, and an unknown one."""
    who = [(Token("seat", seat), say("web.pretend.seat-tag", who=Seat(SeatId(seat)))) for seat in range(seats)]
    numbers = [(Token("number", n), say("web.pretend.number-tag", number=n)) for n in range(1, 7)]
    tags = [(uid_of(GameId(""), token), said, written(token)) for token, said in (*who, *numbers)]
    tags.append((STRANGER, say("web.pretend.stranger"), ""))
    return tuple(Thing(uid, said, token, None, lying.get(uid)) for uid, said, token in tags)
