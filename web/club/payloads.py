"""What is published on the broker, as JSON: these structs are the contract between tables and hubs.

Every payload has its version as `v`. Within a version, fields are only added, each with a default, and readers
ignore fields they don't know; any other change gets a new number, in topics and payloads alike.
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
    """Whether a table is here, its name, and the version of the program it runs.

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
    """The version of the game's own rules and state: a reader with another version can't read its views."""
    setup: Raw


class ChairSaid(Struct, frozen=True, omit_defaults=True):
    """Who sits there. The name is "" if they asked to be left out. Nothing identifies their phone."""

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
    """For a finished game: everything told except who sat down when, and the game's numbers after each entry."""

    told: tuple[Told, ...]
    series: tuple[tuple[Line, ...], ...]


class View(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="v", tag=VERSION):
    """What everybody may see of a table at one moment.

    `view` is the game's public view in its own JSON, without the set-up. `line` has the entries that count, as
    runs: [[1, 4], [7, 9]] means 1 to 4 and 7 to 9.
    """

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
    """One entry as everybody is told it. A reader that has already seen `record` and `told.seq` ignores it."""

    record: str
    told: Told


class Placed(Struct, frozen=True, omit_defaults=True):
    """How it ended for one seat: its place from 1 (shared in a tie; 0 if nobody won), and its score, if the game
    has one.
    """

    place: int
    name: str = ""
    bot: bool = False
    score: int | None = None


class GameOver(Struct, frozen=True, kw_only=True, tag_field="v", tag=VERSION):
    """A finished game.

    `id` is the same however often it is sent, and belongs to this game only. Of two with one id the higher `seq`
    counts, and of two with one `seq` the higher `again`: somebody asked to be left out, or to be named after all.
    If it no longer `stands`, the end was taken back.
    """

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
    """What the hub has on its disk: the result with this id, as of this entry and this `again`."""

    id: str
    seq: Seq
    again: int = 0


class HubHere(Struct, frozen=True, tag_field="v", tag=VERSION):
    """Whether the hub is here, its name, and where people open it.

    It says so each time it has subscribed: tables then send what it has not kept. `since` is when it was started.
    """

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
"""Which struct each topic carries."""


def encode(payload: Struct) -> bytes:
    return msgspec.json.encode(payload)
