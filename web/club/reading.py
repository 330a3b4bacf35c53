"""Turns payloads back into what everybody may see: the same `Seen`, so that the same screens can be drawn from it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final, Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core import PUBLIC, CompanionError, Game, Seq, Setup, known_pieces
from companion.library import shelf
from companion.table.outside import Chair, Past, PutBack, Seen, Ticking, Told

from .payloads import ChairSaid, HubHere, SetupSaid, Ticks, View

MOST: Final = 4 << 20
"""Bytes; no payload of ours comes close."""
TAKEN: Final = "taken"
"""The key of a chair whose player has a phone: no phone has a secret with this hash."""

P = TypeVar("P", bound=Struct)
Called = Callable[[int], str]
"""What to call a seat whose player is left out."""


class Unreadable(CompanionError, ValueError):
    """Not a payload, or one of another version."""


def decode(kind: type[P], raw: bytes) -> P:
    """Decode a payload of this kind; raises Unreadable, which says where it is wrong."""
    if len(raw) > MOST:
        raise Unreadable(f"{kind.__name__} of {len(raw)} bytes is too long: at most {MOST} are read")
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Unreadable(
            f"not a {kind.__name__} of this version: {error}. Run the same version on both sides"
        ) from error


def says_here(raw: bytes) -> bool:
    """Whether a hub says that it is here."""
    try:
        return bool(raw) and decode(HubHere, raw).here
    except Unreadable:
        return False


class Opened(Struct, frozen=True, eq=False):
    """A set-up that was read: the game, and what is fixed for it."""

    record: str
    game: Game[Any, Any]
    setup: Setup[Any]


def opened(said: SetupSaid) -> Opened:
    """Raises Unreadable if the game is not on this shelf, or has another version."""
    try:
        game = shelf.open(said.game)
    except CompanionError as error:
        raise Unreadable(f"the game {said.game!r} is not on this shelf: install it here, too") from error
    if game.version != said.rules:
        here = f"here is version {game.version}. Run the same version on both sides"
        raise Unreadable(f"the table plays version {said.rules} of {said.game}; {here}")
    try:
        setup = msgspec.json.decode(said.setup, type=Setup[game.pack])  # type: ignore[name-defined]
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Unreadable(f"not a set-up of {said.game}: {error}") from error
    return Opened(said.record, game, setup)


def seen_of(opened: Opened, said: View, called: Called, steady: Callable[[float], float] | None = None) -> Seen:
    """What everybody may see at that table. `steady` turns seconds since 1970 into this machine's own clock.

    Raises Unreadable if the view belongs to another set-up, because its own has yet to arrive.
    """
    if said.record != opened.record:
        raise Unreadable(f"the view is of {said.record}, the set-up of {opened.record}: wait for the other")
    game, line = opened.game, tuple(entries(said.line))
    try:
        view = replace(_views(game).decode(said.view), setup=opened.setup)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Unreadable(f"not a view of {game.id}: {error}") from error
    return Seen(
        game=game,
        table=said.record,
        beat=said.seq,
        mode=said.mode,
        away=said.away,
        clock=None if said.clock is None else _ticking(said.clock, steady or steady_time),
        audience=PUBLIC,
        view=view,
        finds_known=lambda: known_pieces(game, view),
        seq=said.seq,
        line=line,
        asked=(0,) * len(said.chairs),
        decisions=said.decisions,
        chairs=tuple(_chair(each, seat, called) for seat, each in enumerate(said.chairs)),
        referee=None,
        result=said.result,
        fallen=None,
        past=_past(said),
    )


def entries(runs: tuple[tuple[Seq, Seq], ...]) -> Iterator[Seq]:
    for first, last in runs:
        yield from map(Seq, range(first, last + 1))


def _chair(said: ChairSaid, seat: int, called: Called) -> Chair:
    return Chair(said.name or called(seat), TAKEN if said.phone else "", said.bot, said.elsewhere)


def _ticking(said: Ticks, steady: Callable[[float], float]) -> Ticking:
    return Ticking(said.wanted, tuple(map(float, said.spent)), said.runs, steady(said.at))


def steady_time(wall: float) -> float:
    return time.monotonic() - time.time() + wall


@cache
def _views(game: Game[Any, Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(game.state)


_NOT_HERE: Final = PutBack(False, None, ())
_KINDS: Final[dict[str, Literal["did", "refused"]]] = {"did": "did", "correction": "did", "refused": "refused"}


def _past(said: View) -> Past:
    """As much of the past as a view tells; spectators of a club take nothing back."""
    told = said.lately[::-1] if said.story is None else said.story.told
    series = () if said.story is None else said.story.series

    def before(seq: Seq) -> Iterator[Told]:
        return (each for each in reversed(told) if each.seq < seq)

    return Past(
        recent=lambda: reversed(told),
        before=before,
        corrected=lambda: (),
        against_rules=lambda: tuple(each for each in told if each.stands_against_rules),
        put_back=lambda _seq: _NOT_HERE,
        undo=lambda: None,
        series=lambda: series,
        waited=lambda: (0,) * len(said.chairs),
        overtimes=lambda _seconds: (0,) * len(said.chairs),
        showdown=lambda: said.showdown,
        kinds=lambda: frozenset(_KINDS[each.kind] for each in told if each.kind in _KINDS),
    )
