"""The editor: owners of the real game enter the cities, claims and lines of each board once, on a phone.

Four kinds of small forms for the map, and one for each level of the Rocket cards. Lines name their ends as people do: a
city by its name, a claim by its letter. Removing a city or claim removes its lines; giving a claim another letter keeps
them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from string import ascii_lowercase
from typing import Annotated, Final, TypeAlias, TypeVar

from msgspec import Meta, Struct, convert
from msgspec.structs import replace

from companion.core import CardKind, Name, Said, Word, Wrong, say

from .state import Board, Claim, Edge, Gold, Joint, Kind, Length, Letter, Pack, Rockets, Sum, Town

BoardNumber = Annotated[int, Meta(ge=1, le=99)]
Called = Annotated[str, Meta(max_length=24)]
MIDDLE: Final = 50
SHORTEST: Final = 2
"""A single letter is a claim, so a city's name has at least two."""


class TownCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A city as people see it: its board, its card, and its spot from the left and the top."""

    board: BoardNumber = 1
    name: Called = ""
    population: Annotated[int, Meta(ge=1, le=99999)] = 1000
    red: Annotated[int, Meta(ge=0, le=9)] = 1
    green: Annotated[int, Meta(ge=0, le=9)] = 1
    seat: bool = False
    x: Length = MIDDLE
    y: Length = MIDDLE
    id: str = ""


class ClaimCard(Struct, frozen=True, forbid_unknown_fields=True):
    board: BoardNumber = 1
    letter: Letter = "a"
    kind: Kind = "farm"
    x: Length = MIDDLE
    y: Length = MIDDLE


class LineCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A line between two things of one board."""

    board: BoardNumber = 1
    one: Called = ""
    other: Called = ""


class ExitCard(Struct, frozen=True, forbid_unknown_fields=True):
    """A line that leaves a board."""

    board: BoardNumber = 1
    edge: Edge = "n1"
    node: Called = ""


class RocketCard(Struct, frozen=True, forbid_unknown_fields=True):
    """One level of the Rocket cards: its price and target, as we read them and as printed."""

    price: Gold
    target: Sum
    printed_price: Gold
    printed_target: Sum
    level: int


Towns: TypeAlias = tuple[Town, ...]
Claims: TypeAlias = tuple[Claim, ...]
Links: TypeAlias = tuple[tuple[str, str], ...]
Joints: TypeAlias = tuple[Joint, ...]
C = TypeVar("C", TownCard, ClaimCard, LineCard, ExitCard)


def _boards(pack: Pack, cards: tuple[C, ...]) -> Iterator[tuple[Board, tuple[C, ...]]]:
    """Each board with its cards; an unknown number makes a new board."""
    known = {board.number: board for board in pack.boards}
    new: list[int] = sorted({card.board for card in cards} - known.keys())
    for board in (*pack.boards, *(Board(number, (), (), (), ()) for number in new)):
        yield board, tuple(card for card in cards if card.board == board.number)


def _board(pack: Pack, number: int) -> Board:
    return next((board for board in pack.boards if board.number == number), Board(number, (), (), (), ()))


def _called(board: Board, node: str) -> str:
    return next((town.name for town in board.towns if town.id == node), node)


def _node(board: Board, called: str) -> str:
    """The id of the thing with this name on a board; "" if there is none."""
    plain = called.strip().casefold()
    nodes = {claim.id: claim.id for claim in board.claims} | {town.name.casefold(): town.id for town in board.towns}
    return nodes.get(plain, "")


def _tidy(number: int, towns: Towns, claims: Claims, links: Links, joints: Joints) -> Board:
    """A board without lines to things that are gone."""
    there = {town.id for town in towns} | {claim.id for claim in claims}
    kept = tuple(link for link in links if there.issuperset(link))
    return Board(number, towns, claims, kept, tuple(joint for joint in joints if joint.node in there))


