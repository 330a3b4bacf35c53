"""Where a game stands after an entry of its journal: a pure fold, the same while playing and when resuming."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from companion.core import REFEREE, Decision, Game, Intent, Result, SeatId, Seq, Setup, verb_of
from companion.journal import Entry, Opened


class Chair(Struct, frozen=True):
    """A seat's person: the name, the hash of their phone's secret ("" = no phone), whether a bot plays for them, and
    whether they are elsewhere, so that hands at the table move for them."""

    name: str
    key: str = ""
    bot: bool = False
    elsewhere: bool = False


class Asks(Protocol):
    """Who is asked what: a position, or what somebody sees of one."""

    @property
    def asked(self) -> tuple[int, ...]: ...
    @property
    def decisions(self) -> tuple[Decision, ...]: ...
    @property
    def chairs(self) -> tuple[Chair, ...]: ...


class Position(Struct, frozen=True):
    """What counts after entry `seq`.

    `line` are the entries that changed the state and still count. `asked[seat]` is the entry since which that seat
    is asked what it is asked now. `lifted` are the chance outcomes just taken back: the same die and card fall again.
    `referee` is who referees with a phone, if anybody does.
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
    """A position as it is kept in the journal; state and intents in the game's own JSON."""

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
    """A new question for all when the decision changed, else only for the one who answered.

    After a die or a draw it is always a new one: a number typed for the last die must not count for the next.
    """
    changed = chance or question(new.decisions) != question(old.decisions)
    asked = tuple(new.seq if changed or seat == actor else n for seat, n in enumerate(old.asked))
    return msgspec.structs.replace(new, asked=asked)


def question(decisions: tuple[Decision, ...]) -> tuple[int, str, str]:
    """What makes two decisions the same question, whoever still has to answer it."""
    top = decisions[-1] if decisions else Decision("", ())
    return len(decisions), top.kind, top.subject


def bare(state: Any) -> Any:
    """The state without its set-up, which never changes and is in the first entry."""
    return msgspec.structs.replace(state, setup=_no_setup(state.__class__))


@cache
def _no_setup(cls: type[Struct]) -> Any:
    """What stands for the set-up in a state without one: the default of that field."""
    default = next((field.default for field in msgspec.structs.fields(cls) if field.name == "setup"), msgspec.NODEFAULT)
    if default is msgspec.NODEFAULT:
        raise TypeError(f"{cls.__qualname__} needs a field with a default: setup: Static[Setup[Pack]] = NO_SETUP")
    return default


def state_hash(state: Any) -> str:
    return blake2b(msgspec.json.encode(bare(state)), digest_size=16).hexdigest()
