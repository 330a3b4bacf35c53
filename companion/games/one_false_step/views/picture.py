"""The map drawn: boards, lines, cities with their counters, claims with their owners, and what is in reach now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from companion.core import (
    Card,
    Disc,
    Ink,
    Picture,
    Piece,
    Place,
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

Spot: TypeAlias = Callable[[Point], Point]
TILE: Final = 150
_TRACES: Final = 6
"""More names to choose from would not fit beside a map."""
MARGIN, _GAP, _CITY_W, _CITY_H, _CLAIM, _RING, _BOOK = 8, 6, 44, 20, 7, 10, 24


def picture(view: State) -> Picture:
    """The map above, a row of the books for each seat below, and the same as rows of words."""
    left, above, columns, rows = _frame(view)
    width, y = max(columns * TILE, 2 * TILE) + 2 * MARGIN, rows * TILE + 2 * MARGIN
    fold = y if rows else 0

    def spot(point: Point) -> Point:
        return (
            MARGIN + (point[0] - SIZE * left) * TILE // SIZE,
            MARGIN + (point[1] - SIZE * above) * TILE // SIZE,
        )

    shapes: list[Shape] = []
    for laid in view.laid:
        x, top_y = spot((SIZE * laid.x, SIZE * laid.y))
        token = Token("piece", board_piece(laid.board))
        shapes.append(Zone(x, top_y, TILE, TILE, say("picture.board", number=laid.board), token=token))
    where = county_of(view)
    shapes.extend(_traces(view, where, spot))
    shapes.extend(_lines(view, where, spot))
    shapes.extend(_claims(view, where, spot))
    shapes.extend(_cities(view, where, spot))
    for seat in seats_of(view):
        said = _book(view, SeatId(seat))
        shapes.append(Zone(MARGIN, y, width - 2 * MARGIN, _BOOK, said, SeatId(seat), Token("seat", seat)))
        y += _BOOK + _GAP
    return Picture(width, y, tuple(shapes), tuple(_rows(view, where)), fold=fold)


def _frame(view: State) -> tuple[int, int, int, int]:
    """The leftmost and topmost square of the map, its columns and rows."""
    xs, ys = [laid.x for laid in view.laid] or [0], [laid.y for laid in view.laid] or [0]
    rows = max(ys) - min(ys) + 1 if view.laid else 0
    return min(xs), min(ys), max(xs) - min(xs) + 1, rows


def _book(view: State, seat: SeatId) -> Said:
    red, food, gold = view.red[seat], view.food[seat], view.gold[seat]
    return say("picture.book", seat=Seat(seat), points=score(view, seat), red=red, food=food, gold=gold)


def _owner_at(view: State, where: County) -> dict[Point, SeatId]:
    """Whose claim or Active city is at a spot."""
    owners = dict(zip(where.spots[len(where.cities) :], view.claims, strict=False))
    for held in view.owned:
        if not held.chips and held.city in where.city_at:
            owners[where.spots[where.city_at[held.city]]] = held.seat
    return owners


def _traces(view: State, where: County, spot: Spot) -> Iterator[Stroke]:
    """What is connected to a city that someone chooses: on Monday one of the mover's, else any Active one."""
    step = top(view)
    cities = active(view, step.seat) if isinstance(step, Monday) else tuple(h for h in view.owned if not h.chips)
    for held in cities[:_TRACES]:
        mine, at = claims_of(view, held.seat), where.city_at[held.city]
        said = say("picture.trace", city=Piece(held.city), n=reach(where, at, mine).bit_count())
        yield Stroke(tuple(spot(point) for point in strands(where, at, mine)), "go", trace=said)


def _lines(view: State, where: County, spot: Spot) -> Iterator[Stroke]:
    """Dark where both ends are of one owner, so that strings of claims can be seen."""
    owners = _owner_at(view, where)
    for one, other in where.lines:
        joined = owners.get(one, NOBODYS) == owners.get(other, NOBODYS) != NOBODYS
        yield Stroke((spot(one), spot(other)), "ink" if joined else "soft")


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


def _claims(view: State, where: County, spot: Spot) -> Iterator[Shape]:
    step, reached = top(view), in_reach(view)
    mover = step.seat if isinstance(step, Monday) else NOBODYS
    for at, claim in enumerate(where.claims):
        x, y = spot(where.spots[len(where.cities) + at])
        owner = view.claims[at] if view.claims else NOBODYS
        token = Token("place", claim)
        if reached >> at & 1 and owner != mover:
            said = say("picture.open" if owner == NOBODYS else "picture.jump", claim=Place(claim))
            yield Disc(x, y, _RING, said, ink="go" if owner == NOBODYS else "stop", token=token)
        ink: Ink = "brass" if claim.startswith("mine/") else "yellow"
        is_free, word = owner == NOBODYS, Word("kind." + claim.partition("/")[0])
        said = _claim(view, where, at)
        yield Disc(x, y, _CLAIM, said, None if is_free else owner, ink, token, hollow=is_free, word=word)


def _claim(view: State, where: County, at: int) -> Said:
    claim, owner = Place(where.claims[at]), view.claims[at] if view.claims else NOBODYS
    return say("picture.claim", claim=claim) if owner == NOBODYS else say("picture.held", claim=claim, seat=Seat(owner))


def _cities(view: State, where: County, spot: Spot) -> Iterator[Shape]:
    for at, city in enumerate(where.cities):
        x, y = spot(where.spots[at])
        held = holding(view, city)
        said = say("picture.city", city=Piece(city))
        down = held is not None and held.chips > 0
        yield Card(x - _CITY_W // 2, y - _CITY_H // 2, _CITY_W, _CITY_H, said, down, Token("piece", city))
        if held is not None:
            counters = say("picture.counters", n=held.counters, seat=Seat(held.seat), city=Piece(city))
            yield Disc(x + _CITY_W // 2 - 2, y - _CITY_H // 2, _CLAIM, counters, held.seat, token=Token("piece", city))


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
            yield _claim(view, where, at)
