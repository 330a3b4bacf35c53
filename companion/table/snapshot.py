"""The one picture of the table that everybody draws: immutable, numbered, safe to hand to any thread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from companion.core.facts import Said, say
from companion.core.game import Decision, Game, Result
from companion.core.ids import GameId, PieceId, SeatId, Seq, Uid
from companion.core.inputs import FirstQuestion
from companion.core.pages import IdlePage, Page, Signal, WifiPage
from companion.core.secrets import mask
from companion.core.telling import known_pieces
from companion.journal import Entry
from companion.library.enrolment import Enrolling
from companion.library.texts import Names

from .position import Chair, Position
from .record import Deed
from .tape import ByEntry, Tape

Mode = Literal["strict", "advise"]

FEWEST: Final = 2
"""So many people are the fewest that a box asks for when it has never played."""


class OnShelf(Struct, frozen=True):
    """A game that the people who sit here could play next, by its short name in the box's language."""

    game: GameId
    title: str


class Open(Struct, frozen=True):
    """The open question of a first run: which one it is, how the box asks it, how far people are.

    While it `joins`, the box shows where phones find it instead.
    """

    question: FirstQuestion
    page: Page
    number: int
    of: int
    joins: bool


class Joining(Struct, frozen=True):
    """A phone that asks for a seat, by which `command`; `admitted` once it was let in at the box (see `door`)."""

    seat: SeatId
    name: str
    code: str
    admitted: bool = False
    command: str = ""


class Views:
    """What each audience may know of one state; made when somebody first asks, and then the same one for all.

    Any thread may ask. Two that ask at once may both make it, but what they make is equal, and `dict.setdefault` is
    one step for the interpreter: both go on with the one that was kept first. Nobody ever walks through the two dicts.
    """

    __slots__ = ("_named", "_views")

    def __init__(self, views: Mapping[SeatId, Any] | None = None) -> None:
        self._views: dict[SeatId, Any] = dict(views or {})
        self._named: dict[SeatId, frozenset[PieceId]] = {}

    def of(self, state: Any, audience: SeatId) -> Any:
        view = self._views.get(audience)
        return self._views.setdefault(audience, mask(state, audience)) if view is None else view

    def pieces(self, game: Game[Any, Any], state: Any, audience: SeatId) -> frozenset[PieceId]:
        """The pieces that `audience` sees by name."""
        known = self._named.get(audience)
        if known is None:
            known = self._named.setdefault(audience, known_pieces(game, self.of(state, audience)))
        return known


class Snapshot(Struct, frozen=True, kw_only=True, eq=False):
    """Where the game stands, and what the box shows. Nothing that it holds changes while the game goes on.

    `page` is what the box shows after `flash`, which it shows first for a few seconds. `beat` grows with every
    publication, `seq` with entries.
    """

    game: Game[Any, Any]
    table: str
    beat: int
    at: Position
    mode: Mode
    history: Tape[Entry] = Tape()
    states: ByEntry[Any] = ByEntry()
    deeds: ByEntry[Deed] = ByEntry()
    page: Page = IdlePage(say("box.title"), say("box.nobody"))
    flash: Page | None = None
    signal: Signal = "quiet"
    troubles: tuple[Said, ...] = ()
    joining: tuple[Joining, ...] = ()
    """The phones that ask for seats, in the order in which they came; also those that were let in and may sit down."""
    away: tuple[SeatId, ...] = ()
    """Seats with a phone that no longer listens: nobody should wait in vain."""
    enrolling: Enrolling | None = None
    """While tags are given, what is laid goes there and not into the game."""
    question: Said | None = None
    """What people must settle before the game goes on."""
    stranger: Uid | None = None
    """The tag laid last that nobody knows, so that a phone can say what it is."""
    shelf: tuple[OnShelf, ...] = ()
    """Once the game is over: what could be played next."""
    beginning: Open | None = None
    """What a box that has never played asks."""
    wifi: WifiPage | None = None
    """The box's own Wi-Fi, where it has one."""
    views: Views = msgspec.field(default_factory=Views)

    @property
    def seq(self) -> Seq:
        return self.at.seq

    @property
    def state(self) -> Any:
        return self.at.state

    @property
    def decisions(self) -> tuple[Decision, ...]:
        return self.at.decisions

    @property
    def asked(self) -> tuple[int, ...]:
        """For each seat the number of the question it is asked now; a command must name it."""
        return self.at.asked

    @property
    def chairs(self) -> tuple[Chair, ...]:
        return self.at.chairs

    @property
    def referee(self) -> Chair | None:
        return self.at.referee

    @property
    def result(self) -> Result | None:
        return self.at.result

    def view(self, audience: SeatId) -> Any:
        """What `audience` may know of the state; made once for each snapshot."""
        return self.views.of(self.state, audience)

    def known(self, audience: SeatId) -> frozenset[PieceId]:
        """The pieces that `audience` sees by name; found once for each snapshot."""
        return self.views.pieces(self.game, self.state, audience)

    def names(self) -> Names:
        """What seats, pieces and places are called at this table."""
        describe, pack = self.game.describe, self.game.pack_now(self.state)
        return Names(tuple(chair.name for chair in self.chairs), lambda piece: describe(pack, piece), self.game.place)

    @property
    def awaited(self) -> tuple[SeatId, ...]:
        return self.decisions[-1].seats if self.decisions else ()
