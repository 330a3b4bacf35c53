"""What the table hears that is no input: nothing of it is journalled."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from companion.core.facts import Said
from companion.core.ids import SeatId, Uid
from companion.core.inputs import LinkOutcome


class Trouble(Struct, frozen=True):
    """Something around the table is wrong, or (None) no longer; not an input, nothing is journalled."""

    source: str
    said: Said | None


class Question(Struct, frozen=True):
    """Something that people must settle before the game goes on, or (None) that they have; nothing is journalled."""

    said: Said | None


class Quiet(Struct, frozen=True):
    """Nothing was laid for a while though a tag is wanted."""


class Settled(Struct, frozen=True):
    """Nothing was moved for as long as hands were given."""


class Away(Struct, frozen=True):
    """The seats whose phones no longer listen; nothing is journalled."""

    seats: tuple[SeatId, ...]


class Linked(Struct, frozen=True):
    """What came of writing a link on a tag."""

    uid: Uid
    outcome: LinkOutcome


News: TypeAlias = Trouble | Question | Quiet | Settled | Away | Linked
