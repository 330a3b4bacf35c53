"""Things read at a glance. The web draws them; the display, the API and a listener have the same in `words`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from .facts import Said
from .ids import RuleId, SeatId
from .pictures import Icon

Words: TypeAlias = tuple[Said, ...]
Look = Literal["plain", "extra", "used", "left", "over"]
"""What a part of a bar is: there, there by a bonus, taken, still free, taken but not there."""


class Noted(Struct, frozen=True, tag="noted"):
    """A line that belongs to the thing of an icon."""

    said: Said
    icon: Icon

    @property
    def words(self) -> Words:
        return (self.said,)


class Cell(Struct, frozen=True):
    """One slot: empty without a `name`; `tied` to the one before it."""

    head: Said
    icon: Icon
    name: Said | None = None
    number: int | None = None
    down: bool = False
    tied: bool = False


class Slots(Struct, frozen=True, tag="slots"):
    """Cards side by side in their slots."""

    words: Words
    cells: tuple[Cell, ...]


class Part(Struct, frozen=True):
    """So much of a bar; one of size 0 is not drawn."""

    said: Said
    size: int
    look: Look = "plain"


class Bar(Struct, frozen=True):
    """A sum, and what it is made of."""

    said: Said
    parts: tuple[Part, ...]


class Meter(Struct, frozen=True, tag="meter"):
    """Bars on one scale, one above the other, and what threatens."""

    words: Words
    bars: tuple[Bar, ...]
    warning: Said | None = None


class Track(Struct, frozen=True, tag="track"):
    """A counter on its way over `stops` to the last of them; `at` is None while there is none."""

    words: Words
    said: Said
    stops: tuple[str, ...]
    at: int | None = None
    note: Said | None = None


class Side(Struct, frozen=True):
    """One side of a duel: what it throws, and from what."""

    seat: SeatId
    said: Said
    note: Said


class Duel(Struct, frozen=True, tag="duel"):
    """Two seats against each other, and a bar of what may come of it."""

    words: Words
    sides: tuple[Side, Side]
    against: Said
    chances: Bar | None = None


class Check(Struct, frozen=True):
    """A condition that is met or not, with the rule that asks for it."""

    said: Said
    kept: bool
    rule: RuleId


class Checks(Struct, frozen=True, tag="checks"):
    """The conditions of one thing."""

    words: Words
    said: Said
    checks: tuple[Check, ...]


class Standing(Struct, frozen=True, tag="standing"):
    """How one seat stands: a line, the number that matters most with its name, a bar, conditions, an alarm, notes."""

    words: Words
    seat: SeatId
    said: Said
    label: Said
    value: str
    bar: Bar | None = None
    checks: tuple[Check, ...] = ()
    alarm: Said | None = None
    notes: Words = ()


class Row(Struct, frozen=True):
    """A line of a ledger: where or whose, what, how much."""

    left: Said
    said: Said
    right: str


class Ledger(Struct, frozen=True, tag="ledger"):
    """Rows with a number each; `unit` says of what. One that is `folded` opens at a touch."""

    words: Words
    said: Said
    unit: Said
    rows: tuple[Row, ...]
    folded: bool = False


Panel: TypeAlias = Noted | Slots | Meter | Track | Duel | Checks | Standing | Ledger
Shown: TypeAlias = Said | Panel
"""What a game shows to people, line by line: words, or a panel."""


class Stages(Struct, frozen=True):
    """The way of a turn: its stages in order, which of them it has come to, and what is `then`."""

    names: tuple[Said, ...]
    at: int
    then: Said | None = None


def words_of(shown: Iterable[Shown]) -> Words:
    """All of it in words."""
    return tuple(line for each in shown for line in ((each,) if isinstance(each, Said) else each.words))
