"""The map that five boards make: what is next to what, and what is connected (F12, F13, F.ac).

Claims and cities of a map are numbered; sets of them are bits of one number, so a connection takes few operations.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct

from companion.core import TABLE, PieceId, PlaceId, SeatId

from .parts import JOINTS, SIZE, Board, Laid, Pack, Same

Point = tuple[int, int]
BOARDS: Final = 5
"""F1: of eight sections, five are laid."""


class County(Struct, frozen=True, eq=False):
    """A map. `city_near[c]` are the claims beside city c; `near[k]` and `towns_near[k]` are what is beside claim k.

    `spots` are the positions of cities, then claims, and `lines` the drawn lines, all in units of the boards.
    """

    cities: tuple[PieceId, ...]
    claims: tuple[PlaceId, ...]
    mines: int
    city_near: tuple[int, ...]
    near: tuple[int, ...]
    towns_near: tuple[int, ...]
    spots: tuple[Point, ...]
    lines: tuple[tuple[Point, Point], ...]
    city_at: dict[PieceId, int]
    claim_at: dict[PlaceId, int]


def county(pack: Pack, laid: tuple[Laid, ...]) -> County:
    """The map of these boards as they lie."""
    kept = _MAPS.get(id(laid))
    if kept is None or kept[0] is not pack:
        if len(_MAPS) >= MOST_MAPS:
            _MAPS.clear()
        kept = _MAPS[id(laid)] = pack, laid, _county(Same(pack), laid)
    return kept[2]


MOST_MAPS: Final = 64
_MAPS: Final[dict[int, tuple[Pack, tuple[Laid, ...], County]]] = {}
"""By identity of what is laid, which is kept with the map: the same tuple is asked about from move to move."""


@lru_cache(MOST_MAPS)
def _county(same: Same, laid: tuple[Laid, ...]) -> County:
    boards = {board.number: board for board in same.pack.boards}
    cities: list[PieceId] = []
    claims: list[PlaceId] = []
    mines = 0
    spot_of: dict[str, Point] = {}
    links: list[tuple[str, str]] = []
    for lies in laid:
        board = boards[lies.board]
        for town in board.towns:
            cities.append(PieceId(town.id))
            spot_of[town.id] = turned((town.x, town.y), lies)
        for claim in board.claims:
            place = PlaceId(f"{claim.kind}/{board.number}-{claim.id}")
            mines |= (claim.kind == "mine") << len(claims)
            claims.append(place)
            spot_of[place] = turned((claim.x, claim.y), lies)
        links += _links(board)
    links += _joined(boards, laid)
    lines = tuple((spot_of[a], spot_of[b]) for a, b in links)
    spots = tuple(spot_of[node] for node in (*cities, *claims))
    return _graph(tuple(cities), tuple(claims), mines, links, spots, lines)


def _graph(
    cities: tuple[PieceId, ...],
    claims: tuple[PlaceId, ...],
    mines: int,
    links: list[tuple[str, str]],
    spots: tuple[Point, ...],
    lines: tuple[tuple[Point, Point], ...],
) -> County:
    city_at, claim_at = {c: i for i, c in enumerate(cities)}, {k: i for i, k in enumerate(claims)}
    city_near, near, towns_near = [0] * len(cities), [0] * len(claims), [0] * len(claims)
    for one, other in (*links, *((b, a) for a, b in links)):
        claim = claim_at.get(PlaceId(other))
        if claim is None:
            continue
        if one in claim_at:
            near[claim_at[PlaceId(one)]] |= 1 << claim
        else:
            city_near[city_at[PieceId(one)]] |= 1 << claim
            towns_near[claim] |= 1 << city_at[PieceId(one)]
    return County(
        cities, claims, mines, tuple(city_near), tuple(near), tuple(towns_near), spots, lines, city_at, claim_at
    )


def node_id(board: Board, node: str) -> str:
    """A town's own id, or a claim's place."""
    kind = next((claim.kind for claim in board.claims if claim.id == node), None)
    return node if kind is None else f"{kind}/{board.number}-{node}"


def _links(board: Board) -> Iterator[tuple[str, str]]:
    return ((node_id(board, a), node_id(board, b)) for a, b in board.links)


def _joined(boards: dict[int, Board], laid: tuple[Laid, ...]) -> Iterator[tuple[str, str]]:
    """Lines that continue from one board to the next: two joints at the same spot."""
    open_ends: dict[Point, str] = {}
    for lies in laid:
        board = boards[lies.board]
        for joint in board.joints:
            spot, node = turned(JOINTS[joint.edge], lies), node_id(board, joint.node)
            if spot in open_ends:
                yield open_ends[spot], node
            else:
                open_ends[spot] = node


def turned(point: Point, lies: Laid) -> Point:
    """A point of a board, where it is on the table."""
    x, y = point
    for _ in range(lies.turn % 4):
        x, y = SIZE - y, x
    return x + SIZE * lies.x, y + SIZE * lies.y


def squares_beside(laid: tuple[Laid, ...]) -> tuple[Point, ...]:
    """The free squares that share an edge with a laid board; the first board goes to 0, 0."""
    if not laid:
        return ((0, 0),)
    taken = {(lies.x, lies.y) for lies in laid}
    beside = ((x + dx, y + dy) for x, y in taken for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)))
    return tuple(sorted({square for square in beside if square not in taken}))


def all_meet(laid: tuple[Laid, ...]) -> bool:
    """Whether each board can be reached from every other across shared edges (F.ax)."""
    if not laid:
        return False
    taken = {(lies.x, lies.y) for lies in laid}
    found, todo = set[Point](), [(laid[0].x, laid[0].y)]
    while todo:
        x, y = square = todo.pop()
        if square in taken and square not in found:
            found.add(square)
            todo += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return found == taken


def bits(mask: int) -> Iterator[int]:
    """The numbers in a set, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


@lru_cache(4096)
def holdings(claims: tuple[SeatId, ...], seats: int) -> tuple[int, ...]:
    """The claims of each seat, as sets."""
    held = [0] * (seats + 1)
    for at, seat in enumerate(claims):
        held[seat] |= 1 << at
    return tuple(held[:seats])


@lru_cache(8192)
def reach(where: County, city: int, held: int) -> int:
    """F13: the claims connected to a city for the owner of the claims `held`, including those claims."""
    found, done = where.city_near[city], 0
    while todo := found & held & ~done:
        for claim in bits(todo):
            found |= where.near[claim]
        done |= todo
    return found


def strands(where: County, city: int, held: int) -> tuple[Point, ...]:
    """One walk along every line that `reach` follows, there and back, to be drawn without lifting the pen."""
    first, seen, walk = len(where.cities), 0, [where.spots[city]]

    def along(claims: int, here: Point) -> None:
        nonlocal seen
        for claim in bits(claims):
            if seen >> claim & 1:
                continue
            seen |= 1 << claim
            there = where.spots[first + claim]
            walk.append(there)
            along(where.near[claim] if held >> claim & 1 else 0, there)
            walk.append(here)

    along(where.city_near[city], where.spots[city])
    return tuple(walk)


@lru_cache(8192)
def backing(where: County, claim: int, held: int) -> int:
    """F.ac: the cities that a claim touches by a line or through a string of the claims `held`."""
    string, done = 1 << claim, 0
    towns = 0
    while todo := string & ~done:
        for at in bits(todo):
            towns |= where.towns_near[at]
            string |= where.near[at] & held
        done |= todo
    return towns


NOBODYS: Final = TABLE
"""The owner of an unoccupied claim, and the holder of what lies in the Bank."""
