"""What a script says, line by line. Inputs of the world stand for themselves (`Tapped`, `Pressed` …)."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from companion.core import (
    Game,
    Intent,
    Lifted,
    Mat,
    Pressed,
    ReaderBack,
    ReaderId,
    ReaderLost,
    SeatId,
    Seq,
    Setup,
    Tapped,
    Token,
    Turned,
)
from companion.library import Lang, Settings
from companion.table import Mode

WANDS: Final = tuple(Settings().antennas())
"""The names of readers if none is bound to a place."""

ChanceBy = Literal["typed", "scripted"]
PageKind: TypeAlias = str


class PhoneActs(Struct, frozen=True):
    """With `appeals`, the table is asked to let it stand against a rule."""

    intent: Intent
    appeals: bool = False


class PhoneTakesBack(Struct, frozen=True):
    """To entry `to`; None for the last act of a person."""

    seat: SeatId
    to: Seq | None


class PhoneLetsBot(Struct, frozen=True):
    seat: SeatId
    on: bool


class BotActs(Struct, frozen=True):
    """The bot of this seat acts now."""

    seat: SeatId


class Falls(Struct, frozen=True):
    """What chance brings next: the outcome that mentions this token, or this very intent."""

    outcome: Token | Intent


class Accepts(Struct, frozen=True):
    """The last input was accepted."""


class Refuses(Struct, frozen=True):
    """The last input was refused by this rule; with `key` "" by any of its conditions."""

    rule: str
    key: str = ""


class Awaits(Struct, frozen=True):
    seats: tuple[SeatId, ...]


class Decides(Struct, frozen=True):
    kind: str


class IsOver(Struct, frozen=True):
    winners: tuple[SeatId, ...] | None = None


class Marks(Struct, frozen=True):
    """The last act stands although it broke these rules."""

    rules: tuple[str, ...]


class StateIs(Struct, frozen=True):
    hash: str


class Shows(Struct, frozen=True):
    """The display: a kind of page (with the rule of a refusal), or a text on it.

    `then` is about the page below one that is shown only for a moment.
    """

    kind: PageKind = ""
    rule: str = ""
    text: str = ""
    then: bool = False


class May(Struct, frozen=True):
    """Whether the seat's phone offers this."""

    intent: Intent
    is_offered: bool


class Sees(Struct, frozen=True):
    """A fact of a view: `path` into the state as this audience knows it."""

    audience: SeatId
    path: tuple[str, ...]
    how: Literal["=", "has", "has no"]
    values: tuple[str, ...]


Expect: TypeAlias = Accepts | Refuses | Awaits | Decides | IsOver | Marks | StateIs | Shows | May | Sees


class HandsRest(Struct, frozen=True):
    """Nothing is moved for as long as hands are given."""


World: TypeAlias = Tapped | Lifted | Pressed | Turned | ReaderLost | ReaderBack
Deed: TypeAlias = World | HandsRest | PhoneActs | PhoneTakesBack | PhoneLetsBot | BotActs | Falls | Expect


class Line(Struct, frozen=True):
    """One line that does or expects something."""

    number: int
    text: str
    deed: Deed


class Header(Struct, frozen=True):
    """What is on the table before the evening begins."""

    game: Game[Any, Any]
    setup: Setup[Any]
    names: tuple[str, ...]
    chance: ChanceBy
    mode: Mode
    lang: Lang
    mat: Mat | None = None

    @property
    def readers(self) -> tuple[ReaderId, ...]:
        """Their names; the first is a wand."""
        if self.mat is None or not self.mat.zones():
            return WANDS
        return tuple(reader for reader, _ in self.mat.readers())


class Script(Struct, frozen=True):
    file: str
    header: Header
    lines: tuple[Line, ...]
