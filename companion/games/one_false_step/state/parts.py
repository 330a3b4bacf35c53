"""Boards, City cards, Rocket and Know-how cards: what a box holds, and what an id says about it.

A town's id is its City card's (`farmington`); a claim's place is its board and letter (`mine/3-b`, `farm/3-c`).
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache
from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from companion.core import Misfit, Name, Piece, PieceId, PlaceId, Public, Said, Seat, SeatId, Word, say

System = Literal["guidance", "life", "fuel"]
SYSTEMS: Final[tuple[System, ...]] = get_args(System)
"""In the order in which a Moon Shot rolls for them (F26, F38)."""

MOST_SEATS: Final = 6
MOST_PACKS: Final = 16
"""For how many packs derived data is cached."""

SIZE: Final = 100
"""The side of a board section, in the units of its pack."""

Kind = Literal["mine", "farm"]
Edge = Literal["n1", "n2", "e1", "e2", "s1", "s2", "w1", "w2"]
Length = Annotated[int, Meta(ge=0, le=SIZE)]
Letter = Annotated[str, Meta(pattern="^[a-z]$", description="a small letter", title="pack.letter")]
TownId = Annotated[
    str,
    Meta(pattern=r"^[a-z]+(-[a-z]+)*$", min_length=2, max_length=24, description="a town's id", title="pack.town"),
]
Gold = Annotated[int, Meta(ge=0, le=99)]
Golds: TypeAlias = tuple[Gold, Gold, Gold, Gold, Gold, Gold, Gold, Gold, Gold, Gold]
Sum = Annotated[int, Meta(ge=1, le=12)]
Sums: TypeAlias = tuple[Sum, Sum, Sum, Sum, Sum, Sum, Sum, Sum, Sum, Sum]

JOINTS: Final[dict[Edge, tuple[int, int]]] = {
    "n1": (33, 0), "n2": (67, 0), "e1": (SIZE, 33), "e2": (SIZE, 67),
    "s1": (33, SIZE), "s2": (67, SIZE), "w1": (0, 33), "w2": (0, 67),
}  # fmt: skip
"""Where lines may leave a board; the same on every side, so that any boards fit in any orientation."""


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """One text of a pack in both languages."""

    en: str
    fr: str


class NoSuchPack(Misfit):
    """The boards make no valid map."""


class Town(Struct, frozen=True, forbid_unknown_fields=True):
    """A city on a board and its City card. `red` and `green` are its dots, `seat` its star."""

    id: TownId
    name: Annotated[str, Meta(min_length=1, max_length=24)]
    x: Length
    y: Length
    population: Annotated[int, Meta(ge=1, le=99999)]
    red: Annotated[int, Meta(ge=0, le=9)]
    green: Annotated[int, Meta(ge=0, le=9)]
    seat: bool = False


class Claim(Struct, frozen=True, forbid_unknown_fields=True):
    """A mine or farm that a counter may hold."""

    id: Letter
    kind: Kind
    x: Length
    y: Length


class Joint(Struct, frozen=True, forbid_unknown_fields=True):
    """A line from a town or claim to the edge; it continues if the next board has one at the same spot."""

    edge: Edge
    node: str


class Board(Struct, frozen=True, forbid_unknown_fields=True):
    """One board section: towns, claims, and the lines between them by id."""

    number: Annotated[int, Meta(ge=1, le=99)]
    towns: tuple[Town, ...]
    claims: tuple[Claim, ...]
    links: tuple[tuple[str, str], ...]
    joints: tuple[Joint, ...]

    def __post_init__(self) -> None:
        if lost := tuple(_nowhere(self)):
            raise NoSuchPack(*lost)


def _nowhere(board: Board) -> Iterator[tuple[str, Said]]:
    """The ends of lines that are not on their board, each with what may have been meant."""
    there = [*(town.id for town in board.towns), *(claim.id for claim in board.claims)]
    ends = dict.fromkeys((*(node for link in board.links for node in link), *(joint.node for joint in board.joints)))
    for node in ends:
        if node not in there:
            guess = next(iter(get_close_matches(node, there, 1)), "")
            key, meant = ("pack.line.meant", f"; did you mean {guess!r}?") if guess else ("pack.line.nowhere", "")
            said = say(key, board=board.number, node=Name(node), guess=Name(guess))
            yield f"a line of board {board.number} leads to {node!r}, which is not on it{meant}", said


class Laid(Struct, frozen=True):
    """A board on the table: its square, and how many quarter turns clockwise."""

    board: Public[int]
    x: Public[int]
    y: Public[int]
    turn: Public[int] = 0


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """Five boards laid as a suggestion."""

    name: Words
    boards: tuple[Laid, ...]


class Prices(Struct, frozen=True, forbid_unknown_fields=True):
    """The Gold for the step to each level, from level 1 on; the same for everybody (F23, F.a)."""

    corrected: Golds = (0, 1, 2, 3, 5, 7, 10, 13, 17, 21)
    printed: Golds = (0, 1, 2, 3, 6, 7, 10, 13, 17, 21)


class Targets(Struct, frozen=True, forbid_unknown_fields=True):
    """The least sum of two dice that a system of each level must roll (F26, F.b)."""

    corrected: Sums = (12, 11, 10, 9, 8, 7, 6, 5, 4, 3)
    printed: Sums = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)


class Rockets(Struct, frozen=True, forbid_unknown_fields=True):
    """What the Rocket cards say about each level, as we read it and as printed."""

    prices: Prices = Prices()
    targets: Targets = Targets()


class Pack(Struct, frozen=True, forbid_unknown_fields=True):
    """All boards with their cities, layouts to choose from, and the tables of the Rocket cards.

    Packs made before these tables were data have none, and use those of the rulebook.
    """

    id: str
    name: Words
    note: Words
    boards: tuple[Board, ...]
    layouts: tuple[Layout, ...] = ()
    rockets: Rockets = Rockets()

    def __post_init__(self) -> None:
        if twice := tuple(_twice(self)):
            raise NoSuchPack(*twice)


def _twice(pack: Pack) -> Iterator[tuple[str, Said]]:
    """Boards that share a number and towns that share an id."""
    numbers = [board.number for board in pack.boards]
    for number in dict.fromkeys(n for n in numbers if numbers.count(n) > 1):
        yield f"two boards have the number {number}; give one another", say("pack.board.twice", number=number)
    towns = [town.id for board in pack.boards for town in board.towns]
    for town in dict.fromkeys(t for t in towns if towns.count(t) > 1):
        yield f"two towns have the id {town!r}; rename one", say("pack.town.twice", town=Name(town))


class Same:
    """A pack compared by identity: hashing all of it at each question would cost more than the answer."""

    __slots__ = ("pack",)

    def __init__(self, pack: Pack) -> None:
        self.pack = pack

    def __hash__(self) -> int:
        return id(self.pack)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.pack is other.pack


class City(Struct, frozen=True):
    """What is printed on a City card."""

    id: PieceId
    name: str
    board: int
    population: int
    red: int
    green: int
    seat: bool


_CARDS: Final[dict[int, tuple[Pack, dict[PieceId, City]]]] = {}
"""By identity of their pack, which is kept with them so that no other pack can get the same id()."""


def city_cards(pack: Pack) -> dict[PieceId, City]:
    kept = _CARDS.get(id(pack))
    if kept is None:
        if len(_CARDS) >= MOST_PACKS:
            _CARDS.clear()
        kept = _CARDS[id(pack)] = pack, _city_cards(pack)
    return kept[1]


def _city_cards(pack: Pack) -> dict[PieceId, City]:
    return {
        PieceId(t.id): City(PieceId(t.id), t.name, board.number, t.population, t.red, t.green, t.seat)
        for board in pack.boards
        for t in board.towns
    }


KNOW_HOW: Final = tuple(PieceId(f"know-{system}") for system in SYSTEMS)


def board_piece(number: int) -> PieceId:
    return PieceId(f"board-{number}")


def board_number(piece: PieceId) -> int:
    """The number of a board section; 0 for any other piece."""
    number = piece.removeprefix("board-")
    return int(number) if number != piece and number.isdecimal() else 0


_ROCKETS: Final = tuple(tuple(PieceId(f"{system}-{seat + 1}") for system in SYSTEMS) for seat in range(MOST_SEATS))
ROCKET_SYSTEM: Final = {
    (seat, card): system for seat, cards in enumerate(_ROCKETS) for system, card in enumerate(cards)
}
"""The system of each Rocket card, by the seat it belongs to."""


def rocket_cards(seat: SeatId) -> tuple[PieceId, ...]:
    """The Rocket cards in front of a seat, system by system."""
    return _ROCKETS[seat]


def rocket_card(system: int, seat: SeatId) -> PieceId:
    """The Rocket card of a system (0, 1, 2) in front of a seat."""
    return _ROCKETS[seat][system]


@lru_cache(256)
def system_of(card: PieceId) -> int | None:
    """Which system a Rocket or Know-how card is about."""
    first, _, last = card.partition("-")
    name = last if first == "know" else first
    return SYSTEMS.index(name) if name in SYSTEMS else None


def pieces(pack: Pack) -> tuple[PieceId, ...]:
    """Every piece to enrol: City cards, boards, Rocket cards, Know-how cards."""
    rockets = (rocket_card(system, SeatId(seat)) for seat in range(MOST_SEATS) for system in range(len(SYSTEMS)))
    return (*city_cards(pack), *(board_piece(board.number) for board in pack.boards), *rockets, *KNOW_HOW)


def places(pack: Pack) -> tuple[PlaceId, ...]:
    """Every place that may carry a tag: the mines and farms, so that a wand can put a counter there."""
    return tuple(PlaceId(f"{claim.kind}/{board.number}-{claim.id}") for board in pack.boards for claim in board.claims)


def describe(pack: Pack, piece: PieceId) -> Said:
    """A piece by name, if the pack has it."""
    if (city := city_cards(pack).get(piece)) is not None:
        return say("piece.city", name=Name(city.name))
    if (number := board_number(piece)) and any(board.number == number for board in pack.boards):
        return say("piece.board", number=number)
    first, _, last = piece.partition("-")
    if piece in KNOW_HOW:
        return say("piece.know-how", system=Word(f"system.{last}"))
    if first in SYSTEMS and last.isdecimal() and 1 <= int(last) <= MOST_SEATS:
        return say("piece.rocket", system=Word(f"system.{first}"), set=int(last))
    return say("piece.unknown")


def place(place: PlaceId) -> Said:
    """A place by name, from its id alone."""
    area, _, rest = place.partition("/")
    match area:
        case "mine" | "farm":
            return say(f"place.{area}", name=Name(rest.replace("-", "")))
        case "city" | "card" | "train" | "on":
            return say(f"place.{area}", city=Piece(PieceId(rest)))
        case "before" | "rocket" | "red" | "food" | "gold" if rest.isdecimal():
            return say(f"place.{area}", seat=Seat(SeatId(int(rest))))
        case "at":
            x, _, y = rest.partition("/")
            return say("place.at", x=Name(_offset(x, "W", "E")), y=Name(_offset(y, "N", "S")))
        case _:
            return say(f"place.{area}")


def _offset(number: str, minus: str, plus: str) -> str:
    """A square counted from the first board: `2E`, `1N`, or 0."""
    return f"{number[1:]}{minus}" if number.startswith("-") else number if number == "0" else f"{number}{plus}"
