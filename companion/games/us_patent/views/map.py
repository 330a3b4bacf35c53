"""The map of the picture: nine boards three by three, their links and spaces, and the pawns beside their spaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from math import hypot
from typing import Final, TypeAlias

from companion.core import (
    TABLE,
    Chip,
    Disc,
    Name,
    PieceId,
    Place,
    PlaceId,
    Said,
    Seat,
    SeatId,
    Spot,
    Stroke,
    Token,
    Zone,
    say,
    seats_of,
)
from companion.games.us_patent.state import BOARDS, Kind, State, Tables, board_at, board_place, known

Point: TypeAlias = tuple[int, int]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Where: TypeAlias = tuple[Kind, int, int, int, int]
"""Of a space its kind, board, x, y and radius."""
EDGE, GAP = 3, 6
_WIDE, _HIGH = 114, 122
BOTTOM: Final = EDGE + 3 * (_HIGH + GAP)
_GRID: Final = ((1, 1), (0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1))
"""Column and row of boards 0 to 8 (P1)."""
_HEAD: Final = 18
_COLUMNS: Final = (20, 50, 80)
_RADIUS: Final[Mapping[Kind, int]] = {
    "plain": 5,
    "market": 14,
    "lab": 14,
    "library": 12,
    "office": 17,
    "mechanic": 13,
    "junkyard": 13,
}
_LINE, _IN_A_LINE, _LINES = 11, 3, 2
"""Of a chip: the height of a line, prices in one, and how many lines there are at most."""
_PAWN, _CLEAR = 8, 11.5
"""Of a pawn: its radius, and how far its middle stays from what it must not cover: as far as its shape reaches."""
_LETTER: Final = (3, 4, 6)
"""How far a pawn's letter reaches to either side, up and down."""
_STEP, _NEAR, _FARTHEST = 2, 36, 80


def mover(view: State) -> SeatId:
    """Whose turn it is; the table's before the first turn and after the last."""
    return view.turn if view.steps and view.machines[view.turn].card else TABLE


def boards(view: State) -> Iterator[Zone]:
    """The board where the pawn of whose turn it is stands is marked."""
    here = board_at(view, view.turn) if mover(view) != TABLE else -1
    for board, year in enumerate(view.setup.pack.years):
        yield _board(board, year, view.turn if board == here else TABLE)


@lru_cache(maxsize=256)
def _board(board: int, year: int, turn: SeatId) -> Zone:
    """Remembered, like all of the map that looks the same for many acts."""
    x, y = _corner(board)
    said = say("picture.board", year=year, board=board)
    if turn != TABLE:
        said = say("picture.board-turn", year=year, board=board, seat=Seat(turn))
    token = Token("place", board_place(board))
    return Zone(x, y, _WIDE, _HIGH, said, token=token, head=(year, board), marked=turn != TABLE)


def spots(view: State) -> dict[PlaceId, Spot]:
    """Every space of the map where it is drawn."""
    return {place: _spot(place, where, _lying(view, where)) for place, where in _layout(known(view)).items()}


@lru_cache(maxsize=16)
def links(tables: Tables) -> tuple[Stroke, ...]:
    """From rim to rim, where spaces are joined."""
    spaces = _layout(tables)
    ends = ((spaces[PlaceId(link.a)], spaces[PlaceId(link.b)]) for link in tables.pack.links)
    return tuple(Stroke((_rim(a, b), _rim(b, a)), "edge") for a, b in ends)


def pawns(view: State, places: Mapping[PlaceId, Spot]) -> Iterator[Disc]:
    """Each beside its space, where it covers neither icon nor number nor another's letter."""
    taken: dict[int, list[Box]] = {}
    beside: dict[PlaceId, Iterator[Point]] = {}
    for seat in seats_of(view):
        at, who = view.machines[seat].at, SeatId(seat)
        if at not in places:
            continue
        board = board_at(view, who)
        if board not in taken:
            taken[board] = list(_kept_clear(board, places))
        if at not in beside:
            beside[at] = _free(places[at], _corner(board), taken[board])
        x, y = next(beside[at])
        side, up, down = _LETTER
        taken[board].append((x - side, y - up, x + side, y + down))
        said = say("picture.pawn", seat=Seat(who), place=Place(at))
        yield Disc(x, y, _PAWN, said, who, "seat", Token("seat", who))


def board_box(board: int) -> tuple[int, int, int, int]:
    """Left, top, width and height of a board."""
    return (*_corner(board), _WIDE, _HIGH)


def _corner(board: int) -> Point:
    column, row = _GRID[board]
    return EDGE + column * (_WIDE + GAP), EDGE + row * (_HIGH + GAP)


