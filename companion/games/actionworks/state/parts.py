"""Parts and Demands: what a deck holds, and what a card's id says about it.

A Part's id has its type and value (`make-7`; `make-7a`, `make-7b` where several are identical), so play never has to
look into the pack; a Demand's id has its type (`demand-make`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Final, Literal, cast, get_args

from msgspec import Meta, Struct

from companion.core import CardKind, Name, PieceId, PlaceId, Said, Seat, SeatId, Word, Wrong, say

Type = Literal["make", "take", "borrow", "plan", "scrap", "copy"]
TYPES: Final[tuple[Type, ...]] = get_args(Type)
"""In the order in which the rounds add them (A1)."""

Value = Annotated[int, Meta(ge=0, le=99)]
Count = Annotated[int, Meta(ge=1, le=26)]


class Lot(Struct, frozen=True, forbid_unknown_fields=True):
    """A number of Parts of one type and value."""

    type: Type
    value: Value
    count: Count = 1


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """One text of a pack in both languages."""

    en: str
    fr: str


class Pack(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """A deck of Parts, counted. The six Demands are the same in every pack."""

    id: str
    name: Words
    note: Words
    parts: tuple[Lot, ...]


def pack_from_counts(pack_id: str, name: Words, note: Words, counts: Iterable[tuple[Type, int, int]]) -> Pack:
    """A pack for a deck counted at the table: (type, value, how many) in any order; lots of 0 are dropped."""
    return Pack(pack_id, name, note, tuple(Lot(*lot) for lot in sorted(counts, key=_lot_order) if lot[2]))


def _lot_order(lot: tuple[Type, int, int]) -> tuple[int, int]:
    return TYPES.index(lot[0]), lot[1]


def _with_lots(pack: Pack, lots: tuple[Lot, ...]) -> Pack:
    return pack_from_counts(pack.id, pack.name, pack.note, ((lot.type, lot.value, lot.count) for lot in lots))


def _called(lot: Lot) -> Said:
    return say("piece.part", type=Word(f"type.{lot.type}"), value=lot.value)


def _counted_twice(pack: Pack, lot: Lot) -> tuple[Wrong, ...]:
    there = any((other.type, other.value) == (lot.type, lot.value) for other in pack.parts)
    return (Wrong("value", say("card.part.twice")),) if there else ()


PARTS: Final[CardKind[Pack, Lot]] = CardKind(
    name="part",
    card=Lot,
    read=lambda pack: pack.parts,
    write=_with_lots,
    said=_called,
    wrong=_counted_twice,
    blank=Lot("make", 1),
    count="count",
)


class Part(Struct, frozen=True):
    """What is printed on a Part, with the mark that tells identical ones apart."""

    type: Type
    value: int
    mark: str


_PART: Final = re.compile(rf"({'|'.join(TYPES)})-(\d{{1,2}})([a-z]?)")
_DEMAND: Final = re.compile(rf"demand-({'|'.join(TYPES)})")
_REMEMBERED: Final = 512
"""More ids than any deck holds; limited because phones may send anything."""


@lru_cache(_REMEMBERED)
def part_of(card: PieceId) -> Part | None:
    """The Part behind an id; None for a Demand, an unknown card or no card at all."""
    found = _PART.fullmatch(card)
    return Part(cast(Type, found[1]), int(found[2]), found[3]) if found else None


@lru_cache(_REMEMBERED)
def kind_of(card: PieceId) -> Type | None:
    """The type of a Part."""
    part = part_of(card)
    return part.type if part else None


@lru_cache(_REMEMBERED)
def demanded_by(card: PieceId) -> Type | None:
    """The type that a Demand asks for."""
    found = _DEMAND.fullmatch(card)
    return cast(Type, found[1]) if found else None


def demand_for(kind: Type) -> PieceId:
    return PieceId(f"demand-{kind}")


@lru_cache(8)
def parts_in(pack: Pack, types: tuple[Type, ...]) -> tuple[PieceId, ...]:
    """The ids of all Parts of these types, sorted."""
    counted: dict[tuple[Type, int], int] = {}
    for lot in pack.parts:
        if lot.type in types:
            counted[lot.type, lot.value] = counted.get((lot.type, lot.value), 0) + lot.count
    return tuple(sorted(card for (kind, value), count in counted.items() for card in _ids(kind, value, count)))


def _ids(kind: Type, value: int, count: int) -> list[PieceId]:
    if count == 1:
        return [PieceId(f"{kind}-{value}")]
    return [PieceId(f"{kind}-{value}{chr(ord('a') + n)}") for n in range(count)]


def pieces(pack: Pack) -> tuple[PieceId, ...]:
    """Every piece to enrol: the Parts, then the Demands."""
    return (*parts_in(pack, TYPES), *(demand_for(kind) for kind in TYPES))


def describe(pack: Pack, piece: PieceId) -> Said:
    """A piece by name, if the pack has it."""
    if (kind := demanded_by(piece)) is not None:
        return say("piece.demand", type=Word(f"type.{kind}"))
    part = part_of(piece)
    if part is None:
        return say("piece.unknown")
    if part.mark:
        return say("piece.part-marked", type=Word(f"type.{part.type}"), value=part.value, mark=Name(part.mark))
    return say("piece.part", type=Word(f"type.{part.type}"), value=part.value)


def place(place: PlaceId) -> Said:
    """A place by name: `deck`, `bench`, `heap`, `box`, or a seat's `hand/0`, `pile/0`, `demand/0`."""
    area, _, seat = place.partition("/")
    return say(f"place.{area}", seat=Seat(SeatId(int(seat)))) if seat.isdecimal() else say(f"place.{area}")
