"""Intents, events and corrections put into words, with nothing in them that the audience may not know."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import replace

from .facts import Fact, Facts, Piece, Place, Said, Seat, Word, say
from .game import Game, is_correction, verb_of
from .ids import UNKNOWN, PieceId, PlaceId, SeatId
from .rules import Concern, Event, Intent, argument_kinds, facts_of, mentions, set_by, verb_name
from .secrets import Hidden, mask

_ORDER: Final[tuple[Concern, ...]] = ("hands", "books")


def known_pieces(game: Game[Any, Any], view: Any) -> frozenset[PieceId]:
    """The pieces that a view shows by name."""
    return frozenset([lies.piece for lies in game.layout(view)]) - {UNKNOWN}


def label(game: Game[Any, Any], view: Any, intent: Intent, known: frozenset[PieceId]) -> Said:
    """What an intent is called by someone who has this view, and so knows only these pieces."""
    return _seen(game, view, Said("intent." + verb_name(type(intent)), veil(facts_of(intent), known)))


def called(game: Game[Any, Any], view: Any, thing: Piece | Place) -> Fact:
    """What a piece or a place is called by someone who has this view."""
    return _seen(game, view, say("choice", item=thing)).facts[0][1]


def veil(facts: Facts, known: frozenset[PieceId]) -> Facts:
    """Facts in which every other piece is just “a card”."""
    return tuple((name, Piece(UNKNOWN) if isinstance(f, Piece) and f.id not in known else f) for name, f in facts)


def told(game: Game[Any, Any], view: Any, event: Event, audience: SeatId) -> Said:
    """What an event is to an audience; `view` is their view of the table after it (see `view_to_tell`)."""
    masked = mask(event, audience)
    facts = tuple((name, fact(getattr(masked, name))) for name, fact in _tellers(type(event)))
    return _seen(game, view, Said(f"event.{event.__struct_config__.tag}", facts))


def view_to_tell(game: Game[Any, Any], state: Any, audience: SeatId) -> Any:
    """The view needed to tell events; made only for games that say what eyes see."""
    return None if game.seen is None else mask(state, audience)


def _seen(game: Game[Any, Any], view: Any, said: Said) -> Said:
    return said if game.seen is None else game.seen(view, said)


def worth_telling(events: Iterable[Event]) -> list[Event]:
    """What people must hear about, in this order: what hands do, what the books say; failing that, the course."""
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


def standing_now(game: Game[Any, Any], view: Any, intent: Intent) -> Fact | None:
    """What stands now where a correction would set its last argument, as far as the view knows.

    It is of the argument's kind: a number where it sets a number. None if nothing stands there. The layout tells where
    a piece lies. The intent must be one that is offered, whatever its number.
    """
    verb = verb_of(game, intent)
    if verb.now is not None:
        return verb.now(view, intent)
    pieces = [token.value for token in mentions(intent) if token.kind == "piece"]
    if len(pieces) != 1 or not isinstance(set_by(intent), Place) or not is_correction(game, intent):
        return None
    return next((Place(lies.place) for lies in game.layout(view) if lies.piece == pieces[0]), None)


def change_by(game: Game[Any, Any], view: Any, intent: Intent) -> Said | None:
    """`old → new`; None if a correction would change nothing the view knows."""
    was, will = standing_now(game, view, intent), set_by(intent)
    if was is None or will is None or was == will:
        return None
    return say("fix.change", was=_set_to(game, view, intent, was), will=_set_to(game, view, intent, will))


def _set_to(game: Game[Any, Any], view: Any, intent: Intent, fact: Fact) -> Fact:
    """What the correction would be said to set, if it set this."""
    name = argument_kinds(type(intent))[-1][0]
    wish = replace(intent, **{name: getattr(fact, "id", fact)})
    return dict(label(game, view, wish, known_pieces(game, view)).facts)[name]
