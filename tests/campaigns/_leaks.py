"""Builds that reveal too much, each in one way, and the outlets in which that must be noticed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
from flask import g

from companion.core import Game, Piece, Refusal, Refused, SeatId, telling, words_of
from companion.table import Seen
from companion.table import referee as referees
from companion.table.seen import Moment
from companion.table.snapshot import Views
from web.screen import Visit
from web.screens import seat, why


@contextlib.contextmanager
def patched(thing: Any, name: str, value: Any) -> Iterator[None]:
    real = getattr(thing, name)
    setattr(thing, name, value)
    try:
        yield
    finally:
        setattr(thing, name, real)


def _everyone(moment: Moment) -> list[Seen]:
    """What each seat sees."""
    return [moment.seen_by(SeatId(n)) for n in range(len(moment.public.chairs))]


@contextlib.contextmanager
def views_leak() -> Iterator[None]:
    """A build that draws from the state."""
    with patched(Views, "of", lambda self, state, _audience: state):
        yield


@contextlib.contextmanager
def events_leak() -> Iterator[None]:
    """A build that tells events unmasked."""
    with patched(telling, "mask", lambda value, _audience: value):
        yield


@contextlib.contextmanager
def seats_leak() -> Iterator[None]:
    """A build that shows everybody every seat's things."""
    real = seat._seat_or_public

    def leaky(visit: Visit, *rest: Any) -> Any:
        screen, everyone = real(visit, *rest), _everyone(visit.moment)
        own = tuple(line for each in everyone for line in each.game.own(each.view, each.audience))
        return msgspec.structs.replace(screen, model=msgspec.structs.replace(screen.model, own=own))

    with patched(seat, "_seat_or_public", leaky):
        yield


@contextlib.contextmanager
def whys_leak() -> Iterator[None]:
    """A build whose “why not?” reveals what others hold."""
    real = why.why_screen

    def leaky(seen: Seen, *rest: Any) -> Any:
        screen, everyone = real(seen, *rest), _everyone(g.visit.moment)
        held = [line for each in everyone for line in words_of(each.game.own(each.view, each.audience))]
        known = [line for each in everyone for line in words_of(seen.game.own(seen.view, each.audience))]
        said = next((line for line in held if line not in known), None)
        return screen and msgspec.structs.replace(screen, model=msgspec.structs.replace(screen.model, said=said))

    with patched(why, "why_screen", leaky):
        yield


@contextlib.contextmanager
def refusals_leak() -> Iterator[None]:
    """A build that refuses with everything it knows."""

    def leaky(game: Game[Any, Any], state: Any, refused: Refused) -> Refusal:
        first = refused.refusals[0]
        facts = tuple((lies.place, Piece(lies.piece)) for lies in game.layout(state))
        return Refusal(first.rule, first.key, facts)

    with patched(referees, "mask", lambda value, _audience: value), patched(referees, "seen_refusal", leaky):
        yield


REFUSAL: Final = "a refusal"
PLANTED: tuple[tuple[Callable[[], Any], str], ...] = (
    *((views_leak, name) for name in ("/table", "/table?form=list", "/thing", "/t/", "photo")),
    *((views_leak, name) for name in ("/api/v1/view", "stream table")),
    *((events_leak, name) for name in ("/history", "/api/v1/history", "/report", "/report.html", "stream history")),
    *((seats_leak, name) for name in ("/watch", "/seat", "stream watch", "stream seat")),
    (whys_leak, "/why"),
)
"""Each outlet with a build that leaks there."""
