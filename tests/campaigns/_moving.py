"""A table whose pieces are really moved: lifted, landed, read by a mat's antennas, with everything that antennas do."""

from __future__ import annotations

import itertools
import random
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Self

from companion.app.opening import all_tags
from companion.box import Box
from companion.core import Game, Intent, Mat, PieceId, PlaceId, ReaderId, Setup, TroublePage, Uid, legal
from companion.journal import Did, Journal
from companion.library import PieceTag, Tagbook, pretend_uid
from companion.table import Desk, Do, Referee, reading
from companion.table.desk import Chance
from companion.table.granting import grant
from companion.table.letters import Settled, handle
from companion.table.wishes import By
from firmware_bridge.presence import Arrived, Connected, Left, Lies, Presence, Report, observe

MEMORY: Final = Path("/dev/shm")
PEOPLE: Final = ("Ada", "Ben", "Chloé", "Dan", "Eve", "Félix", "Gwen", "Hugo")


class MovedTable:
    """One game on one mat. `lies` is where each piece really is; only antennas report it."""

    def __init__(
        self, game: Game[Any, Any], setup: Setup[Any], mat: Mat, chance: random.Random, dice: Chance | None = None
    ) -> None:
        self.game, self.setup, self.mat, self.chance, self.dice = game, setup, mat, chance, dice
        self._stack = ExitStack()
        self._presence = Presence()
        self.on: dict[PieceId, ReaderId] = {}
        self.inputs = 0

    def __enter__(self) -> Self:
        stack, game = self._stack, self.game
        where = MEMORY if MEMORY.is_dir() else None
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="moving-", dir=where))
        journal = stack.enter_context(Journal.open(Path(folder) / "games.journal"))
        clock = itertools.count(0.0).__next__
        referee = Referee.begin(game, self.setup, PEOPLE[: self.setup.seats], "strict", journal, clock)
        tagbook = Tagbook()
        tagbook.pretend(all_tags(game, self.setup))
        zones, rolls = self.mat.zones(), self.dice is not None
        self.box = Box()
        self.desk = Desk(referee, tagbook, self.box, self.dice, zones=zones, dice_only=rolls)
        self.lies = self.layout(referee.at.state)
        readers = tuple(self.mat.zones())
        self._hear(Connected(readers), *(Lies(reader, ()) for reader in readers))
        for piece, place in self.lies.items():
            self._land(piece, place)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def state(self) -> Any:
        return self.desk.referee.at.state

    def layout(self, state: Any) -> dict[PieceId, PlaceId]:
        return {lies.piece: lies.place for lies in self.game.layout(state)}

    # Hands

    def move(self, to: dict[PieceId, PlaceId]) -> None:
        """Carry these pieces there, in any order in which hands could."""
        ahead = [("lift", piece) for piece in to] + [("land", piece) for piece in to]
        self.chance.shuffle(ahead)
        lifted = set[PieceId]()
        while ahead:
            act, piece = next(each for each in ahead if each[0] == "lift" or each[1] in lifted)
            ahead.remove((act, piece))
            if act == "lift":
                lifted.add(piece)
                self._lift(piece)
            elif not self._is_full(to[piece]) or not any(a == "lift" and self.lies[p] == to[piece] for a, p in ahead):
                self._land(piece, to[piece])
            else:
                ahead.append((act, piece))
            if self.chance.random() < 0.2:
                self._disturb()

    def tap(self, piece: PieceId, reader: ReaderId) -> None:
        """Hold a piece to a reader for a moment, wherever it lay."""
        self._lift(piece)
        self._hear(Arrived(self._uid(piece), reader), Left(self._uid(piece), reader))

    def rest(self) -> None:
        """Hands keep still for as long as they are given."""
        if self.desk.hands.settles is not None:
            handle(self.desk, Settled())
            self.desk.draw()

    def do_what_is_owed(self) -> None:
        """Lay what the record has moved, or what lay beside a full row, where a reader sees it."""
        for piece in tuple(self.desk.hands.owed):
            self._lift(piece)
            self._land(piece, self.layout(self.state)[piece])

    def check(self) -> None:
        """An internal error is reported on the display, and the table goes on; here it is raised."""
        for page in (self.desk.snapshot.flash, self.desk.snapshot.page):
            assert not (isinstance(page, TroublePage) and page.said.key == "trouble.inside"), "see the log"

    def follow(self) -> None:
        """Hands carry everything to where the record says it is."""
        for piece, place in self.layout(self.state).items():
            if self.lies.get(piece) != place:
                self.swap([piece], [place])

    def swap(self, pieces: list[PieceId], places: list[PlaceId]) -> None:
        """Somebody bumps the table: these pieces end up there."""
        for piece in pieces:
            self._lift(piece)
        for piece, place in zip(pieces, places, strict=True):
            self._land(piece, place)

    def say(self, intent: Intent) -> bool:
        """Somebody says by other means what is done; returns whether it was accepted."""
        before = self.desk.snapshot
        grant(self.desk, Do(intent), By(None, None))
        reading.follow(self.desk, before, None)
        self.desk.draw()
        return self.desk.referee.at.seq > before.seq and self.newest() == intent

    def newest(self) -> Intent | None:
        history = self.desk.referee.history
        return self.desk.referee.deeds[history[-1].seq].intent if isinstance(history[-1].body, Did) else None

    def done_since(self, seq: int) -> list[Intent]:
        referee = self.desk.referee
        return [referee.deeds[e.seq].intent for e in referee.history if e.seq > seq and isinstance(e.body, Did)]

    def legal(self) -> Iterator[Intent]:
        decisions = self.desk.referee.at.decisions
        for seat in decisions[-1].seats if decisions else ():
            yield from legal(self.game, self.state, seat)

    # Antennas

    def _lift(self, piece: PieceId) -> None:
        reader = self.on.pop(piece, None)
        if reader is not None:
            self._hear(Left(self._uid(piece), reader))

    def _land(self, piece: PieceId, place: PlaceId) -> None:
        self.lies[piece] = place
        pack = self.setup.pack
        is_pawn, is_tray = piece in self.game.beside(pack), place in self.game.trays(pack)
        if is_pawn and not is_tray:
            return
        there = [reader for reader, at in self.mat.zones().items() if at == place]
        free = [reader for reader in there if is_tray or reader not in self.on.values()]
        if free:
            self.on[piece] = self.chance.choice(free)
            self._hear(Arrived(self._uid(piece), self.on[piece]))

    def _is_full(self, place: PlaceId) -> bool:
        readers = [r for r, at in self.mat.zones().items() if at == place]
        return bool(readers) and all(r in self.on.values() for r in readers)

    def _disturb(self) -> None:
        """A tag is reported twice, or a neighbour reads it for a moment."""
        if not self.on:
            return
        piece = self.chance.choice(sorted(self.on))
        uid, reader = self._uid(piece), self.on[piece]
        other = self.chance.choice(sorted(self.mat.zones()))
        if other == reader:
            self._hear(Arrived(uid, reader))
        else:
            self._hear(Arrived(uid, other), Left(uid, other))

    def _uid(self, piece: PieceId) -> Uid:
        return pretend_uid(PieceTag(self.game.id, piece))

    def _hear(self, *reports: Report) -> None:
        for report in reports:
            self._presence, sensed = observe(self._presence, report)
            for each in sensed:
                self.inputs += 1
                handle(self.desk, each)
                self.desk.draw()
                self.check()
