"""The map of the picture: nine boards three by three, their links and spaces, and the pawns beside their spaces.

Its `Plan` says how large boards are: upright for a phone, or wide with room for the cards beside the spaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from math import hypot
from typing import Final, TypeAlias

from companion.core import (
    TABLE,
    Card,
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

from .plan import UPRIGHT, Box, Plan, Point

Where: TypeAlias = tuple[Kind, int, int, int, int]
"""The kind, board, x, y and radius of a space."""
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
"""For chips: the height of a line, prices per line, and the most lines."""
_PAWN, _CLEAR = 8, 11.5
"""For pawns: the radius, and how far the centre stays from what it must not cover: as far as its shape reaches."""
_LETTER: Final = (3, 4, 6)
"""How far a pawn's letter reaches to either side, up, and down."""
_STEP, _NEAR, _FARTHEST = 2, 36, 80


def mover(view: State) -> SeatId:
    """Whose turn it is; the table's before the first turn and after the last."""
    return view.turn if view.steps and view.machines[view.turn].card else TABLE


def boards(view: State, plan: Plan = UPRIGHT) -> Iterator[Zone]:
    """The board with the pawn of whose turn it is is marked."""
    here = board_at(view, view.turn) if mover(view) != TABLE else -1
    for board, year in enumerate(view.setup.pack.years):
        yield _board(plan, board, year, view.turn if board == here else TABLE)


@lru_cache(maxsize=256)
def _board(plan: Plan, board: int, year: int, turn: SeatId) -> Zone:
    """Cached, like everything on the map that looks the same for many acts."""
    x, y = plan.corner(board)
    said = say("picture.board", year=year, board=board)
    if turn != TABLE:
        said = say("picture.board-turn", year=year, board=board, seat=Seat(turn))
    token = Token("place", board_place(board))
    return Zone(x, y, plan.wide, plan.high, said, token=token, head=(year, board), marked=turn != TABLE)


def spots(view: State, plan: Plan = UPRIGHT) -> dict[PlaceId, Spot]:
    """Every space of the map, where it is drawn."""
    places = _layout(known(view), plan)
    return {place: _spot(plan, place, where, _lying(view, where)) for place, where in places.items()}


@lru_cache(maxsize=16)
def links(tables: Tables, plan: Plan = UPRIGHT) -> tuple[Stroke, ...]:
    """From rim to rim, between linked spaces."""
    spaces = _layout(tables, plan)
    ends = ((spaces[PlaceId(link.a)], spaces[PlaceId(link.b)]) for link in tables.pack.links)
    return tuple(Stroke((_rim(a, b), _rim(b, a)), "edge") for a, b in ends)


def pawns(
    view: State, places: Mapping[PlaceId, Spot], plan: Plan = UPRIGHT, cards: Iterable[Card] = ()
) -> Iterator[Disc]:
    """Each beside its space, where it covers no icon, number, other pawn's letter, or any of these cards."""
    lying = [(card.x, card.y, card.x + card.w, card.y + card.h) for card in cards]
    taken: dict[int, list[Box]] = {}
    beside: dict[PlaceId, Iterator[Point]] = {}
    for seat in seats_of(view):
        at, who = view.machines[seat].at, SeatId(seat)
        if at not in places:
            continue
        board = board_at(view, who)
        if board not in taken:
            taken[board] = [*_kept_clear(plan, board, places), *lying]
        if at not in beside:
            beside[at] = _free(plan, places[at], plan.corner(board), taken[board])
        x, y = next(beside[at])
        side, up, down = _LETTER
        taken[board].append((x - side, y - up, x + side, y + down))
        said = say("picture.pawn", seat=Seat(who), place=Place(at))
        yield Disc(x, y, _PAWN, said, who, "seat", Token("seat", who))


def board_box(board: int) -> tuple[int, int, int, int]:
    """Left, top, width and height of an upright board."""
    return (*UPRIGHT.corner(board), UPRIGHT.wide, UPRIGHT.high)


