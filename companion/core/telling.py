"""Intents and events as things said, with no more in them than an audience may know."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from .facts import Fact, Facts, Piece, Place, Said, Seat, Word
from .game import Game
from .ids import UNKNOWN, PieceId, PlaceId, SeatId
from .rules import Event, Intent, facts_of, verb_name
from .secrets import Hidden, mask


def known_pieces(game: Game[Any, Any], view: Any) -> frozenset[PieceId]:
    """The pieces that a view shows by name."""
    return frozenset([lies.piece for lies in game.layout(view)]) - {UNKNOWN}


def label(intent: Intent, known: frozenset[PieceId]) -> Said:
    """What an intent would be called by someone who knows just these pieces."""
    return Said("intent." + verb_name(type(intent)), veil(facts_of(intent), known))


def veil(facts: Facts, known: frozenset[PieceId]) -> Facts:
    """Facts in which every other piece is just “a card”."""
    return tuple((name, Piece(UNKNOWN) if isinstance(f, Piece) and f.id not in known else f) for name, f in facts)


def told(event: Event, audience: SeatId) -> Said:
    """What an event is to an audience."""
    seen = mask(event, audience)
    facts = tuple((name, fact(getattr(seen, name))) for name, fact in _tellers(type(event)))
    return Said(f"event.{event.__struct_config__.tag}", facts)


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