@lru_cache(maxsize=16)
def _layout(tables: Tables) -> dict[PlaceId, Where]:
    """Where each space is. A board whose spaces lie on each other is laid out anew."""
    found = {}
    for board in range(BOARDS):
        mine = [space for space in tables.pack.spaces if int(space.id[0]) == board]
        are_apart = len({(space.x, space.y) for space in mine}) == len(mine)
        rows = max(1, (len(mine) - 1) // len(_COLUMNS))
        for at, space in enumerate(mine):
            row, column = divmod(at, len(_COLUMNS))
            x, y = (space.x, space.y) if are_apart else (_COLUMNS[column], 41 + 43 * row // rows)
            r = _RADIUS[space.kind]
            found[PlaceId(space.id)] = (space.kind, board, *_within(board, x, y, r), r)
    return found


def _within(board: int, x: int, y: int, r: int) -> Point:
    """Within its board and under its head, whatever an owner's pack says."""
    left, top = _corner(board)
    return (
        left + min(max(x * _WIDE // 100, r + 3), _WIDE - r - 3),
        top + min(max(y * _HIGH // 100, _HEAD + r), _HIGH - r - 3),
    )


def _lying(view: State, where: Where) -> tuple[str, ...]:
    """What stands on the chip of a space: the prices of a Market, or how many cards there are."""
    kind, board, *_ = where
    if kind == "market":
        return _prices(view, view.markets[board])
    n = len(view.labs[board]) if kind == "lab" else len(view.junkyard) if kind == "junkyard" else 0
    return (str(n),) if n else ()


@lru_cache(maxsize=1024)
def _spot(place: PlaceId, where: Where, lying: tuple[str, ...]) -> Spot:
    kind, board, x, y, r = where
    token, said = Token("place", place), say("picture.space", place=Place(place))
    match kind:
        case "plain":
            return Spot(x, y, r, said, token)
        case "market":
            said, lines = _market(place, lying)
            chip = _chip(x, y, r, board, lines, is_price=True)
            return Spot(x, y, r, said, token, "market", "square", not lying, chip)
        case "lab" | "junkyard":
            n = int(lying[0]) if lying else 0
            said = say("picture.pile", place=Place(place), n=n)
            chip = _chip(x, y, r, board, lying)
            return Spot(x, y, r, said, token, kind, "ring", not n, chip)
        case _:
            return Spot(x, y, r, said, token, kind, "double" if kind == "office" else "ring")


def _prices(view: State, cards: tuple[PieceId, ...]) -> tuple[str, ...]:
    tables = known(view)
    return tuple(str(rank) for rank in sorted(tables.cards[piece].rank for piece in cards))


def _market(place: PlaceId, prices: tuple[str, ...]) -> tuple[Said, tuple[str, ...]]:
    """Told in full; drawn as far as there is room."""
    if not prices:
        return say("picture.pile", place=Place(place), n=0), ()
    said = say("picture.market", place=Place(place), n=len(prices), prices=Name(", ".join(prices)))
    most = _LINES * _IN_A_LINE
    shown = prices if len(prices) <= most else (*prices[: most - 1], "…")
    return said, tuple(" ".join(shown[at : at + _IN_A_LINE]) for at in range(0, len(shown), _IN_A_LINE))


def _chip(x: int, y: int, r: int, board: int, lines: tuple[str, ...], *, is_price: bool = False) -> Chip | None:
    """Under its space; where the board ends there, above it and away from the middle."""
    if not lines:
        return None
    left, top = _corner(board)
    w, h = max(15, 5 + 6 * max(len(line) for line in lines)), 3 + _LINE * len(lines)
    under = y + r - 1
    if under + h > top + _HIGH - 2:
        under = y - r - h + 3
        x += r if x > left + _WIDE // 2 else -r
    return Chip(min(max(x - w // 2, left + 2), left + _WIDE - w - 2), under, w, h, lines, is_price)


def _rim(space: Where, toward: Where) -> Point:
    """Where a line to another space leaves this one."""
    _, _, x, y, r = space
    dx, dy = toward[2] - x, toward[3] - y
    part = min(1.0, r / max(1.0, (dx * dx + dy * dy) ** 0.5))
    return round(x + dx * part), round(y + dy * part)


def _kept_clear(board: int, places: Mapping[PlaceId, Spot]) -> Iterator[Box]:
    """What no pawn may cover on a board: both numbers of its head, icons, chips, and most of each dot."""
    x, y = _corner(board)
    yield x + 6, y + 4, x + 39, y + 16
    yield x + _WIDE - 26, y + 4, x + _WIDE, y + 16
    for place, spot in places.items():
        if int(place[0]) == board:
            half = _half(spot)
            yield spot.x - half, spot.y - half, spot.x + half, spot.y + half
            if spot.chip is not None:
                chip = spot.chip
                yield chip.x, chip.y, chip.x + chip.w, chip.y + chip.h


def _half(spot: Spot) -> int:
    """Half of the side of what must be seen of a space."""
    return spot.inner * 5 // 12 if spot.icon else 2


def _free(spot: Spot, corner: Point, covered: list[Box]) -> Iterator[Point]:
    """Points beside a space that are free when they are asked for."""
    left, top = corner[0] + _PAWN + 1, corner[1] + _PAWN + 1
    right, bottom = corner[0] + _WIDE - _PAWN - 1, corner[1] + _HIGH - _PAWN - 1
    for dx, dy in _offsets(spot.r, _half(spot)):
        x, y = spot.x + dx, spot.y + dy
        if left <= x <= right and top <= y <= bottom and all(_is_clear(x, y, box) for box in covered):
            yield x, y
    while True:  # a board with no room left
        yield spot.x + spot.r, spot.y - spot.r


def _is_clear(x: int, y: int, box: Box) -> bool:
    dx, dy = max(box[0] - x, x - box[2], 0), max(box[1] - y, y - box[3], 0)
    return dx * dx + dy * dy >= _CLEAR * _CLEAR


def _offsets(r: int, half: int) -> Iterator[Point]:
    """Offsets from a space that leave it to be seen: the near ones first, and of those the ones at its upper right."""
    near = _around(r, half, _NEAR)
    yield from near
    yield from _around(r, half, _FARTHEST)[len(near) :]


@cache
def _around(r: int, half: int, reach: int) -> tuple[Point, ...]:
    """These offsets in their order, as far as `reach` knows it; as most find room near by, few are worked out."""
    span = range(-reach, reach + 1, _STEP)
    clear = ((x, y) for x in span for y in span if _is_clear(x, y, (-half, -half, half, half)))
    far = ((hypot(*p) + hypot(p[0] - r, p[1] + r) / 2, p) for p in clear)
    found = sorted((each for each in far if reach == _FARTHEST or each[0] <= reach), key=lambda each: each[0])
    return tuple(point for _, point in found)
