"""One game's record: its entries as intents and events, where they led, and what may still be taken back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from itertools import chain
from typing import Any, Final, Protocol, TypeAlias, TypeVar, Union, overload

import msgspec
from msgspec import Raw, Struct

from companion.core import (
    REFEREE,
    TABLE,
    Asked,
    Decision,
    Event,
    Fact,
    Game,
    Input,
    Intent,
    Refusal,
    Result,
    RuleId,
    Seat,
    SeatId,
    Seq,
    Setup,
    verb_of,
)
from companion.journal import Did, Entry, Opened


class Deed(Struct, frozen=True):
    """An accepted intent and what it made true; `by_chance` if it was a roll or a draw.

    `typed_by` is who entered what real dice show: a seat with its phone, or the table at the box; None for virtual
    dice.
    """

    intent: Intent
    events: tuple[Event, ...]
    by_chance: bool
    typed_by: SeatId | None = None

    def may_be_mistyped(self, by: SeatId) -> bool:
        """Whether it is a die that this seat, or somebody at the box, has typed and that revealed nothing else."""
        is_theirs = self.typed_by is not None and by in (self.typed_by, TABLE)
        return is_theirs and not any(event.reveals for event in self.events[1:])


Deeds: TypeAlias = Mapping[Seq, Deed]
"""Every accepted intent of a game by its entry, whether or not it still counts."""


def own_rule(number: int, key: str, **facts: Fact) -> Refusal:
    """A refusal of the table itself: C1, C2 …"""
    return Refusal(RuleId(f"C{number}"), key, tuple(facts.items()))


def intent_from(game: Game[Any, Any], raw: bytes | Raw) -> Intent:
    """An intent from JSON; raises msgspec.MsgspecError if this game has no such intent."""
    try:
        str(raw, "utf-8")  # what the decoder lets through would stop the journal
        decoded: Intent = _intents(game).decode(raw)
    except (UnicodeDecodeError, RecursionError) as error:
        raise msgspec.DecodeError(f"no text that can be read: {type(error).__name__}") from error
    return decoded


def deed(game: Game[Any, Any], did: Did, cause: Input | None) -> Deed:
    """What an entry says was done."""
    decode = _events(game).decode
    return deed_of(game, intent_from(game, did.intent), tuple(decode(raw) for raw in did.events), cause)


def deed_of(game: Game[Any, Any], done: Intent, events: tuple[Event, ...], cause: Input | None) -> Deed:
    verb = verb_of(game, done)
    if cause is None or not verb.is_typed:
        return Deed(done, events, verb.chance)
    return Deed(done, events, verb.chance, cause.seat if isinstance(cause, Asked) else TABLE)


def counting(deeds: Deeds, at: Position, after: Seq) -> tuple[tuple[Seq, Deed], ...]:
    """What was done after entry `after` and still counts."""
    return tuple((seq, deeds[seq]) for seq in at.line[bisect_right(at.line, after) :])


def bars_take_back(deeds: Deeds, at: Position, to: Seq, by: SeatId) -> Refusal | None:
    """Why a seat may not go back to entry `to` on its own; None if it may.

    Free until something was shown or rolled, or another seat acted; beyond that it is up to the referee. A typed die
    may be typed again as long as nothing was done with it, but what was done before it stays.
    """
    if to not in at.line[:-1]:
        return own_rule(7, "nothing-to-take-back")
    if to == at.line[-2] and deeds[at.line[-1]].may_be_mistyped(by):
        return None
    if at.lifted:  # people have seen the roll, even though the same one will fall again
        return own_rule(6, "take-back-shown", n=at.line[-1])
    for seq, done in counting(deeds, at, to):
        actor = done.intent.actor
        if done.by_chance or any(event.reveals for event in done.events):
            return own_rule(6, "take-back-shown", n=seq)
        if actor != by:
            return own_rule(6, "take-back-other", seat=Seat(actor), n=seq)
    return None


def last_act(deeds: Deeds, at: Position) -> tuple[Seq, Intent] | None:
    """The last act of a person that counts, and the entry to return to in order to take it back.

    A die that they have just typed counts as an act, too.
    """
    for to, seq in reversed(list(zip(at.line, at.line[1:], strict=False))):
        if not deeds[seq].by_chance or (seq == at.line[-1] and deeds[seq].may_be_mistyped(TABLE)):
            return to, deeds[seq].intent
    return None


def chance_after(deeds: Deeds, at: Position, to: Seq) -> tuple[Intent, ...]:
    """The chance outcomes after entry `to`, oldest first."""
    return tuple(done.intent for _, done in counting(deeds, at, to) if done.by_chance)


@cache
def _intents(game: Game[Any, Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(Union[*(verb.intent for verb in (*game.verbs, *game.corrections))])


@cache
def _events(game: Game[Any, Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(game.event)


class Chair(Struct, frozen=True):
    """A seat's person: the name, the hash of their phone's secret ("" for no phone), whether a bot plays for them, and
    whether they are elsewhere, so that hands at the table move for them."""

    name: str
    key: str = ""
    bot: bool = False
    elsewhere: bool = False


class Asks(Protocol):
    """Who is being asked what: a position, or what somebody sees of one."""

    @property
    def asked(self) -> tuple[int, ...]: ...
    @property
    def decisions(self) -> tuple[Decision, ...]: ...
    @property
    def chairs(self) -> tuple[Chair, ...]: ...


class Position(Struct, frozen=True):
    """What counts after entry `seq`.

    `line` are the entries that changed the state and still count. `asked[seat]` is the entry since which that seat has
    been asked its present question. `lifted` are the chance outcomes just taken back: the same die and card fall again.
    `referee` is whoever referees with a phone.
    """

    seq: Seq
    state: Any
    line: tuple[Seq, ...]
    asked: tuple[int, ...]
    chairs: tuple[Chair, ...]
    lifted: tuple[Intent, ...] = ()
    decisions: tuple[Decision, ...] = ()
    result: Result | None = None
    referee: Chair | None = None


class Kept(Struct, frozen=True):
    """A position as stored in the journal; state and intents in the game's own JSON."""

    seq: Seq
    state: msgspec.Raw
    line: tuple[Seq, ...]
    asked: tuple[int, ...]
    chairs: tuple[Chair, ...]
    lifted: tuple[msgspec.Raw, ...]
    referee: Chair | None = None


