"""What a box is told to do or to suffer, and what it says of itself."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Literal, TypeAlias

from msgspec import Raw, Struct

from companion.core import Button, ReaderId
from companion.table import Fault

Disk = Literal["well", "full", "read-only", "unsynced", "lying"]
"""`full` lets no file grow, `unsynced` fails to write an entry, `lying` writes it and says that it failed."""


class Look(Struct, frozen=True, tag=True):
    """Nothing is done; only how things stand is asked for."""


class Press(Struct, frozen=True, tag=True):
    button: Button
    held: bool = False
    bounces: int = 0


class Jam(Struct, frozen=True, tag=True):
    button: Button
    down: bool


class Turn(Struct, frozen=True, tag=True):
    steps: int


class Lay(Struct, frozen=True, tag=True):
    uid: str
    reader: ReaderId


class Lift(Struct, frozen=True, tag=True):
    """A tag that was laid somewhere is put back to where it was taken from."""

    uid: str


class Act(Struct, frozen=True, tag=True):
    """Hands do this on the box, with taps and presses, as soon as it shows the entry that they know of."""

    intent: Raw
    seen: int = 0


class Drop(Struct, frozen=True, tag=True):
    """A piece is carried to a place; `back` takes the last one to where it lay before."""

    piece: str
    place: str
    back: bool = False


class Tidy(Struct, frozen=True, tag=True):
    """Hands put every piece where the record says that it lies, as far as readers are there."""


class Suffer(Struct, frozen=True, tag=True):
    fault: Fault
    on: bool


class Line(Struct, frozen=True, tag=True):
    """Every cable is bad in this way from now on: what goes through it is torn, stalled or worse; `good` ends it."""

    how: Literal["good", "bad", "stalled", "torn"]
    seed: int = 0


class Lose(Struct, frozen=True, tag=True):
    reader: ReaderId
    on: bool


class Store(Struct, frozen=True, tag=True):
    """The disk is like this from now on."""

    disk: Disk


class Jump(Struct, frozen=True, tag=True):
    """The machine's clock is set by so many seconds."""

    seconds: float


class Zone(Struct, frozen=True, tag=True):
    name: str


class Falls(Struct, frozen=True, tag=True):
    """What chance brings next, as far as it can; whatever else it must bring is left to chance."""

    outcomes: tuple[Raw, ...]


Order: TypeAlias = (
    Look | Press | Jam | Turn | Lay | Lift | Act | Drop | Tidy | Suffer | Line | Lose | Store | Jump | Zone | Falls
)


class Now(Struct, frozen=True):
    """How things stand in the box: what it tells of its state, and all that is wrong around it."""

    port: int = 0
    table: str = ""
    seq: int = 0
    state: str = ""
    troubles: tuple[str, ...] = ()
    readers: tuple[ReaderId, ...] = ()
    is_done: bool = True
    """Whether hands could do what they were told."""
    error: str = ""
    """Why it could not start."""


Plant: TypeAlias = Callable[[], AbstractContextManager[object]]
"""Breaks the build while it is entered."""