def _free_id(name: str, taken: set[str]) -> str:
    """An id made from the letters of a name, lengthened if it is taken."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = "-".join(re.findall("[a-z]+", plain))[:20].strip("-") or "city"
    return next(free for free in (words, *(f"{words}-{a}{b}" for a in ascii_lowercase for b in ascii_lowercase))
                if free not in taken and len(free) >= SHORTEST)  # fmt: skip


def _towns(pack: Pack) -> tuple[TownCard, ...]:
    return tuple(
        TownCard(b.number, t.name, t.population, t.red, t.green, t.seat, t.x, t.y, t.id)
        for b in pack.boards
        for t in b.towns
    )


def _with_towns(pack: Pack, cards: tuple[TownCard, ...]) -> Pack:
    taken, named = {card.id for card in cards if card.id}, list[TownCard]()
    for card in cards:
        named.append(replace(card, id=card.id or _free_id(card.name, taken)))
        taken.add(named[-1].id)
    boards = (_resettled(board, mine) for board, mine in _boards(pack, tuple(named)))
    return replace(pack, boards=tuple(boards))


def _resettled(board: Board, cards: tuple[TownCard, ...]) -> Board:
    """The board with these towns."""
    towns = tuple(Town(c.id, c.name, c.x, c.y, c.population, c.red, c.green, c.seat) for c in cards)
    return _tidy(board.number, towns, board.claims, board.links, board.joints)


def _wrong_town(pack: Pack, card: TownCard) -> tuple[Wrong, ...]:
    if len(card.name) < SHORTEST:
        return (Wrong("name", say("card.town.nameless")),)
    twice = any(t.name.casefold() == card.name.casefold() for t in _board(pack, card.board).towns)
    return (Wrong("name", say("card.town.twice", board=card.board)),) if twice else ()


def _claims(pack: Pack) -> tuple[ClaimCard, ...]:
    return tuple(ClaimCard(b.number, c.id, c.kind, c.x, c.y) for b in pack.boards for c in b.claims)


def _with_claims(pack: Pack, cards: tuple[ClaimCard, ...]) -> Pack:
    return replace(pack, boards=tuple(_reclaimed(board, mine) for board, mine in _boards(pack, cards)))


def _reclaimed(board: Board, cards: tuple[ClaimCard, ...]) -> Board:
    """The board with these claims. A claim that only changed its letter keeps its lines."""
    claims = tuple(Claim(c.letter, c.kind, c.x, c.y) for c in cards)
    moved = {}
    if len(claims) == len(board.claims):
        moved = {old.id: new.id for old, new in zip(board.claims, claims, strict=True)}
    links = tuple((moved.get(a, a), moved.get(b, b)) for a, b in board.links)
    joints = tuple(replace(joint, node=moved.get(joint.node, joint.node)) for joint in board.joints)
    return _tidy(board.number, board.towns, claims, links, joints)


def _wrong_claim(pack: Pack, card: ClaimCard) -> tuple[Wrong, ...]:
    twice = any(claim.id == card.letter for claim in _board(pack, card.board).claims)
    return (Wrong("letter", say("card.claim.twice", board=card.board)),) if twice else ()


def _lines(pack: Pack) -> tuple[LineCard, ...]:
    return tuple(LineCard(b.number, _called(b, one), _called(b, other)) for b in pack.boards for one, other in b.links)


def _with_lines(pack: Pack, cards: tuple[LineCard, ...]) -> Pack:
    return replace(pack, boards=tuple(_relinked(board, mine) for board, mine in _boards(pack, cards)))


def _relinked(board: Board, cards: tuple[LineCard, ...]) -> Board:
    links = tuple((_node(board, card.one), _node(board, card.other)) for card in cards)
    return _tidy(board.number, board.towns, board.claims, links, board.joints)


def _nowhere(board: Board, **ends: str) -> Iterator[Wrong]:
    """The ends that are not on the board, with the names that are."""
    names = ", ".join((*(claim.id for claim in board.claims), *(town.name for town in board.towns)))
    for field, called in ends.items():
        if not _node(board, called):
            yield Wrong(field, say("card.line.nowhere", board=board.number, names=Name(names)))


def _wrong_line(pack: Pack, card: LineCard) -> tuple[Wrong, ...]:
    board = _board(pack, card.board)
    if lost := tuple(_nowhere(board, one=card.one, other=card.other)):
        return lost
    ends = {_node(board, card.one), _node(board, card.other)}
    if len(ends) == 1:
        return (Wrong("other", say("card.line.loop")),)
    return (Wrong("other", say("card.line.twice")),) if any(ends == set(link) for link in board.links) else ()


def _exits(pack: Pack) -> tuple[ExitCard, ...]:
    return tuple(ExitCard(b.number, j.edge, _called(b, j.node)) for b in pack.boards for j in b.joints)


def _with_exits(pack: Pack, cards: tuple[ExitCard, ...]) -> Pack:
    return replace(pack, boards=tuple(_rejoined(board, mine) for board, mine in _boards(pack, cards)))


def _rejoined(board: Board, cards: tuple[ExitCard, ...]) -> Board:
    joints = tuple(Joint(card.edge, _node(board, card.node)) for card in cards)
    return _tidy(board.number, board.towns, board.claims, board.links, joints)


def _wrong_exit(pack: Pack, card: ExitCard) -> tuple[Wrong, ...]:
    board = _board(pack, card.board)
    if lost := tuple(_nowhere(board, node=card.node)):
        return lost
    twice = any(joint.edge == card.edge for joint in board.joints)
    return (Wrong("edge", say("card.exit.twice", board=card.board)),) if twice else ()


def _rockets(pack: Pack) -> tuple[RocketCard, ...]:
    prices, targets = pack.rockets.prices, pack.rockets.targets
    columns = zip(prices.corrected, targets.corrected, prices.printed, targets.printed, strict=True)
    return tuple(RocketCard(*row, level) for level, row in enumerate(columns, 1))


def _with_rockets(pack: Pack, cards: tuple[RocketCard, ...]) -> Pack:
    prices = {"corrected": [card.price for card in cards], "printed": [card.printed_price for card in cards]}
    targets = {"corrected": [card.target for card in cards], "printed": [card.printed_target for card in cards]}
    return replace(pack, rockets=convert({"prices": prices, "targets": targets}, Rockets))


def _said_claim(card: ClaimCard) -> Said:
    return say("card.claim", board=card.board, letter=Name(card.letter), kind=Word(f"kind.{card.kind}"))


TOWNS: Final[CardKind[Pack, TownCard]] = CardKind(
    name="town",
    card=TownCard,
    read=_towns,
    write=_with_towns,
    said=lambda card: say("card.town", board=card.board, name=Name(card.name)),
    wrong=_wrong_town,
    kept=("id",),
    blank=TownCard(),
)
CLAIMS: Final[CardKind[Pack, ClaimCard]] = CardKind(
    name="claim",
    card=ClaimCard,
    read=_claims,
    write=_with_claims,
    said=_said_claim,
    wrong=_wrong_claim,
    blank=ClaimCard(),
)
LINES: Final[CardKind[Pack, LineCard]] = CardKind(
    name="line",
    card=LineCard,
    read=_lines,
    write=_with_lines,
    said=lambda card: say("card.line", board=card.board, one=Name(card.one), other=Name(card.other)),
    wrong=_wrong_line,
    blank=LineCard(),
)
EXITS: Final[CardKind[Pack, ExitCard]] = CardKind(
    name="exit",
    card=ExitCard,
    read=_exits,
    write=_with_exits,
    said=lambda card: say("card.exit", board=card.board, edge=Word(f"edge.{card.edge}"), node=Name(card.node)),
    wrong=_wrong_exit,
    blank=ExitCard(),
)
ROCKETS: Final[CardKind[Pack, RocketCard]] = CardKind(
    name="rocket",
    card=RocketCard,
    read=_rockets,
    write=_with_rockets,
    said=lambda card: say("card.rocket", level=card.level, price=card.price, target=card.target),
    kept=("level",),
)
