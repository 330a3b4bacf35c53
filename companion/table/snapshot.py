"""The one snapshot of the table that everybody draws: immutable, numbered, safe to hand to any thread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core import (
    PUBLIC,
    Decision,
    Game,
    Mode,
    PieceId,
    ReaderId,
    Result,
    SeatId,
    Seq,
    known_pieces,
    mask,
    verb_of,
)
from companion.journal import Entry
from companion.library import Names, Things

from .past import past_of
from .record import ByEntry, Chair, Deed, Position, Tape
from .seen import FEWEST, SHOWN, Joining, Moment, OnShelf, Open, Seen, Shown

__all__ = ["FEWEST", "Joining", "Mode", "OnShelf", "Open", "Snapshot", "Views"]


class Views:
    """What each audience may know of one state; made on first use and then shared.

    Safe from any thread: two that ask at once may both make it, but the results are equal, and `dict.setdefault` is a
    single step for the interpreter, so both go on with the one kept first. Nobody ever iterates over the two dicts.
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


class Snapshot(Shown, frozen=True, kw_only=True, eq=False):
    """Where the game stands with all its secrets, and what the box shows. It stays on the table's side; others get what
    is `seen_by` their audience. Nothing in it changes as the game goes on. `seq` grows with entries."""

    at: Position
    history: Tape[Entry] = Tape()
    states: ByEntry[Any] = ByEntry()
    deeds: ByEntry[Deed] = ByEntry()
    views: Views = msgspec.field(default_factory=Views)
    stirred: int = 0
    """How often `troubles` has changed: one that came and went between two looks shows only here."""

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
        """For each seat the number of its present question; a command must name it."""
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

    @property
    def interrupts(self) -> bool:
        """Whether something around the game may claim hands' attention: hardly ever true, but asked with every tap."""
        asking = self.to_do or self.repairs or self.appeal or self.enrolling or self.question or self.joining
        return bool(asking) or self.stick is not None

    def view(self, audience: SeatId) -> Any:
        """What `audience` may know of the state; made once per state."""
        return self.views.of(self.state, audience)

    def known(self, audience: SeatId) -> frozenset[PieceId]:
        """The pieces that `audience` sees by name; found once per state."""
        return self.views.pieces(self.game, self.state, audience)

    def names(self) -> Names:
        """What seats, pieces and places are called at this table."""
        describe, pack = self.game.describe, self.game.pack_now(self.state)
        return Names(tuple(chair.name for chair in self.chairs), lambda piece: describe(pack, piece), self.game.place)

    @property
    def awaited(self) -> tuple[SeatId, ...]:
        return self.decisions[-1].seats if self.decisions else ()

    def seen_by(self, audience: SeatId) -> Seen:
        """Everything that may leave for `audience`."""
        at = self.at
        typed = at.lifted and verb_of(self.game, at.lifted[0]).is_typed
        return Seen(
            **{name: getattr(self, name) for name in SHOWN},
            audience=audience,
            view=self.view(audience),
            finds_known=lambda: self.known(audience),
            seq=at.seq,
            line=at.line,
            asked=at.asked,
            decisions=at.decisions,
            chairs=at.chairs,
            referee=at.referee,
            result=at.result,
            fallen=at.lifted[0] if typed else None,
            past=past_of(self, audience),
        )

    def moment(self) -> Moment:
        """For those who show it to several audiences."""

        def seen_by(audience: SeatId) -> Seen:  # a bound method would lead back to the state
            return self.seen_by(audience)

        return Moment(self.seen_by(PUBLIC), seen_by)


def things_of(scene: Snapshot, readers: tuple[ReaderId, ...] = ()) -> Things:
    return things_seen(scene.seen_by(PUBLIC), readers)


def things_seen(public: Seen, readers: tuple[ReaderId, ...] = ()) -> Things:
    """What can be enrolled here. A game begins without chance, so before the first act nothing is secret."""
    game, pack = public.game, public.view.setup.pack
    named = None if len(public.line) == 1 else public.known
    return Things(game.id, game.pieces(pack), len(public.chairs), readers, named, game.places(pack))
