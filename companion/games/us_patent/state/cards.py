"""The pack: Upgrades, Time Machines, boards; and what play constantly looks up in it, worked out once."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from typing import Annotated, Final, Literal, TypeAlias, TypeVar, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core import Both, Misfit, Name, PieceId, PlaceId, Said, Seat, SeatId, Word, say

from .vocabulary import AnyEffect, Effect, Surplus, Thrift, misprints

Slot = Literal["weapon", "shield", "chassis", "plant"]
SLOTS: Final[tuple[Slot, ...]] = get_args(Slot)
WEAPON, SHIELD, CHASSIS, PLANT = range(4)

Kind = Literal["plain", "lab", "market", "library", "office", "mechanic", "junkyard"]
SEATS_AT_MOST: Final = 8
BOARDS: Final = 9
UNDATED: Final = 0
"""The period of a card that has not been entered yet."""
BLANK: Final = re.compile("(weapon|shield|chassis|plant)-[0-9]+")
"""The id of a card that its owner still has to describe."""

CardId = Annotated[
    str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", description='an id, such as "thunder-jar"', title="form.id")
]
SpaceId = Annotated[
    str, Meta(pattern=r"^[0-8]/[a-z0-9-]+$", description='a space, such as "3/lab"', title="pack.space")
]


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """One text of a pack in both languages."""

    en: str
    fr: str


class Upgrade(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One card. Without a `name` of its own, its name is the text `card.<id>`; `text` is shown, not enforced.

    A `period` of 0 means that nobody has told the companion yet: whoever draws the card is asked for it.
    """

    id: CardId
    slot: Slot
    rank: Annotated[int, Meta(ge=0, le=20)]
    period: Annotated[int, Meta(ge=0, le=8)]
    name: Words | None = None
    effects: tuple[AnyEffect, ...] = ()
    text: Annotated[str, Meta(max_length=200)] = ""

    def __post_init__(self) -> None:
        problems = tuple(misprints(self.id, self.effects, self.text))
        if problems:
            raise Misfit(*problems)


