"""Laying out the pretend table for the game: what hands would lay and lift so that each zone has what belongs there."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from msgspec import Struct

from companion.core import Lies, PieceId, PlaceId, ReaderId, Uid
from companion.table.outside import PretendReader


class Moves(Struct, frozen=True):
    """First `lifts`, then `lays`."""

    lifts: tuple[Uid, ...]
    lays: tuple[tuple[Uid, ReaderId], ...]


def moves(readers: tuple[PretendReader, ...], lying: tuple[Lies, ...], uid_of: Callable[[PieceId], Uid]) -> Moves:
    """What lies right stays. A place with more pieces than readers gets the first of them; wands are left alone."""
    zones = sorted((reader for reader in readers if reader.place is not None), key=_place)
    lifts: list[Uid] = []
    lays: list[tuple[Uid, ReaderId]] = []
    for place, there in groupby(zones, _place):
        wanted = [uid_of(lies.piece) for lies in lying if lies.place == place]
        kept: set[Uid] = set()
        free: list[ReaderId] = []
        for reader in there:
            right = [uid for uid in reader.lying if uid in wanted]
            kept |= set(right)
            lifts += [uid for uid in reader.lying if uid not in wanted]
            free += [] if right else [reader.id]
        lays += zip((uid for uid in wanted if uid not in kept), free, strict=False)
    return Moves(tuple(lifts), tuple(lays))


def _place(reader: PretendReader) -> PlaceId:
    return reader.place or PlaceId("")
