"""What an entry says. This is the journal's vocabulary: a new kind of body needs a new format number."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Raw, Struct

from companion.core import GameId, Input, Refusal, SeatId, Seq


class Opened(Struct, frozen=True, tag="opened"):
    """The setup, with its pack embedded, the names of the seats and the mode of refereeing."""

    game: GameId
    version: int
    setup: Raw
    names: tuple[str, ...]
    mode: str


class Did(Struct, frozen=True, tag="did"):
    """An accepted intent with its events; `marks` are the rules it stands against."""

    intent: Raw
    events: tuple[Raw, ...]
    marks: tuple[str, ...] = ()
    correction: bool = False


class WasRefused(Struct, frozen=True, tag="was-refused"):
    """A refused wish. `public` if it was made on the box; otherwise only its seat may know."""

    seat: SeatId
    refusal: Refusal
    public: bool


class TookBack(Struct, frozen=True, tag="took-back"):
    """Everything after entry `to` no longer counts."""

    to: Seq
    by: SeatId


class Seated(Struct, frozen=True, tag="seated"):
    """Who sits there from now on; `key` is the hash of the phone's secret ("" for none). `bot`: it plays for them;
    `elsewhere`: they play from afar, and hands at the table move for them."""

    seat: SeatId
    name: str
    key: str
    bot: bool = False
    elsewhere: bool = False


Body: TypeAlias = Opened | Did | WasRefused | TookBack | Seated


class Entry(Struct, frozen=True):
    """One row: its number, time, content, the input that caused it, the hash of the state after it, the chain."""

    seq: Seq
    at: float
    body: Body
    cause: Input | None
    state: str
    chain: str


class GameRow(Struct, frozen=True):
    """One table in the list of games. `names` are those who sit there now; `game` is "" if it cannot be read."""

    table: str
    game: GameId
    names: tuple[str, ...]
    opened: float
    last: float
    seq: Seq
    archived: bool
