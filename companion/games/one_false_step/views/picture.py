"""The map drawn: boards, lines, cities with their counters, claims with their owners, and what is in reach now."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from companion.core import (
    Card,
    Disc,
    Ink,
    Picture,
    Piece,
    PieceId,
    Place,
    PlaceId,
    Said,
    Seat,
    SeatId,
    Shape,
    Stroke,
    Token,
    Word,
    Zone,
    say,
    seats_of,
    top,
)
from companion.games.one_false_step.state import (
    NOBODYS,
    SIZE,
    County,
    Holding,
    Monday,
    Point,
    State,
    active,
    board_piece,
    claims_of,
    county_of,
    holding,
    reach,
    score,
    strands,
    within_reach,
)

TILE: Final = 150
_TRACES: Final = 6
"""More names to choose from would not fit beside a map."""
MARGIN, _GAP, _CITY_W, _CITY_H, _CLAIM, _RING, _BOOK = 8, 6, 44, 20, 7, 10, 24
_SHAPE: Final = 1.57
"""How much wider than high the space for a picture is on a screen."""
_BESIDE: Final = 232
"""The width of the books beside the map."""


def picture(view: State) -> Picture:
    """The map above, a row of the books for each seat below, and the same as rows of words."""
    _, _, columns, rows = _frame(view)
    width, y = max(columns * TILE, 2 * TILE) + 2 * MARGIN, rows * TILE + 2 * MARGIN
    shapes = [*_map(view), *_books(view, MARGIN, y, width - 2 * MARGIN)]
    high = y + len(seats_of(view)) * (_BOOK + _GAP)
    return Picture(width, high, tuple(shapes), tuple(_rows(view, county_of(view))), fold=y if rows else 0)


def landscape(view: State) -> Picture:
    """The same with the books beside the map, if that leaves the map larger."""
    _, _, columns, rows = _frame(view)
    width, high = columns * TILE + 2 * MARGIN, rows * TILE + 2 * MARGIN
    books, beside = len(seats_of(view)) * (_BOOK + _GAP), width + _BESIDE + MARGIN
    if not rows or max(beside, high * _SHAPE) > max(width, (high + books) * _SHAPE):
        return picture(view)
    shapes = [*_map(view), *_books(view, width, MARGIN, _BESIDE)]
    return Picture(beside, max(high, MARGIN + books), tuple(shapes), tuple(_rows(view, county_of(view))))


def _books(view: State, x: int, y: int, wide: int) -> Iterator[Zone]:
    for at, seat in enumerate(seats_of(view)):
        said = _book(view, SeatId(seat))
        yield Zone(x, y + at * (_BOOK + _GAP), wide, _BOOK, said, SeatId(seat), Token("seat", seat))


def _map(view: State) -> Iterator[Shape]:
    left, above, *_ = _frame(view)
    for laid in view.laid:
        x, top_y = _at((left, above), (SIZE * laid.x, SIZE * laid.y))
        token = Token("piece", board_piece(laid.board))
        yield Zone(x, top_y, TILE, TILE, say("picture.board", number=laid.board), token=token)
    where = county_of(view)
    yield from _traces(view, where, (left, above))
    yield from _lines(where, view.claims, view.owned, (left, above))
    yield from _claims(view, where, (left, above))
    yield from _cities(where, view.owned, (left, above))


def _frame(view: State) -> tuple[int, int, int, int]:
    """The leftmost and topmost square of the map, its columns and rows."""
    xs, ys = [laid.x for laid in view.laid] or [0], [laid.y for laid in view.laid] or [0]
    rows = max(ys) - min(ys) + 1 if view.laid else 0
    return min(xs), min(ys), max(xs) - min(xs) + 1, rows


def _book(view: State, seat: SeatId) -> Said:
    red, food, gold = view.red[seat], view.food[seat], view.gold[seat]
    return say("picture.book", seat=Seat(seat), points=score(view, seat), red=red, food=food, gold=gold)


def _at(corner: Point, point: Point) -> Point:
    """Where a point of the boards is drawn, with that square in the corner of the map."""
    return (
        MARGIN + (point[0] - SIZE * corner[0]) * TILE // SIZE,
        MARGIN + (point[1] - SIZE * corner[1]) * TILE // SIZE,
    )


def _owner_at(where: County, claims: tuple[SeatId, ...], owned: tuple[Holding, ...]) -> dict[Point, SeatId]:
    """Whose claim or Active city is at each spot."""
    owners = dict(zip(where.spots[len(where.cities) :], claims, strict=False))
    for held in owned:
        if not held.chips and held.city in where.city_at:
            owners[where.spots[where.city_at[held.city]]] = held.seat
    return owners


def _traces(view: State, where: County, corner: Point) -> Iterator[Stroke]:
    """What is connected to a city that someone selects: on Monday one of the mover's, else any Active one."""
    step = top(view)
    cities = active(view, step.seat) if isinstance(step, Monday) else tuple(h for h in view.owned if not h.chips)
    for held in cities[:_TRACES]:
        mine, at = claims_of(view, held.seat), where.city_at[held.city]
        said = say("picture.trace", city=Piece(held.city), n=reach(where, at, mine).bit_count())
        yield Stroke(tuple(_at(corner, point) for point in strands(where, at, mine)), "go", trace=said)


