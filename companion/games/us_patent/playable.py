"""Whether a pack can be played to its end: asked when a game begins, and in the pack editor."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core import Name, PieceId, Place, PlaceId, Said, say

from .state import Pack, card_name, tables


def unplayable(pack: Pack) -> tuple[tuple[str, Said], ...]:
    """Why nobody could win with this pack (P30), or even start (P2); () if somebody can."""
    return tuple(_lost_starts(pack)) or tuple(_lost_offices(pack))


def _lost_starts(pack: Pack) -> Iterator[tuple[str, Said]]:
    spaces = {space.id for space in pack.spaces}
    for machine in pack.inventors:
        if machine.start not in spaces:
            text = f"the Time Machine {machine.id} starts at {machine.start}, which is not on the map"
            name = card_name(pack, PieceId(machine.id))
            yield text, say("pack.lost-start", card=name, name=Name(machine.start))


def _lost_offices(pack: Pack) -> Iterator[tuple[str, Said]]:
    """P30: there is an Office, and a way to it from wherever a pawn can be."""
    offices = {PlaceId(space.id) for space in pack.spaces if space.kind == "office"}
    if not offices:
        yield "there is no Patent Office on the map, so nobody can win", say("pack.no-office")
        return
    far = tables(pack).distances
    visited = {space for machine in pack.inventors for space in far[PlaceId(machine.start)]}
    for space in sorted(visited):
        if not offices & set(far[space]):
            yield f"no way leads from {space} to the Patent Office", say("pack.far-office", place=Place(space))
            return