@lru_cache(maxsize=16)
def _layout(tables: Tables, plan: Plan) -> dict[PlaceId, Where]:
    """Where each space is. A board whose spaces overlap is laid out afresh."""
    found = {}
    for board in range(BOARDS):
        mine = [space for space in tables.pack.spaces if int(space.id[0]) == board]
        are_apart = len({(space.x, space.y) for space in mine}) == len(mine)
        rows = max(1, (len(mine) - 1) // len(_COLUMNS))
        for at, space in enumerate(mine):
            row, column = divmod(at, len(_COLUMNS))
            x, y = (space.x, space.y) if are_apart else (_COLUMNS[column], 41 + 43 * row // rows)
            r = _RADIUS[space.kind]
            found[PlaceId(space.id)] = (space.kind, board, *plan.within(board, x, y, r), r)
    return found


def _lying(view: State, where: Where) -> tuple[str, ...]:
    """What is on the chip of a space: the prices of a Market, or the number of cards."""
    kind, board, *_ = where
    if kind == "market":
        return _prices(view, view.markets[board])
    n = len(view.labs[board]) if kind == "lab" else len(view.junkyard) if kind == "junkyard" else 0
    return (str(n),) if n else ()


@lru_cache(maxsize=1024)
def _spot(plan: Plan, place: PlaceId, where: Where, lying: tuple[str, ...]) -> Spot:
    kind, board, x, y, r = where
    token, said = Token("place", place), say("picture.space", place=Place(place))
    match kind:
        case "plain":
            return Spot(x, y, r, said, token)
        case "market":
            said, lines = _market(place, lying)
            chip = None if plan.left else _chip(x, y, r, board, lines, is_price=True)
            return Spot(x, y, r, said, token, "market", "square", not lying, chip)
        case "lab" | "junkyard":
            n = int(lying[0]) if lying else 0
            said = say("picture.pile", place=Place(place), n=n)
            chip = _count(plan, board, lying) if plan.left and kind == "lab" else _chip(x, y, r, board, lying, plan)
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


def _count(plan: Plan, board: int, lines: tuple[str, ...]) -> Chip | None:
    """On its pile."""
    if not lines:
        return None
    left, top, right, bottom = plan.pile(board)
    w, h = max(15, 5 + 6 * len(lines[0])), 3 + _LINE
    return Chip(round(left + right - w) // 2, round(top + bottom - h) // 2, w, h, lines)


def _chip(
    x: int, y: int, r: int, board: int, lines: tuple[str, ...], plan: Plan = UPRIGHT, *, is_price: bool = False
) -> Chip | None:
    """Below its space; at the bottom of the board above it, away from the middle."""
    if not lines:
        return None
    left, top = plan.corner(board)
    w, h = max(15, 5 + 6 * max(len(line) for line in lines)), 3 + _LINE * len(lines)
    under = y + r - 1
    if under + h > top + plan.high - 2:
        under = y - r - h + 3
        x += r if x > left + plan.wide // 2 else -r
    return Chip(min(max(x - w // 2, left + 2), left + plan.wide - w - 2), under, w, h, lines, is_price)


def _rim(space: Where, toward: Where) -> Point:
    """Where a line to another space leaves this one."""
    _, _, x, y, r = space
    dx, dy = toward[2] - x, toward[3] - y
    part = min(1.0, r / max(1.0, (dx * dx + dy * dy) ** 0.5))
    return round(x + dx * part), round(y + dy * part)


def _kept_clear(plan: Plan, board: int, places: Mapping[PlaceId, Spot]) -> Iterator[Box]:
    """What no pawn may cover on a board: both numbers of its head, icons, chips, and most of each dot."""
    x, y = plan.corner(board)
    yield x + 6, y + 4, x + 39, y + 16
    yield x + plan.wide - 26, y + 4, x + plan.wide, y + 16
    for place, spot in places.items():
        if int(place[0]) == board:
            half = _half(spot)
            yield spot.x - half, spot.y - half, spot.x + half, spot.y + half
            if spot.chip is not None:
                chip = spot.chip
                yield chip.x, chip.y, chip.x + chip.w, chip.y + chip.h


def _half(spot: Spot) -> int:
    """Half the side of the part of a space that must stay visible."""
    return spot.inner * 5 // 12 if spot.icon else 2


def _free(plan: Plan, spot: Spot, corner: Point, covered: list[Box]) -> Iterator[Point]:
    """Points beside a space that are free when asked for."""
    left, top = corner[0] + _PAWN + 1, corner[1] + _PAWN + 1
    right, bottom = corner[0] + plan.wide - _PAWN - 1, corner[1] + plan.high - _PAWN - 1
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
    """Offsets from a space that leave it visible, near ones first, and among those the upper right first."""
    near = _around(r, half, _NEAR)
    yield from near
    yield from _around(r, half, _FARTHEST)[len(near) :]


@cache
def _around(r: int, half: int, reach: int) -> tuple[Point, ...]:
    """These offsets in order, as far as `reach`; most pawns find room nearby, so few need computing."""
    span = range(-reach, reach + 1, _STEP)
    clear = ((x, y) for x in span for y in span if _is_clear(x, y, (-half, -half, half, half)))
    far = ((hypot(*p) + hypot(p[0] - r, p[1] + r) / 2, p) for p in clear)
    found = sorted((each for each in far if reach == _FARTHEST or each[0] <= reach), key=lambda each: each[0])
    return tuple(point for _, point in found)