class Inventor(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A Time Machine: its year, where its pawn starts, and with how much Gold."""

    id: CardId
    year: Annotated[int, Meta(ge=1, le=9999)]
    start: SpaceId
    gold: Annotated[int, Meta(ge=0, le=40)]
    name: Words | None = None


class Space(Struct, frozen=True, forbid_unknown_fields=True):
    """A space of the map; its id begins with its board. (x, y) is where it is drawn on the board, 0 to 100."""

    id: SpaceId
    kind: Kind = "plain"
    x: Annotated[int, Meta(ge=0, le=100)] = 50
    y: Annotated[int, Meta(ge=0, le=100)] = 50


class Link(Struct, frozen=True, forbid_unknown_fields=True):
    """Two neighbours, connected both ways unless `one_way` (P.ak)."""

    a: SpaceId
    b: SpaceId
    one_way: bool = False


class Pack(Struct, frozen=True, forbid_unknown_fields=True):
    """All components. `years` are those of boards 0 to 8."""

    id: str
    name: Words
    note: Words
    years: tuple[int, ...]
    upgrades: tuple[Upgrade, ...]
    inventors: tuple[Inventor, ...]
    spaces: tuple[Space, ...]
    links: tuple[Link, ...]

    def __post_init__(self) -> None:
        problems = tuple(_problems(self))
        if problems:
            raise Misfit(*problems)


def blank_pack(head: Pack, like: Pack) -> Pack:
    """For owners of the printed game: 48 cards with type and rank, and everything else to be filled in.

    Id, name and note are from `head`. Map and Time Machines are those of `like` until they are entered, too.
    """
    cards = tuple(Upgrade(f"{slot}-{rank}", slot, rank, UNDATED) for slot in SLOTS for rank in range(1, 13))
    return replace(like, id=head.id, name=head.name, note=head.note, upgrades=cards)


def _problems(pack: Pack) -> Iterable[tuple[str, Said]]:
    for twice in _twice([*(card.id for card in pack.upgrades), *(machine.id for machine in pack.inventors)]):
        yield f"two cards are called {twice}", say("pack.card-twice", name=Name(twice))
    for year in _twice([machine.year for machine in pack.inventors]):
        yield f"two Time Machines are of {year} (P.aq)", say("pack.year-twice", year=year)
    spaces = [space.id for space in pack.spaces]
    for twice in _twice(spaces):
        yield f"two spaces are called {twice}", say("pack.space-twice", name=Name(twice))
    for lost in dict.fromkeys(end for link in pack.links for end in (link.a, link.b)):
        if lost not in spaces:
            yield f"there is no space {lost}", say("pack.no-space", name=Name(lost))
    if pack.upgrades and len(pack.years) != BOARDS:
        text = f"years holds {len(pack.years)} numbers, one for each of the {BOARDS} boards is needed (P1)"
        yield text, say("pack.years", n=len(pack.years), of=BOARDS)


T = TypeVar("T", str, int)


def _twice(values: list[T]) -> list[T]:
    return [value for value in dict.fromkeys(values) if values.count(value) > 1]


class Card(Struct, frozen=True, eq=False):
    """An Upgrade as play needs it."""

    id: PieceId
    slot: int
    rank: int
    period: int
    draw: int
    surplus: int
    effects: tuple[AnyEffect, ...]
    by_kind: dict[type[Effect], tuple[AnyEffect, ...]]


_On: TypeAlias = tuple[PlaceId, PlaceId]
"""A board and a space on it."""


class Tables(Struct, frozen=True, eq=False):
    """Look-ups of one pack. `rings[space][n]` lists what lies n links from there; `undated` if some cards are."""

    pack: Pack
    cards: dict[PieceId, Card]
    names: dict[PieceId, CardName]
    inventors: dict[PieceId, Inventor]
    kinds: dict[PlaceId, Kind]
    boards: dict[PlaceId, int]
    distances: dict[PlaceId, dict[PlaceId, int]]
    rings: dict[PlaceId, tuple[tuple[_On, ...], ...]]
    market: tuple[PlaceId, ...]
    lab: tuple[PlaceId, ...]
    undated: bool


_REMEMBERED: Final = 4
"""How many packs: this game's, the next one's, and two that somebody is looking at. Each takes over a megabyte."""
_tables: dict[int, Tables] = {}


def tables(pack: Pack) -> Tables:
    """The look-ups of `pack`. Cached by identity, since comparing packs is slow; they keep the pack, and so its id,
    alive."""
    found = _tables.get(id(pack))
    if found is None:
        while len(_tables) >= _REMEMBERED:
            _tables.pop(next(iter(_tables)), None)
        found = _tables[id(pack)] = _made(pack)
    return found


def _made(pack: Pack) -> Tables:
    boards = {PlaceId(space.id): int(space.id[0]) for space in pack.spaces}
    distances, places = _distances(pack), tuple(map(board_place, range(BOARDS)))
    on_board = {space: (places[board], space) for space, board in boards.items()}
    return Tables(
        pack,
        {PieceId(up.id): _card(up) for up in pack.upgrades},
        _names(pack),
        {PieceId(machine.id): machine for machine in pack.inventors},
        {PlaceId(space.id): space.kind for space in pack.spaces},
        boards,
        distances,
        {start: _rings(found, on_board) for start, found in distances.items()},
        tuple(PlaceId(f"{board}/market") for board in range(BOARDS)),
        tuple(PlaceId(f"{board}/lab") for board in range(BOARDS)),
        any(up.period == UNDATED for up in pack.upgrades),
    )


def _names(pack: Pack) -> dict[PieceId, CardName]:
    named: list[Upgrade | Inventor] = [*pack.upgrades, *pack.inventors]
    return {PieceId(card.id): own_name(card) for card in named}


def _card(up: Upgrade) -> Card:
    slot = SLOTS.index(up.slot)
    kinds: dict[type[Effect], tuple[AnyEffect, ...]] = {}
    for effect in up.effects:
        kinds[type(effect)] = (*kinds.get(type(effect), ()), effect)
    less = sum(effect.less for effect in up.effects if isinstance(effect, Thrift))
    draw = 0 if slot == PLANT else max(0, up.rank - less)
    plus = sum(effect.plus for effect in up.effects if isinstance(effect, Surplus))
    return Card(PieceId(up.id), slot, up.rank, up.period, draw, plus, up.effects, kinds)


def _distances(pack: Pack) -> dict[PlaceId, dict[PlaceId, int]]:
    """From each space to every other, by the fewest links (P.ak)."""
    ways: dict[PlaceId, list[PlaceId]] = {PlaceId(space.id): [] for space in pack.spaces}
    for link in pack.links:
        ways[PlaceId(link.a)].append(PlaceId(link.b))
        if not link.one_way:
            ways[PlaceId(link.b)].append(PlaceId(link.a))
    return {start: _spread(ways, start) for start in ways}


def _spread(ways: dict[PlaceId, list[PlaceId]], start: PlaceId) -> dict[PlaceId, int]:
    far = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there in ways[here]:
            if there not in far:
                far[there] = far[here] + 1
                queue.append(there)
    return far


def _rings(far: dict[PlaceId, int], on_board: dict[PlaceId, _On]) -> tuple[tuple[_On, ...], ...]:
    rings: list[list[_On]] = [[] for _ in range(max(far.values()) + 1)]
    for space, distance in far.items():
        rings[distance].append(on_board[space])
    return tuple([tuple(sorted(ring)) for ring in rings])


def board_place(board: int) -> PlaceId:
    return PlaceId(f"board/{board}")


def pawn_of(seat: SeatId) -> PieceId:
    return PieceId(f"pawn-{seat + 1}")


PAWNS: Final = frozenset(pawn_of(SeatId(seat)) for seat in range(SEATS_AT_MOST))


def pieces(pack: Pack) -> tuple[PieceId, ...]:
    """Every piece to enrol: Upgrades, Time Machines, pawns."""
    cards = (PieceId(card.id) for card in pack.upgrades)
    machines = (PieceId(machine.id) for machine in pack.inventors)
    return (*cards, *machines, *(pawn_of(SeatId(seat)) for seat in range(SEATS_AT_MOST)))


TO_LAB: Final = PlaceId("to-lab")
TO_MARKET: Final = PlaceId("to-market")
BANK: Final = PlaceId("bank")
TRAYS: Final = frozenset((TO_LAB, TO_MARKET, PlaceId("0/office"), PlaceId("0/mechanic")))
"""A drawn card is laid here on its way to Lab or Market; a pawn stands in the Office or at the Mechanic."""


def places(pack: Pack) -> tuple[PlaceId, ...]:
    """Every place that may carry a tag: the spaces of the map, the Bank, and the slots of each seat's machine."""
    slots = (PlaceId(f"slot/{seat}/{slot}") for seat in range(SEATS_AT_MOST) for slot in SLOTS)
    return (*(PlaceId(space.id) for space in pack.spaces), BANK, *slots)


def describe(pack: Pack, piece: PieceId) -> Said:
    """A piece by name."""
    known = tables(pack)
    card = known.cards.get(piece)
    if card is not None:
        slot = Word(f"slot.{SLOTS[card.slot]}")
        return say("piece.upgrade", name=card_name(pack, piece), slot=slot, rank=card.rank)
    machine = known.inventors.get(piece)
    if machine is not None:
        return say("piece.machine", name=card_name(pack, piece), year=machine.year)
    if piece.startswith("pawn-") and piece[5:].isdecimal():
        return say("piece.pawn", seat=Seat(SeatId(int(piece[5:]) - 1)))
    return say("piece.unknown")


CardName: TypeAlias = Both | Word


def card_name(pack: Pack, piece: PieceId) -> CardName:
    """The owner's name for a card, or its text; an undescribed card has neither."""
    return tables(pack).names.get(piece, Word("card.unnamed"))


def own_name(card: Upgrade | Inventor) -> CardName:
    if card.name is not None and (card.name.en or card.name.fr):
        return Both(card.name.en, card.name.fr)
    return Word("card.unnamed" if BLANK.fullmatch(card.id) else f"card.{card.id}")


_NAMED: Final = ("lab", "market", "library", "office", "mechanic", "junkyard")


def place(place: PlaceId) -> Said:
    """A place by name: `deck`, `box`, `board/3`, a space `3/lab`, a slot `slot/0/weapon`, a corner `machine/0`."""
    area, _, rest = place.partition("/")
    if area.isdecimal():
        board = int(area)
        if rest in _NAMED:
            return say(f"place.{rest}", board=board)
        return say("place.space", board=board, space=Name(rest))
    if area == "slot":
        seat, _, slot = rest.partition("/")
        return say("place.slot", seat=Seat(SeatId(int(seat))), slot=Word(f"slot.{slot}"))
    if rest.isdecimal():
        return say("place.board", board=int(rest)) if area == "board" else say(f"place.{area}", seat=_seat(rest))
    return say(f"place.{area}")


def _seat(number: str) -> Seat:
    return Seat(SeatId(int(number)))
