"""What is said on the broker, as JSON: these structs are the contract between tables and hubs.

Every payload says its version as `v`. Within a version fields are only added, each with a default, and readers pass
over what they do not know; whatever else changes gets a new number, in topics and payloads alike.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Raw, Struct

from companion.core import Decision, Duel, GameId, Line, Mode, Result, Said, SeatId, Seq
from companion.library import TurnClock
from companion.table.outside import Told

VERSION: Final = 1


class Here(Struct, frozen=True, tag_field="v", tag=VERSION):
    """Whether a table is here, what people call it, and which version of the program runs there.

    `shown`: its people want it on the wall. A hub shows no other table, whatever it has published.
    """

    here: bool
    name: str = ""
    version: str = ""
    shown: bool = False


class SetupSaid(Struct, frozen=True, tag_field="v", tag=VERSION):
    """What is fixed for one game, the pack included: `setup` is the game's own JSON. `record` is the game's id at its
    table; a view belongs to the set-up with the same one."""

    record: str
    game: GameId
    rules: int
    """The version of the game's own rules and state: who has another cannot read its views."""
    setup: Raw


class ChairSaid(Struct, frozen=True, omit_defaults=True):
    """Who sits there. The name is "" where they are left out. Nothing tells which phone they have."""

    name: str = ""
    phone: bool = False
    bot: bool = False
    elsewhere: bool = False


class Ticks(Struct, frozen=True):
    """The turn clock: what each seat has used up to `at`, in seconds since 1970, and whose time runs on."""

    wanted: TurnClock
    spent: tuple[int, ...]
    runs: tuple[SeatId, ...]
    at: int


class Story(Struct, frozen=True):
    """Of a game that is over: all that was told but who sat down when, and the game's numbers after each entry."""

    told: tuple[Told, ...]
    series: tuple[tuple[Line, ...], ...]


class View(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="v", tag=VERSION):
    """What everybody may see of a table at one moment. `view` is the game's public view in its own JSON, without the
    set-up. `line` are the entries that count, as runs: [[1, 4], [7, 9]] is 1 to 4 and 7 to 9."""

    record: str
    seq: Seq
    at: float
    """When the last entry was made, in seconds since 1970 by the table's clock."""
    mode: Mode
    view: Raw
    line: tuple[tuple[Seq, Seq], ...]
    chairs: tuple[ChairSaid, ...]
    decisions: tuple[Decision, ...] = ()
    away: tuple[SeatId, ...] = ()
    lately: tuple[Told, ...] = ()
    """The last few things done, newest first."""
    showdown: Duel | None = None
    clock: Ticks | None = None
    result: Result | None = None
    story: Story | None = None
    """Once it is over."""


class Telling(Struct, frozen=True, tag_field="v", tag=VERSION):
    """One entry as it is told to everybody. Who was told of `record` and `told.seq` before passes over it."""

    record: str
    told: Told


class Placed(Struct, frozen=True, omit_defaults=True):
    """How it ended for one seat: its place from 1 (equal ones share it; 0 where nobody won), and what it had,
    where the game counts that."""

    place: int
    name: str = ""
    bot: bool = False
    score: int | None = None


class GameOver(Struct, frozen=True, kw_only=True, tag_field="v", tag=VERSION):
    """A game that is over. `id` is the same however often it is sent, and no other game has it; of two with one id
    the one with the higher `seq` counts, and of two with one `seq` the one with the higher `again`: somebody asked
    not to be named, or to be named after all. Where it no longer `stands`, the end was taken back."""

    id: str
    record: str
    seq: Seq
    stands: bool
    game: GameId
    options: tuple[tuple[str, str], ...]
    opened: float
    ended: float
    seats: tuple[Placed, ...]
    winners: tuple[SeatId, ...]
    said: Said
    numbers: tuple[Line, ...]
    """The game's numbers at the end."""
    again: int = 0


class Kept(Struct, frozen=True, tag_field="v", tag=VERSION):
    """What the hub has on its disk: the result with this id, as of this entry, said so often."""

    id: str
    seq: Seq
    again: int = 0


class HubHere(Struct, frozen=True, tag_field="v", tag=VERSION):
    """Whether the hub is here, what it is called, and where people open it. It says so each
    time it has subscribed: tables then send what it has not kept. `since` is when it was started."""

    here: bool
    name: str = ""
    address: str = ""
    since: float = 0.0


TOPICS: Final[dict[str, type[Struct]]] = {
    "here": Here,
    "setup": SetupSaid,
    "view": View,
    "told": Telling,
    "result": GameOver,
    "kept": Kept,
    "hub": HubHere,
}
"""What is said where."""


def encode(payload: Struct) -> bytes:
    return msgspec.json.encode(payload)
