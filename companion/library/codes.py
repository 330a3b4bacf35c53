"""The printed code of each thing: six digits in a Data Matrix, and the few signs beside it that people read aloud.

A code depends on ids alone: the same thing has the same code on every box, and adding a card at the end of a pack
leaves all others as they are. It says which thing it is and nothing else.

Four digits are the number, two are its check (ISO 7064, MOD 97-10), so one wrong digit or two swapped ones make no
code. Each possible first letter of a game's id has its own stretch of numbers, so that a card of another game is
recognised as such; seats and numbers are the same in every game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from string import ascii_uppercase
from typing import Final, NewType, assert_never

from companion.core import CompanionError, GameId, SeatId

from .enrolment import Things
from .tagbook import NumberTag, PieceTag, PlaceTag, SeatTag, Tag, pretend_uid

Digits = NewType("Digits", str)
"""The content of a code: six decimal digits."""

LONGEST: Final = 6
_STRETCH: Final = 380
"""How many things a game may have. Twenty-six stretches leave 120 of the ten thousand numbers to all games."""
_SEATS: Final = range(_STRETCH * len(ascii_uppercase), _STRETCH * len(ascii_uppercase) + 20)
_NUMBERS: Final = range(_SEATS.stop, 10_000)


class NoCode(CompanionError, LookupError):
    """The thing has no code here."""


class NoCodeLeft(CompanionError, ValueError):
    """The pack has more pieces and places than a game has codes."""


class Codes:
    """The codes of one game as it is played with a pack."""

    def __init__(self, game: GameId, numbers: Mapping[Tag, int]) -> None:
        self.game: Final = game
        self._numbers: Final = dict(numbers)
        self._things: Final = {_checked(number): thing for thing, number in numbers.items()}

    def number(self, thing: Tag) -> Digits:
        """The six digits of a thing."""
        return _checked(self._plain(thing))

    def short(self, thing: Tag) -> str:
        """What is printed beside the code: `U-27`; for a seat `#1`, for a number the number itself."""
        match thing:
            case PieceTag() | PlaceTag():
                return f"{letter(self.game)}-{self._plain(thing) % _STRETCH}"
            case SeatTag(seat):
                return f"#{seat + 1}"
            case NumberTag(number):
                return str(number)
            case _:
                assert_never(thing)

    def thing(self, digits: str) -> Tag | None:
        """The thing with this code; None if the code is another game's or not a code at all."""
        return self._things.get(Digits(digits))

    def called(self, short: str) -> Tag | None:
        """The thing with this beside its code, as people type it: `U-27`, `u27`."""
        typed = _plain_short(short)
        return next((thing for thing in self._numbers if _plain_short(self.short(thing)) == typed), None)

    def all(self) -> tuple[tuple[Tag, Digits], ...]:
        return tuple((thing, _checked(number)) for thing, number in self._numbers.items())

    def _plain(self, thing: Tag) -> int:
        try:
            return self._numbers[thing]
        except KeyError:
            raise NoCode(f"{thing} has no code in {self.game}; use the codes of the pack that it is in") from None


def codes_of(things: Things) -> Codes:
    """The codes of everything that can be pointed at in this game; raises NoCodeLeft."""
    places = (PlaceTag(things.game, place) for place in things.places)
    pieces = (PieceTag(things.game, piece) for piece in things.pieces)
    # Boards change less often than decks: their places choose first, so that adding a card never moves one.
    numbers: dict[Tag, int] = _spread(things.game, (*places, *pieces))
    numbers |= {SeatTag(SeatId(seat)): number for seat, number in enumerate(_SEATS)}
    numbers |= {NumberTag(each): number for each, number in enumerate(_NUMBERS)}
    return Codes(things.game, numbers)


def game_of(digits: str, games: Iterable[GameId]) -> GameId | None:
    """Which of these games a code belongs to; None for seats, numbers and anything that is not a code."""
    if not is_code(digits) or int(digits) // 100 >= _SEATS.start:
        return None
    first = ascii_uppercase[int(digits) // 100 // _STRETCH]
    return next((game for game in games if letter(game) == first), None)


def is_code(digits: str) -> bool:
    """Whether these are six digits with a correct check."""
    return len(digits) == LONGEST and digits.isascii() and digits.isdecimal() and digits == _checked(int(digits) // 100)


def letter(game: GameId) -> str:
    """The letter of a game's short codes."""
    return game[0].upper() if game[0].upper() in ascii_uppercase else "X"


def _plain_short(short: str) -> str:
    return "".join(short.upper().replace("-", "").split())


def _spread(game: GameId, things: tuple[Tag, ...]) -> dict[Tag, int]:
    """A number for each thing: the first free one in the order that its id asks for."""
    if len(things) > _STRETCH:
        raise NoCodeLeft(
            f"{game} has {len(things)} pieces and places; codes are for at most {_STRETCH}: leave some out"
        )
    start = ascii_uppercase.index(letter(game)) * _STRETCH
    taken: dict[int, Tag] = {}
    for thing in things:
        taken[next(number for number in _asked(thing) if number not in taken)] = thing
    return {thing: start + number for number, thing in taken.items()}


def _asked(thing: Tag) -> Iterator[int]:
    """Every number of the stretch, starting with one that depends on the id alone."""
    first = int(pretend_uid(thing), 16) % _STRETCH
    return ((first + after) % _STRETCH for after in range(_STRETCH))


def _checked(number: int) -> Digits:
    return Digits(f"{number:04}{98 - number * 100 % 97:02}")