@lru_cache(maxsize=64)
def _lines(where: County, claims: tuple[SeatId, ...], owned: tuple[Holding, ...], corner: Point) -> tuple[Stroke, ...]:
    """Dark where both ends have the same owner, so that strings of claims can be seen.

    Cached, as claims and cities are: they stay the same while people bid, feed and launch.
    """
    owners = _owner_at(where, claims, owned)

    def line(one: Point, other: Point) -> Stroke:
        joined = owners.get(one, NOBODYS) == owners.get(other, NOBODYS) != NOBODYS
        return _line(_at(corner, one), _at(corner, other), "ink" if joined else "soft")

    return tuple(line(one, other) for one, other in where.lines)


@lru_cache(maxsize=1024)
def _line(one: Point, other: Point, ink: Ink) -> Stroke:
    return Stroke((one, other), ink)


def in_reach(view: State) -> int:
    """The claims where the seat on Monday could put a counter, free or another's."""
    step = top(view)
    if not isinstance(step, Monday):
        return 0
    found = 0
    for held in active(view, step.seat):
        if held.middle:
            found |= within_reach(view, step.seat, held.city)
    return found


def _claims(view: State, where: County, corner: Point) -> Iterator[Shape]:
    step, reached = top(view), in_reach(view)
    mover = step.seat if isinstance(step, Monday) else NOBODYS
    for at, claim in enumerate(where.claims):
        point = _at(corner, where.spots[len(where.cities) + at])
        owner = view.claims[at] if view.claims else NOBODYS
        if reached >> at & 1 and owner != mover:
            yield _ring(claim, point, owner)
        yield _counter(claim, point, owner)


@lru_cache(maxsize=512)
def _ring(claim: PlaceId, point: Point, owner: SeatId) -> Disc:
    """A claim in reach."""
    is_free = owner == NOBODYS
    said = say("picture.open" if is_free else "picture.jump", claim=Place(claim))
    return Disc(*point, _RING, said, ink="go" if is_free else "stop", token=Token("place", claim))


@lru_cache(maxsize=1024)
def _counter(claim: PlaceId, point: Point, owner: SeatId) -> Disc:
    """A claim, with its owner's counter if it has one."""
    ink: Ink = "brass" if claim.startswith("mine/") else "yellow"
    is_free, word, token = owner == NOBODYS, Word("kind." + claim.partition("/")[0]), Token("place", claim)
    said = _claim(claim, owner)
    return Disc(*point, _CLAIM, said, None if is_free else owner, ink, token, hollow=is_free, word=word)


def _claim(claim: PlaceId, owner: SeatId) -> Said:
    at = Place(claim)
    return say("picture.claim", claim=at) if owner == NOBODYS else say("picture.held", claim=at, seat=Seat(owner))


@lru_cache(maxsize=64)
def _cities(where: County, owned: tuple[Holding, ...], corner: Point) -> tuple[Shape, ...]:
    holders = {held.city: held for held in owned}
    at = zip(where.cities, where.spots, strict=False)
    return tuple(shape for city, spot in at for shape in _city(city, _at(corner, spot), holders.get(city)))


@lru_cache(maxsize=1024)
def _city(city: PieceId, point: Point, held: Holding | None) -> tuple[Shape, ...]:
    """Its card, and whose counters lie on it, and how many."""
    x, y = point[0] - _CITY_W // 2, point[1] - _CITY_H // 2
    token, down = Token("piece", city), held is not None and held.chips > 0
    card = Card(x, y, _CITY_W, _CITY_H, say("picture.city", city=Piece(city)), down, token)
    if held is None:
        return (card,)
    counters = say("picture.counters", n=held.counters, seat=Seat(held.seat), city=Piece(city))
    return card, Disc(x + _CITY_W, y - _CLAIM // 2, _CLAIM, counters, held.seat, token=token)


def _rows(view: State, where: County) -> Iterator[Said]:
    yield from (_book(view, SeatId(seat)) for seat in seats_of(view))
    for city in where.cities:
        held = holding(view, city)
        if held is None:
            yield say("picture.city-free", city=Piece(city))
        elif held.chips:
            yield say("picture.city-inactive", city=Piece(city), seat=Seat(held.seat), n=held.chips)
        else:
            yield say("picture.city-held", city=Piece(city), seat=Seat(held.seat), n=held.counters)
    step, reached = top(view), in_reach(view)
    mover = step.seat if isinstance(step, Monday) else NOBODYS
    for at, claim in enumerate(where.claims):
        owner = view.claims[at] if view.claims else NOBODYS
        if reached >> at & 1 and owner != mover:
            yield say("picture.open" if owner == NOBODYS else "picture.jump", claim=Place(claim))
        elif owner != NOBODYS:
            yield _claim(claim, owner)
