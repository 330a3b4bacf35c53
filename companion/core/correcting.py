"""What a correction would change: the present value of what it sets, and what becomes of that."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from .facts import Fact, Place, Said, say
from .game import Game
from .legality import is_correction, verb_of
from .rules import Intent, argument_kinds, mentions, set_by
from .telling import known_pieces, label


def standing_now(game: Game[Any, Any], view: Any, intent: Intent) -> Fact | None:
    """What stands at present where a correction would set its last argument, as far as the view knows.

    Of the kind of that argument: a number where it sets a number. None where nothing stands there. Where a piece lies,
    the layout tells. The intent must be one that is offered, but for its number.
    """
    verb = verb_of(game, intent)
    if verb.now is not None:
        return verb.now(view, intent)
    pieces = [token.value for token in mentions(intent) if token.kind == "piece"]
    if len(pieces) != 1 or not isinstance(set_by(intent), Place) or not is_correction(game, intent):
        return None
    return next((Place(lies.place) for lies in game.layout(view) if lies.piece == pieces[0]), None)


def change_by(game: Game[Any, Any], view: Any, intent: Intent) -> Said | None:
    """`old → new`; None where a correction would change nothing that the view knows."""
    was, will = standing_now(game, view, intent), set_by(intent)
    if was is None or will is None or was == will:
        return None
    return say("fix.change", was=_set_to(game, view, intent, was), will=_set_to(game, view, intent, will))


def _set_to(game: Game[Any, Any], view: Any, intent: Intent, fact: Fact) -> Fact:
    """What the correction would be said to set, if it set this."""
    name = argument_kinds(type(intent))[-1][0]
    wish = replace(intent, **{name: getattr(fact, "id", fact)})
    return dict(label(game, view, wish, known_pieces(game, view)).facts)[name]
