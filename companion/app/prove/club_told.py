"""What was published against what everybody may see: equal to it, with nothing secret, each result kept once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core import PUBLIC, CompanionError, mask
from companion.table import Snapshot
from web.club import (
    SETUP,
    TOLD,
    VIEW,
    GameOver,
    Guests,
    SetupSaid,
    View,
    decode,
    game_over,
    opened,
    seen_of,
    setup_of,
    view_of,
)

from .broker import TABLE
from .checks import Failure, Played
from .leaks import leaked
from .phones import Got


def published(played: Played, got: list[tuple[str, Got]], last: bytes, results: list[GameOver]) -> Iterator[Failure]:
    """All that is wrong with what a club was told: `last` is what it shows in the end, `results` what it has kept."""
    now = played.referee.snapshot()
    public = now.seen_by(PUBLIC)
    setup = setup_of(public)
    set_up = opened(setup)
    for part, each in got:
        try:
            if part == SETUP and each.data and decode(SetupSaid, each.data) != setup:
                yield Failure("wrong", each.seq, "the club was told another set-up than the game's")
            elif part == VIEW and each.data:
                yield from _other_view(played, set_up, decode(View, each.data))
        except (CompanionError, msgspec.MsgspecError) as error:
            yield Failure("wrong", each.seq, f"{each.way} cannot be read: {error}")
    # The set-up has the whole pack, with every name in it; that it is nothing else is seen above.
    yield from leaked(played, PUBLIC, [each for part, each in _dated(got) if part != SETUP])
    yield from _not_kept(played, public, results)
    if not shows(last, now):
        yield Failure("wrong", public.seq, "in the end the club shows something else than the table")


def _dated(got: list[tuple[str, Got]]) -> Iterator[tuple[str, Got]]:
    """Each with the entry that it says it is of."""
    for part, each in got:
        said: Any = msgspec.json.decode(each.data) if each.data else {}
        seq = said["told"]["seq"] if part == TOLD and said else said.get("seq", each.seq)
        yield part, Got(each.way, int(seq), each.data)


def _other_view(played: Played, setup: Any, said: View) -> Iterator[Failure]:
    """A view that is not what everybody saw after its entry."""
    state = played.referee.states.get(said.seq)
    if state is None or said.record != played.referee.table:
        yield Failure("lost", said.seq, f"the club was shown entry {said.seq} of {said.record}, which is not there")
    elif seen_of(setup, said, str).view != mask(state, PUBLIC):
        yield Failure("wrong", said.seq, f"the club was shown another view of entry {said.seq} than everybody has")


def shows(view: bytes, now: Snapshot) -> bool:
    """Whether this is what everybody may see of the table, in all that lasts."""
    return bool(view) and _lasting(decode(View, view)) == _lasting(view_of(now.seen_by(PUBLIC), Guests()))


def _lasting(view: View) -> View:
    """Without what is of the moment only: whose phone sleeps, and the clock."""
    return replace(view, away=(), clock=None)


def _not_kept(played: Played, public: Any, results: list[GameOver]) -> Iterator[Failure]:
    over = game_over(TABLE, public, Guests())
    if over is not None and over not in results:
        yield Failure("lost", public.seq, f"the club has not kept how the game ended: {results}")
    if len(results) > (over is not None):
        yield Failure("doubled", public.seq, f"the club has kept {len(results)} results of one evening")