def beginning(game: Game[Any, Any], setup: Setup[Any], entry: Entry) -> Position:
    assert isinstance(entry.body, Opened)
    chairs = tuple(Chair(name) for name in entry.body.names)
    state = game.start(setup)
    position = Position(entry.seq, state, (entry.seq,), (entry.seq,) * setup.seats, chairs)
    return settled(game, position)


def played(game: Game[Any, Any], at: Position, seq: Seq, intent: Intent, after: Any) -> Position:
    """The position after an accepted intent that led to the state `after`."""
    lifted = at.lifted
    if verb_of(game, intent).chance:
        lifted = lifted[1:] if intent in lifted[:1] else ()
    new = Position(seq, after, (*at.line, seq), at.asked, at.chairs, lifted, referee=at.referee)
    return _asked(settled(game, new), at, intent.actor, verb_of(game, intent).chance)


def taken_back(
    game: Game[Any, Any], at: Position, seq: Seq, to: Seq, state: Any, lifted: tuple[Intent, ...]
) -> Position:
    """The position after everything later than entry `to` was taken back."""
    line = tuple(s for s in at.line if s <= to)
    new = Position(seq, state, line, (seq,) * len(at.asked), at.chairs, lifted, referee=at.referee)
    return settled(game, new)


def seated(at: Position, seq: Seq, seat: SeatId, chair: Chair) -> Position:
    if seat == REFEREE:
        return msgspec.structs.replace(at, seq=seq, referee=chair if chair.key else None)
    chairs = (*at.chairs[:seat], chair, *at.chairs[seat + 1 :])
    return msgspec.structs.replace(at, seq=seq, chairs=chairs)


def noted(at: Position, seq: Seq) -> Position:
    """The position after an entry that changed nothing."""
    return msgspec.structs.replace(at, seq=seq)


def settled(game: Game[Any, Any], at: Position) -> Position:
    return msgspec.structs.replace(at, decisions=game.decisions(at.state), result=game.result(at.state))


