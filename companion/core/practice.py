"""A game's practice position: a few acts that lead to a turn in which a newcomer meets what the game is about."""

from __future__ import annotations

from msgspec import Struct

from .facts import Said
from .ids import SeatId
from .rules import Intent, Token


class Hint(Struct, frozen=True):
    """What to do while the game waits for a decision of kind `awaits`; the things to do it with `glow`."""

    awaits: str
    said: Said
    glow: tuple[Token, ...] = ()


class Lesson(Struct, frozen=True):
    """One thing to find out. It `ends` when one of these is first told: an event, or a refusal (`no.…`)."""

    name: str
    hints: tuple[Hint, ...]
    ends: tuple[str, ...]


class Practice(Struct, frozen=True):
    """`acts` lead from the start of a strict game for `seats`, with default options and pack, to the turn of `seat`.

    The lessons are for that turn: anyone who ends it some other way does not need them.
    """

    seats: int
    seat: SeatId
    acts: tuple[Intent, ...]
    lessons: tuple[Lesson, ...]
