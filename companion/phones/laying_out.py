"""Laying the table again: what belongs where, and what photos have shown to be there already.

For a game that is resumed, imported or moved to another table. Made from the view of whoever lays it out. Which pieces
are laid is one number with a bit for each piece, so that a page can carry it and the box need not remember.
"""

from __future__ import annotations

from msgspec import Struct

from companion.core import UNKNOWN, Piece, PieceId, Place, PlaceId, Said, called, say
from companion.table import Seen

from .showing import Laying


class PieceThere(Struct, frozen=True):
    """One piece that lies face up; `laid` once a photo has shown it in place."""

    said: Said
    laid: bool


class PlaceThere(Struct, frozen=True):
    """What belongs in one place: pieces that a photo can show, and how many lie there face down."""

    said: Said
    pieces: tuple[PieceThere, ...]
    down: int

    @property
    def is_laid(self) -> bool:
        return all(piece.laid for piece in self.pieces)


def places(seen: Seen, laid: int) -> tuple[PlaceThere, ...]:
    """Everything that belongs on the table, place by place, in the order of the layout."""
    done = pieces_of(seen, laid)
    lying: dict[PlaceId, list[tuple[PieceId, bool]]] = {}
    for lies in seen.game.layout(seen.view):
        lying.setdefault(lies.place, []).append((lies.piece, lies.facing == "up" and lies.piece != UNKNOWN))
    return tuple(_at(seen, place, there, done) for place, there in lying.items())


def _at(seen: Seen, place: PlaceId, there: list[tuple[PieceId, bool]], done: frozenset[PieceId]) -> PlaceThere:
    game, view = seen.game, seen.view
    up = (piece for piece, is_up in there if is_up)
    rows = tuple(PieceThere(say("choice", item=called(game, view, Piece(piece))), piece in done) for piece in up)
    return PlaceThere(say("choice", item=called(game, view, Place(place))), rows, sum(not is_up for _, is_up in there))


def pieces_of(seen: Seen, laid: int) -> frozenset[PieceId]:
    every = seen.game.pieces(seen.view.setup.pack)
    return frozenset(piece for n, piece in enumerate(every) if laid >> n & 1)


def with_photo(seen: Seen, laid: int, shown: Laying) -> int:
    """The same number after one more photo: pieces shown in place count as laid, those shown elsewhere do not."""
    every = seen.game.pieces(seen.view.setup.pack)
    up = {lies.piece for lies in seen.game.layout(seen.view) if lies.facing == "up"}
    for n, piece in enumerate(every):
        if piece in shown.astray:
            laid &= ~(1 << n)
        elif piece in shown.seen and piece in up:
            laid |= 1 << n
    return laid
