"""The one picture of the table that everybody draws: immutable, numbered, safe to hand to any thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from .core.facts import Said, say
from .core.game import Decision, Game, Result
from .core.ids import PieceId, SeatId, Seq, Uid
from .core.secrets import mask
from .core.telling import known_pieces
from .enrolment import Enrolling
from .first_run import Open
from .journal import Entry
from .next_game import OnShelf
from .pages import IdlePage, Page, Signal, WifiPage
from .position import Chair, Position
from .record import Deeds
from .texts import Names

Mode = Literal["strict", "advise"]


class Joining(Struct, frozen=True):
    """A phone that asks for a seat; `admitted` once someone held OK."""

    seat: SeatId
    name: str
    code: str
    admitted: bool = False


class Snapshot(Struct, frozen=True, kw_only=True, eq=False):
    """Where the game stands, and what the box shows.

    `page` is what the box shows after `flash`, which it shows first for a few seconds. `beat` grows with every
    publication, `seq` with entries. `history`, `states` and `deeds` grow while the game goes on: read no further
    than `seq`.
    """

    game: Game[Any, Any]
    table: str
    beat: int
    at: Position
    mode: Mode
    history: Sequence[Entry]
    states: Mapping[Seq, Any]
    deeds: Deeds
    page: Page = IdlePage(say("box.title"), say("box.nobody"))
    flash: Page | None = None
    signal: Signal = "quiet"
    troubles: tuple[Said, ...] = ()
    joining: Joining | None = None
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
    views: dict[SeatId, Any] = msgspec.field(default_factory=dict)
    named: dict[SeatId, frozenset[PieceId]] = msgspec.field(default_factory=dict)

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
        try:
            return self.views[audience]
        except KeyError:
            view = self.views[audience] = mask(self.state, audience)
            return view

    def known(self, audience: SeatId) -> frozenset[PieceId]:
        """The pieces that `audience` sees by name; found once for each snapshot."""
        try:
            return self.named[audience]
        except KeyError:
            known = self.named[audience] = known_pieces(self.game, self.view(audience))
            return known

    def names(self) -> Names:
        """What seats, pieces and places are called at this table."""
        describe, pack = self.game.describe, self.game.pack_now(self.state)
        return Names(tuple(chair.name for chair in self.chairs), lambda piece: describe(pack, piece), self.game.place)

    @property
    def awaited(self) -> tuple[SeatId, ...]:
        return self.decisions[-1].seats if self.decisions else ()
