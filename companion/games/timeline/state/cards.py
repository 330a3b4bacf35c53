"""Path cards: four lines across, each with a colour and a waypoint; and how a pack writes them.

A face is written as its *lines*: where left slots 1, 2, 3, 4 exit on the right (1 = top), then the colour of each line
by left slot, such as `4123BGYR`. Cards on the board carry their lines, so play never has to look into the pack.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.core import CardKind, Misfit, Name, PieceId, Said, Seat, SeatId, Word, Wrong, say

Good = Literal["oil", "milk", "beet", "nuc"]
GOODS: Final[tuple[Good, ...]] = get_args(Good)
COLOURS: Final = "BYRG"
"""Brown, yellow, red, green: the letters of the goods, in the order of GOODS."""
BLANK: Final = ""
"""The lines of a card that lies face down."""

Four: TypeAlias = tuple[int, int, int, int]
STRAIGHT: Final[Four] = (0, 1, 2, 3)
Count = Annotated[int, Meta(ge=1, le=26)]
Value = Annotated[int, Meta(ge=0, le=9)]


EACH_DIGIT: Final = r"^(?!.*(.).*\1)[1-4]{4}$"
EACH_LETTER: Final = r"(?i)^(?!.*(.).*\1)[BYRG]{4}$"
"""Four letters, no two alike, in either case, because phones like lower case."""


class BadFace(Misfit):
    """No Path card can have these lines."""


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """One text of a pack in both languages."""

    en: str
    fr: str


class Face(Struct, frozen=True, forbid_unknown_fields=True):
    """One drawing and how many cards have it: read off a card as four digits and four letters, such as 2413 GBYR."""

    exits: Annotated[str, Meta(pattern=EACH_DIGIT, title="pack.each-digit")]
    colours: Annotated[str, Meta(pattern=EACH_LETTER, title="pack.each-letter")]
    count: Count = 2

    def __post_init__(self) -> None:
        if not re.search(EACH_DIGIT, self.exits):
            text = f"exits {self.exits!r}: give each of 1, 2, 3, 4 once, from the top left line down"
            raise BadFace((text, say("pack.exits", value=Name(self.exits))))
        if not re.search(EACH_LETTER, self.colours):
            text = f"colours {self.colours!r}: give each of B, Y, R, G once, from the top left line down"
            raise BadFace((text, say("pack.colours", value=Name(self.colours))))

    @property
    def lines(self) -> str:
        return self.exits + self.colours.upper()


class Ends(Struct, frozen=True):
    """What is printed on Start and Finish, both from the top."""

    start: Annotated[str, Meta(pattern=EACH_LETTER, title="pack.each-letter")]
    first: Value
    second: Value
    third: Value
    fourth: Value


class Pack(Struct, frozen=True, forbid_unknown_fields=True):
    """The Path cards, the goods on Start and the values on Finish, both from the top."""

    id: str
    name: Words
    note: Words
    faces: tuple[Face, ...]
    start: str = COLOURS
    finish: tuple[Value, Value, Value, Value] = (1, 2, 3, 4)

    def __post_init__(self) -> None:
        if sorted(self.start) != sorted(COLOURS):
            text = f"start {self.start!r}: give each of B, Y, R, G once, from the top line down"
            raise BadFace((text, say("pack.start", value=Name(self.start))))


def _with_ends(pack: Pack, cards: tuple[Ends, ...]) -> Pack:
    ends = cards[0]
    return replace(pack, start=ends.start.upper(), finish=(ends.first, ends.second, ends.third, ends.fourth))


def _drawn_twice(pack: Pack, face: Face) -> tuple[Wrong, ...]:
    there = any(other.lines == face.lines for other in pack.faces)
    return (Wrong("exits", say("card.face.twice")),) if there else ()


FACES: Final[CardKind[Pack, Face]] = CardKind(
    name="face",
    card=Face,
    read=lambda pack: pack.faces,
    write=lambda pack, faces: replace(pack, faces=faces),
    said=lambda face: say("card.face", exits=Name(face.exits), colours=Name(face.colours.upper())),
    wrong=_drawn_twice,
    blank=Face("1234", COLOURS),
    count="count",
)
ENDS: Final[CardKind[Pack, Ends]] = CardKind(
    name="ends",
    card=Ends,
    read=lambda pack: (Ends(pack.start, *pack.finish),),
    write=_with_ends,
    said=lambda ends: say("card.ends"),
)


def turned(lines: str) -> str:
    """The same card turned by 180°: its left edge is the old right edge, from the bottom up."""
    ends = [(4 - int(lines[slot]), 4 - slot, lines[4 + slot]) for slot in range(4)]
    ends.sort()
    return "".join(str(out) for _, out, _ in ends) + "".join(colour for _, _, colour in ends)


_REMEMBERED: Final = 2048
"""More than the 576 faces there can be; limited because a state may be read from a file."""


@lru_cache(_REMEMBERED)
def exits(lines: str) -> Four:
    """The right slot (0–3) of each left slot; a blank is straight (T.e)."""
    return (int(lines[0]) - 1, int(lines[1]) - 1, int(lines[2]) - 1, int(lines[3]) - 1) if lines else STRAIGHT


@lru_cache(_REMEMBERED)
def entries(lines: str) -> Four:
    """The left slot (0–3) of each right slot."""
    out = exits(lines)
    return out.index(0), out.index(1), out.index(2), out.index(3)


@lru_cache(_REMEMBERED)
def colours(lines: str) -> Four:
    """The good, as an index of GOODS, of the line at each left slot."""
    found = [COLOURS.index(letter) for letter in lines[4:]]
    return found[0], found[1], found[2], found[3]


@lru_cache(8)
def lines_of(pack: Pack, turn_copies: bool) -> dict[PieceId, str]:
    """The lines of every card as laid; with `turn_copies`, every second card of a face is turned (T.j)."""
    found: dict[PieceId, str] = {}
    for number, face in enumerate(pack.faces, 1):
        for copy, card in enumerate(_ids(number, face.count)):
            found[card] = turned(face.lines) if turn_copies and copy % 2 else face.lines
    return found


def _ids(number: int, count: int) -> list[PieceId]:
    if count == 1:
        return [PieceId(f"face-{number}")]
    return [PieceId(f"face-{number}{chr(ord('a') + copy)}") for copy in range(count)]


def path_cards(pack: Pack) -> tuple[PieceId, ...]:
    return tuple(sorted(lines_of(pack, False)))


_CARD: Final = re.compile(r"face-\d+([a-z]?)")
_PAWN: Final = re.compile(r"pawn-(\d)")


SEATS_AT_MOST: Final = 5


def pawn_of(seat: int) -> PieceId:
    return PieceId(f"pawn-{seat}")


def pieces(pack: Pack) -> tuple[PieceId, ...]:
    """Every piece to enrol: the Path cards, in the order of the pack, and the pawns."""
    return (*lines_of(pack, False), *map(pawn_of, range(SEATS_AT_MOST)))


def describe(pack: Pack, piece: PieceId) -> Said:
    """A card by its drawing and copy, a pawn by its owner."""
    if (pawn := _PAWN.fullmatch(piece)) is not None:
        return say("piece.pawn", seat=Seat(SeatId(int(pawn[1]))))
    lines, copy = lines_of(pack, False).get(piece), _CARD.fullmatch(piece)
    if lines is None or copy is None:
        return say("piece.unknown")
    return say("piece.face", exits=Name(lines[:4]), colours=Name(lines[4:]), mark=Name(copy[1]))


_GOOD_WORDS: Final = tuple(Word("good." + good) for good in GOODS)


def good_word(good: int) -> Word:
    return _GOOD_WORDS[good]
