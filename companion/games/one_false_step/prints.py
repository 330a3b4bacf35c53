"""What is printed: City cards, the boards, Rocket and Know-how cards, counters for each seat and chips."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from companion.core import (
    Board,
    Card,
    Counter,
    Disc,
    Front,
    Ink,
    Name,
    Picture,
    PieceId,
    Prints,
    RuleId,
    Said,
    Seat,
    SeatId,
    Setup,
    Shape,
    Spot,
    Stroke,
    Token,
    Word,
    moved,
    say,
)

from .state import (
    JOINTS,
    KNOW_HOW,
    MOST_SEATS,
    SIZE,
    City,
    Laid,
    Pack,
    State,
    board_piece,
    city_cards,
    describe,
    price,
    rocket_cards,
    start,
    target,
)
from .state import Board as Section
from .views.picture import MARGIN, TILE, picture

_WIDE: Final = 132
"""Millimetres of a board's side, so that two fit on a sheet."""
_INSIDE: Final = 2
_NUMBER: Final = 20
"""The corner with the board's number."""
_LEVELS: Final = range(2, 11)
_EACH: Final = 18
_CHIPS: Final[tuple[tuple[str, Ink, int, int], ...]] = (
    ("red", "crimson", 1, 24), ("red", "crimson", 5, 24), ("food", "green", 1, 29), ("gold", "brass", 1, 30),
)  # fmt: skip
_REFERENCE: Final = (
    "F10", "F11", "F12", "F13", "F14", "F20", "F21", "F23", "F26", "F28", "F29", "F34", "F35",
)  # fmt: skip


def prints(setup: Setup[Pack]) -> Prints:
    pack, view = setup.pack, start(setup)
    rockets = (card for seat in range(MOST_SEATS) for card in rocket_cards(SeatId(seat)))
    return Prints(
        fronts=(
            *map(_city, city_cards(pack).values()),
            *(_rocket(view, card) for card in rockets),
            *(_know_how(pack, card) for card in KNOW_HOW),
        ),
        boards=tuple(_board(view, section) for section in pack.boards),
        counters=tuple(_counters()),
        reference=tuple(map(RuleId, _REFERENCE)),
    )


def _city(city: City) -> Front:
    star = (say("print.county-seat"),) if city.seat else ()
    return Front(
        token=Token("piece", city.id),
        name=say("piece.city", name=Name(city.name)),
        back="city",
        kind=say("print.city"),
        icon="county-seat" if city.seat else "town",
        facts=(say("piece.board", number=city.board), say("print.people", n=city.population)),
        text=(say("print.scores", n=city.red), say("print.eats", n=city.green), *star),
    )


def _rocket(view: State, card: PieceId) -> Front:
    levels = (
        say("card.rocket", level=level, price=price(view, level), target=target(view, level)) for level in _LEVELS
    )
    first = say("print.first-level", target=target(view, 1))
    return Front(
        token=Token("piece", card),
        name=describe(view.setup.pack, card),
        back="rocket",
        kind=say("print.rocket"),
        icon="rocket",
        text=(first, *levels),
    )


def _know_how(pack: Pack, card: PieceId) -> Front:
    return Front(
        token=Token("piece", card),
        name=describe(pack, card),
        back="know-how",
        kind=say("print.know-how"),
        icon="know-how",
        text=(Said("rule.F24"), Said("rule.F25")),
    )


def _board(view: State, section: Section) -> Board:
    """The board as phones draw it, plus the lines that continue where the next one begins."""
    alone = picture(replace(view, laid=(Laid(section.number, 0, 0),)))
    inside = tuple(_printed(moved(shape, -MARGIN, -MARGIN)) for shape in alone.shapes)
    drawn = Picture(TILE, TILE, (*_exits(section), *inside), ())
    return Board(say("piece.board", number=section.number), drawn, _WIDE, Token("piece", board_piece(section.number)))


def _printed(shape: Shape) -> Shape:
    """A claim shows what it is, whoever holds it; a city's name stays on its board and clear of its number."""
    match shape:
        case Disc(x=x, y=y, r=r, said=said, token=Token("place", place) as token):
            kind = str(place).partition("/")[0]
            return Spot(x, y, r, said, token, kind, "square" if kind == "mine" else "ring")
        case Card(x=x, y=y, w=w):
            top = y if x > _NUMBER else max(y, _NUMBER)
            return replace(shape, x=min(max(x, _INSIDE), TILE - w - _INSIDE), y=top)
        case _:
            return shape


def _exits(section: Section) -> Iterator[Shape]:
    spots = {town.id: (town.x, town.y) for town in section.towns}
    spots |= {claim.id: (claim.x, claim.y) for claim in section.claims}
    for joint in section.joints:
        yield Stroke((_spot(spots[joint.node]), _spot(JOINTS[joint.edge])), "soft")


def _spot(point: tuple[int, int]) -> tuple[int, int]:
    return point[0] * TILE // SIZE, point[1] * TILE // SIZE


def _counters() -> Iterator[Counter]:
    for seat in map(SeatId, range(MOST_SEATS)):
        yield Counter(say("choice", item=Seat(seat)), seat=seat, copies=_EACH)
    for name, ink, worth, copies in _CHIPS:
        yield Counter(say("choice", item=Word(f"print.{name}")), sign=str(worth), ink=ink, copies=copies)
    yield Counter(say("choice", item=Word("print.button")), icon="county-seat")
