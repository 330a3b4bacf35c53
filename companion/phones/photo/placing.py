"""Which slots of a printed sheet the codes on a photo lie in. Pure.

The sheet is flat, so one projection maps its millimetres to the photo's pixels. It is fitted to the codes whose spot on
the sheet is certain: those of empty slots, and that of the card that anchors the sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from math import hypot
from typing import Final, TypeAlias

from msgspec import Struct

from companion.core import CARD, PieceId, PlaceId, SlotCode, Spread

from .spotting import Sighted, Spotted

CODE: Final = 10.0
"""Millimetres, as printed."""
REACH: Final = 26.0
"""Millimetres allowed for a card being off its slot and the projection being wrong; the next slot is 63 away."""

Spot: TypeAlias = tuple[float, float]
Pair: TypeAlias = tuple[Spot, Spot]
"""A spot on the sheet, in millimetres, and where it is on the photo."""
_Matrix: TypeAlias = tuple[float, float, float, float, float, float, float, float]


class SheetSeen(Struct, frozen=True):
    """What a photo shows of the slots on one sheet. `neither`: in sight, but without a code."""

    lying: Mapping[PlaceId, PieceId]
    empty: frozenset[PlaceId]
    neither: frozenset[PlaceId]

    @property
    def in_sight(self) -> frozenset[PlaceId]:
        return self.empty | self.neither | self.lying.keys()


def slots(
    spread: Spread,
    sighted: Sighted,
    places: Mapping[PlaceId, Spotted],
    pieces: Mapping[PieceId, Spotted],
    anchor: PieceId,
) -> SheetSeen | None:
    """What lies on a sheet; None if the photo does not show it. `anchor` is the card at the sheet's anchor."""
    sure = {cell: places[cell.place] for cell in spread.cells if cell.place in places}
    sure |= {cell: pieces[anchor] for cell in spread.cells if cell.place == spread.anchor and anchor in pieces}
    if not sure:
        return None
    certain = [pair for cell, code in sure.items() for pair in _corners(cell, code)]
    taken = {id(code) for code in sure.values()}
    others = {piece: code for piece, code in pieces.items() if id(code) not in taken}
    free = [cell for cell in spread.cells if cell not in sure]
    first = _nearest(_fit(certain), free, others)
    near = [(_middle(cell), others[piece].middle) for cell, piece in first.items()]
    sees = _fit([*certain, *near])
    lying = {cell.place: piece for cell, piece in _nearest(sees, free, others).items()}
    if anchor in pieces:
        lying[spread.anchor] = anchor
    rest = [cell for cell in free if cell.place not in lying and _is_inside(sees, cell, sighted)]
    empty = frozenset(cell.place for cell in sure if cell.place in places)
    return SheetSeen(lying, empty, frozenset(cell.place for cell in rest))


def _nearest(sees: _Matrix, free: Iterable[SlotCode], codes: Mapping[PieceId, Spotted]) -> dict[SlotCode, PieceId]:
    """Each slot with the card whose code is nearest to its own, if there is one nearby."""
    back = _inverse(sees)
    spots = {piece: _through(back, code.middle) for piece, code in codes.items()}
    cells = tuple(free)
    far = sorted(
        (hypot(spot[0] - _middle(cell)[0], spot[1] - _middle(cell)[1]), piece, n)
        for n, cell in enumerate(cells)
        for piece, spot in spots.items()
    )
    found: dict[SlotCode, PieceId] = {}
    for distance, piece, n in far:
        if distance <= REACH and cells[n] not in found and piece not in found.values():
            found[cells[n]] = piece
    return found


def _middle(cell: SlotCode) -> Spot:
    return float(CARD[0] * cell.column), float(CARD[1] * cell.row)


def _square(cell: SlotCode) -> tuple[Spot, ...]:
    (x, y), half = _middle(cell), CODE / 2
    return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)


def _corners(cell: SlotCode, code: Spotted) -> Iterable[Pair]:
    return zip(_square(cell), code.corners, strict=True)


def _is_inside(sees: _Matrix, cell: SlotCode, sighted: Sighted) -> bool:
    seen = (_through(sees, corner) for corner in _square(cell))
    return all(0 <= x < sighted.width and 0 <= y < sighted.height for x, y in seen)


# The projection


def _through(matrix: _Matrix, spot: Spot) -> Spot:
    a, b, c, d, e, f, g, h = matrix
    x, y = spot
    depth = g * x + h * y + 1.0
    depth = depth if abs(depth) > 1e-9 else 1e-9
    return (a * x + b * y + c) / depth, (d * x + e * y + f) / depth


def _inverse(matrix: _Matrix) -> _Matrix:
    a, b, c, d, e, f, g, h = matrix
    whole = a * e - b * d or 1e-12
    rows = (e - f * h, c * h - b, b * f - c * e, f * g - d, a - c * g, c * d - a * f, d * h - e * g, b * g - a * h)
    p, q, r, s, t, u, v, w = (each / whole for each in rows)
    return p, q, r, s, t, u, v, w


def _fit(pairs: list[Pair]) -> _Matrix:
    """The least-squares projection from spots to spots; exact if there are four pairs."""
    rows = list(chain.from_iterable(_equations(pair) for pair in pairs))
    square = [[sum(row[i] * row[j] for row in rows) for j in range(9)] for i in range(8)]
    a, b, c, d, e, f, g, h = _solved(square)
    return a, b, c, d, e, f, g, h


def _equations(pair: Pair) -> Iterable[tuple[float, ...]]:
    (x, y), (u, v) = pair
    yield x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y, u
    yield 0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y, v


def _solved(rows: list[list[float]]) -> list[float]:
    """Eight equations, solved by elimination; unknowns left open become 0."""
    size = len(rows)
    for at in range(size):
        best = max(range(at, size), key=lambda n: abs(rows[n][at]))
        rows[at], rows[best] = rows[best], rows[at]
        if abs(rows[at][at]) < 1e-12:
            continue
        rows[at] = [each / rows[at][at] for each in rows[at]]
        for n in range(size):
            if n != at and rows[n][at]:
                factor = rows[n][at]
                rows[n] = [x - factor * y for x, y in zip(rows[n], rows[at], strict=True)]
    return [row[-1] for row in rows]
