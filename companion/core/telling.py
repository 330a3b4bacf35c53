"""Intents and events as things said, with no more in them than an audience may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec

from .facts import Fact, Facts, Piece, Place, Said, Seat, Word, say
from .game import Game
from .ids import UNKNOWN, PieceId, PlaceId, SeatId
from .rules import Concern, Event, Intent, facts_of, verb_name
from .secrets import Hidden, mask

_ORDER: Final[tuple[Concern, ...]] = ("hands", "books")


def known_pieces(game: Game[Any, Any], view: Any) -> frozenset[PieceId]:
    """The pieces that a view shows by name."""
    return frozenset([lies.piece for lies in game.layout(view)]) - {UNKNOWN}


def label(game: Game[Any, Any], view: Any, intent: Intent, known: frozenset[PieceId]) -> Said:
    """What an intent is called by someone who has this view, and so knows just these pieces."""
    return _seen(game, view, Said("intent." + verb_name(type(intent)), veil(facts_of(intent), known)))


def called(game: Game[Any, Any], view: Any, thing: Piece | Place) -> Fact:
    """What a piece or a place is called by someone who has this view."""
    return _seen(game, view, say("choice", item=thing)).facts[0][1]


def veil(facts: Facts, known: frozenset[PieceId]) -> Facts:
    """Facts in which every other piece is just “a card”."""
    return tuple((name, Piece(UNKNOWN) if isinstance(f, Piece) and f.id not in known else f) for name, f in facts)


def told(game: Game[Any, Any], view: Any, event: Event, audience: SeatId) -> Said:
    """What an event is to an audience; `view` is theirs of the table after it (see `view_to_tell`)."""
    masked = mask(event, audience)
    facts = tuple((name, fact(getattr(masked, name))) for name, fact in _tellers(type(event)))
    return _seen(game, view, Said(f"event.{event.__struct_config__.tag}", facts))


def view_to_tell(game: Game[Any, Any], state: Any, audience: SeatId) -> Any:
    """The view that telling events asks for: made only for a game that says what eyes see."""
    return None if game.seen is None else mask(state, audience)


def _seen(game: Game[Any, Any], view: Any, said: Said) -> Said:
    return said if game.seen is None else game.seen(view, said)


def worth_telling(events: Iterable[Event]) -> list[Event]:
    """What people must hear about, in this order: what hands do, what the books say; failing these, the course."""
    made = list(events)
    found = [event for concern in _ORDER for event in made if event.concerns == concern]
    return found or made


@cache
def _tellers(cls: type[Event]) -> tuple[tuple[str, Callable[[Any], Fact]], ...]:
    hints = get_type_hints(cls)
    return tuple((f.name, _teller(f.name, hints[f.name])) for f in msgspec.structs.fields(cls))


def _teller(name: str, hint: Any) -> Callable[[Any], Fact]:
    if get_origin(hint) is Hidden:
        inner = _teller(name, get_args(hint)[0])
        return lambda hidden: inner(hidden.value)
    if hint is PieceId:
        return Piece
    if hint is PlaceId:
        return Place
    if hint is SeatId:
        return Seat
    if hint is int:
        return int
    if get_origin(hint) is tuple:
        return len
    return lambda value: Word(f"{name}.{value}")