def _asked(new: Position, old: Position, actor: SeatId, chance: bool) -> Position:
    """A new question for all if the decision changed, else only for the seat that answered.

    After a die or a draw it is always a new one: a number typed for the last die must not count for the next.
    """
    changed = chance or question(new.decisions) != question(old.decisions)
    asked = tuple(new.seq if changed or seat == actor else n for seat, n in enumerate(old.asked))
    return msgspec.structs.replace(new, asked=asked)


def question(decisions: tuple[Decision, ...]) -> tuple[int, str, str]:
    """What makes two decisions the same question, no matter who still has to answer it."""
    top = decisions[-1] if decisions else Decision("", ())
    return len(decisions), top.kind, top.subject


def bare(state: Any) -> Any:
    """The state without its setup, which never changes and is in the first entry."""
    return msgspec.structs.replace(state, setup=_no_setup(state.__class__))


@cache
def _no_setup(cls: type[Struct]) -> Any:
    """What stands in for the setup in a state without one: the default of that field."""
    default = next((field.default for field in msgspec.structs.fields(cls) if field.name == "setup"), msgspec.NODEFAULT)
    if default is msgspec.NODEFAULT:
        raise TypeError(f"{cls.__qualname__} needs a field with a default: setup: Static[Setup[Pack]] = NO_SETUP")
    return default


def state_hash(state: Any) -> str:
    return blake2b(msgspec.json.encode(bare(state)), digest_size=16).hexdigest()


T = TypeVar("T")

BLOCK: Final = 64
"""Items per block. Adding one copies at most a block, plus a pointer for every full one."""


class Tape(Sequence[T]):
    """An immutable sequence; `and_then` returns one with one more item that shares all full blocks."""

    __slots__ = ("_full", "_last")

    def __init__(self, items: Sequence[T] = ()) -> None:
        whole = len(items) - len(items) % BLOCK
        self._full: tuple[tuple[T, ...], ...] = tuple(tuple(items[at : at + BLOCK]) for at in range(0, whole, BLOCK))
        self._last: tuple[T, ...] = tuple(items[whole:])

    def and_then(self, item: T) -> Tape[T]:
        longer: Tape[T] = Tape.__new__(Tape)
        longer._full, longer._last = self._full, (*self._last, item)
        if len(longer._last) == BLOCK:
            longer._full, longer._last = (*self._full, longer._last), ()
        return longer

    def __len__(self) -> int:
        return len(self._full) * BLOCK + len(self._last)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self[at] for at in range(*index.indices(len(self))))
        at = index if index >= 0 else len(self) + index
        if not 0 <= at < len(self):
            raise IndexError(f"no item {index} among {len(self)}")
        block, within = divmod(at, BLOCK)
        return (self._full[block] if block < len(self._full) else self._last)[within]

    def __iter__(self) -> Iterator[T]:
        return chain(chain.from_iterable(self._full), self._last)


class ByEntry(Mapping[Seq, T]):
    """What belongs to certain entries of a record, by their number; as immutable as a `Tape`."""

    __slots__ = ("_count", "_tape")

    def __init__(self) -> None:
        self._tape: Tape[T | None] = Tape()
        self._count = 0

    def and_then(self, seq: Seq, item: T) -> ByEntry[T]:
        """The same with `item` for entry `seq`, which must be later than all that are there."""
        tape = self._tape
        skipped = seq - 1 - len(tape)
        if skipped < 0:
            raise ValueError(f"entry {seq} is not later than entry {len(tape)}, which is there: add in order")
        for _ in range(skipped):
            tape = tape.and_then(None)
        longer: ByEntry[T] = ByEntry.__new__(ByEntry)
        longer._tape, longer._count = tape.and_then(item), self._count + 1
        return longer

    def __getitem__(self, seq: Seq) -> T:
        item = self._tape[seq - 1] if 0 < seq <= len(self._tape) else None
        if item is None:
            raise KeyError(seq)
        return item

    def __iter__(self) -> Iterator[Seq]:
        return (Seq(at) for at, item in enumerate(self._tape, 1) if item is not None)

    def __len__(self) -> int:
        return self._count
