"""One game and its record: what counts, and who sits where.

Single-threaded. Every method that changes anything appends to the journal first and changes itself only after the entry
is synced; if the journal fails, everything stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, get_args

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from companion.core import (
    PUBLIC,
    Accepted,
    CompanionError,
    Game,
    Input,
    Intent,
    Refused,
    SeatId,
    Seq,
    Setup,
    fold,
    is_correction,
    judge,
    mask,
    seen_refusal,
)
from companion.journal import Body, Did, Entry, Journal, Opened, Seated, TookBack, WasRefused
from companion.library import shared_pack

from . import record
from .record import ByEntry, Chair, Deed, Kept, Position, Tape
from .snapshot import Mode, Snapshot, Views

Carried: TypeAlias = tuple[tuple[SeatId, Chair, Input | None], ...]
"""Who sits where in a new game from its first moment, and the wish that caused it."""

KEEP_EVERY: Final = 50
"""A position is saved every this many entries, so that a game can go on even if a later version counts differently."""


def _nobody(_entry: Entry) -> None:
    """The state stays as it is, so there is nothing to get ready for."""


class ReplayDiffers(CompanionError, ValueError):
    """The record of a game no longer leads to the states it once led to."""


def _mode(written: str) -> Mode:
    """How a game is refereed; a mode unknown to this version counts as strict."""
    return next((mode for mode in get_args(Mode) if mode == written), "strict")


def _setup(game: Game[Any, Any], written: Raw) -> Setup[Any]:
    setup = msgspec.json.decode(written, type=Setup[Raw])
    return msgspec.structs.replace(setup, pack=shared_pack(game.pack, bytes(setup.pack)))


class Referee:
    """The game at one table, folded from its journal. `at` is where it stands."""

    def __init__(self, game: Game[Any, Any], journal: Journal, table: str, clock: Callable[[], float]) -> None:
        self.game = game
        self.table = table
        self._journal = journal
        self._clock = clock
        self._encode = msgspec.json.Encoder().encode
        self.history = Tape(tuple(journal.entries(table)))
        opened = self.history[0].body
        assert isinstance(opened, Opened)
        self.setup = _setup(game, opened.setup)
        self.mode: Mode = _mode(opened.mode)
        self.deeds: ByEntry[Deed] = ByEntry()
        for entry in self.history:
            self._note_deed(entry)
        self.at, self.states = self._resume()
        self._viewed, self._views = self.at.state, Views()
        self.drafted: Callable[[Snapshot], None] | None = None
        """Told where an act leads before its entry is synced: to get ready for it, never to show it."""

    @classmethod
    def begin(
        cls,
        game: Game[Any, Any],
        setup: Setup[Any],
        names: tuple[str, ...],
        mode: Mode,
        journal: Journal,
        clock: Callable[[], float],
        carried: Carried = (),
    ) -> Referee:
        """Open a new game: its setup is the first entry of its journal, followed by who sits there.

        They are recorded together, so that nobody ever finds the game without its people.
        """
        body = Opened(game.id, game.version, Raw(msgspec.json.encode(setup)), names, mode)
        seated = tuple((_seated(seat, chair), cause) for seat, chair, cause in carried)
        table = journal.create(body, clock(), record.state_hash(game.start(setup)), seated)
        return cls(game, journal, table, clock)

    def act(self, intent: Intent, cause: Input | None, *, on_box: bool, appealed: bool = False) -> Entry:
        """Judge an intent and record the verdict; a refusal contains only what its audience may know.

        One that was `appealed` stands with its marks, unless a physical rule forbids it. So in a strict game every
        entry with marks is an appeal.
        """
        verdict = judge(self.game, self.at.state, intent, advise=appealed or self.mode != "strict")
        match verdict:
            case Accepted():
                return self._accept(verdict, cause)
            case Refused():
                view = mask(self.at.state, PUBLIC if on_box else intent.actor)
                refusal = seen_refusal(self.game, view, verdict)
                entry = self._append(WasRefused(intent.actor, refusal, on_box), cause)
                self.at = record.noted(self.at, entry.seq)
                return entry

    def may_stand(self, intent: Intent) -> bool:
        """Whether hands could do this, whatever other rules say."""
        return isinstance(judge(self.game, self.at.state, intent, advise=True), Accepted)

    def take_back(self, to: Seq, by: SeatId, cause: Input | None) -> Entry:
        """Return to entry `to`, which must count; `record.bars_take_back` says whether a seat may do so on its own."""
        lifted = record.chance_after(self.deeds, self.at, to)
        entry = self._append(TookBack(to, by), cause, self.history[to - 1].state)
        self.at = record.taken_back(self.game, self.at, entry.seq, to, self.states[to], lifted)
        return entry

    def seat(self, seat: SeatId, chair: Chair, cause: Input | None) -> Entry:
        """Record who sits there from now on."""
        entry = self._append(_seated(seat, chair), cause)
        self.at = record.seated(self.at, entry.seq, seat, chair)
        return entry

    def catch_up(self) -> tuple[Entry, ...]:
        """Take in what reached the record although the disk had reported failure; raises while nobody can know."""
        self._journal.settle(self.table)
        late = tuple(self._journal.entries(self.table, self.history[-1].seq))
        for entry in late:
            self._note_deed(entry)
            at = self._advance(self.at, entry, self.states)
            self._check(entry, at.state)
            self.at, self.states = at, self.states.and_then(entry.seq, at.state)
            self.history = self.history.and_then(entry)
        return late

    @property
    def is_tidy(self) -> bool:
        return self._journal.is_tidy

    def tidy(self) -> None:
        """For a pause in which nobody waits; see `Journal.tidy`."""
        self._journal.tidy()

    def snapshot(self, beat: int = 0) -> Snapshot:
        """Where the game stands, without the box's page. Snapshots of the same state share their views."""
        if self._viewed is not self.at.state:
            self._viewed, self._views = self.at.state, Views()
        return Snapshot(
            game=self.game,
            table=self.table,
            beat=beat,
            at=self.at,
            mode=self.mode,
            history=self.history,
            states=self.states,
            deeds=self.deeds,
            views=self._views,
        )

    def answered(self, command: str) -> Entry | None:
        """The entry that this command led to, even before a restart."""
        return self._journal.command(self.table, command)

    def replay(self) -> Position:
        """Fold the whole record from its first entry, comparing each state with the one recorded then."""
        return self._replayed()[0]

    def _resume(self) -> tuple[Position, ByEntry[Any]]:
        try:
            return self._replayed()
        except ReplayDiffers:
            kept = self._journal.kept(self.table)
            if kept is None:
                raise
            return self._folded(self._restore(kept[1]))

    def _replayed(self) -> tuple[Position, ByEntry[Any]]:
        at = record.beginning(self.game, self.setup, self.history[0])
        self._check(self.history[0], at.state)
        return self._folded(at)

    def _folded(self, at: Position) -> tuple[Position, ByEntry[Any]]:
        """Where the record leads from `at` on, with the state after each entry on the way."""
        states: ByEntry[Any] = ByEntry[Any]().and_then(at.seq, at.state)
        for entry in self.history[at.seq :]:
            at = self._advance(at, entry, states)
            self._check(entry, at.state)
            states = states.and_then(entry.seq, at.state)
        return at, states

    def _advance(self, at: Position, entry: Entry, states: ByEntry[Any]) -> Position:
        match entry.body:
            case Did():
                deed = self.deeds[entry.seq]
                return record.played(self.game, at, entry.seq, deed.intent, fold(self.game, at.state, deed.events))
            case TookBack(to=to):
                lifted = record.chance_after(self.deeds, at, to)
                return record.taken_back(self.game, at, entry.seq, to, states[to], lifted)
            case Seated(seat=seat, name=name, key=key, bot=bot, elsewhere=elsewhere):
                return record.seated(at, entry.seq, seat, Chair(name, key, bot, elsewhere))
            case WasRefused() | Opened():
                return record.noted(at, entry.seq)

    def _note_deed(self, entry: Entry) -> None:
        if isinstance(entry.body, Did) and entry.seq not in self.deeds:
            self.deeds = self.deeds.and_then(entry.seq, record.deed(self.game, entry.body, entry.cause))

    def _check(self, entry: Entry, state: Any) -> None:
        if record.state_hash(state) != entry.state:
            raise ReplayDiffers(
                f"game {self.table}: entry {entry.seq} leads to another state than it did when it was played "
                f"(rules of {self.game.id} are now version {self.game.version}). The record is untouched; "
                "open it with the version it was played with, or export it and report this."
            )

    def _restore(self, raw: bytes) -> Position:
        kept = msgspec.json.decode(raw, type=Kept)
        state = msgspec.json.decode(kept.state, type=self.game.state)
        state = msgspec.structs.replace(state, setup=self.setup)
        self._check(self.history[kept.seq - 1], state)
        lifted = tuple(record.intent_from(self.game, raw) for raw in kept.lifted)
        at = Position(kept.seq, state, kept.line, kept.asked, kept.chairs, lifted, referee=kept.referee)
        return record.settled(self.game, at)

    def _accept(self, verdict: Accepted, cause: Input | None) -> Entry:
        intent, encode, after = verdict.intent, self._encode, verdict.after
        events = tuple(Raw(encode(event)) for event in verdict.events)
        did = Did(Raw(encode(intent)), events, verdict.marks, is_correction(self.game, intent))
        seq = Seq(self.history[-1].seq + 1)
        at = record.played(self.game, self.at, seq, intent, after)
        states = self.states.and_then(seq, after)
        deeds = self.deeds.and_then(seq, record.deed_of(self.game, intent, verdict.events, cause))

        def draft(entry: Entry) -> None:
            if self.drafted is not None:
                now, longer = self.snapshot(), self.history.and_then(entry)
                self._viewed, self._views = after, Views()
                self.drafted(replace(now, at=at, history=longer, states=states, deeds=deeds, views=self._views))

        entry = self._append(did, cause, record.state_hash(after), draft)
        self.at, self.states, self.deeds = at, states, deeds
        if seq % KEEP_EVERY == 0:
            self._keep(at)
        return entry

    def _keep(self, at: Position) -> None:
        lifted = tuple(Raw(self._encode(intent)) for intent in at.lifted)
        state = Raw(self._encode(record.bare(at.state)))
        kept = Kept(at.seq, state, at.line, at.asked, at.chairs, lifted, at.referee)
        self._journal.keep(self.table, at.seq, self._encode(kept))

    def _append(
        self, body: Body, cause: Input | None, state: str | None = None, drafted: Callable[[Entry], None] = _nobody
    ) -> Entry:
        """Record an entry; one that leaves the state unchanged repeats the last hash."""
        state = self.history[-1].state if state is None else state
        entry = self._journal.append(self.table, body, cause, self._clock(), state, drafted)
        self.history = self.history.and_then(entry)
        return entry


def _seated(seat: SeatId, chair: Chair) -> Seated:
    return Seated(seat, chair.name, chair.key, chair.bot, chair.elsewhere)
