"""What hands carry so that one table becomes another: piece by piece where it may be named, else counted. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from msgspec import Struct

from .evidence import Amiss
from .facts import Piece, Place, Said, say
from .game import Game, Lies
from .ids import UNKNOWN, PieceId
from .telling import called


class Carry(Struct, frozen=True):
    """One thing to do with a piece, or (None) with cards that may not be named."""

    piece: PieceId | None
    said: Said


def carries(game: Game[Any, Any], now: Any, then: Any, words: str) -> Iterator[Carry]:
    """What must be carried where, so that the table of the view `now` becomes that of `then`.

    `words` is what the texts are called by: `put-back` of `put-back.piece`, `put-back.count` and `put-back.turn-up`.
    """
    lies_now, lies_then = game.layout(now), game.layout(then)
    should = {lies.piece: lies for lies in lies_then if lies.piece != UNKNOWN}
    named = set()
    for lies in lies_now:
        to = should.get(lies.piece)
        if to and (to.place, to.facing) != (lies.place, lies.facing):
            named.add(lies.piece)
            yield Carry(lies.piece, _piece(game, now, then, lies, to, words))
    for place in dict.fromkeys(lies.place for lies in (*lies_now, *lies_then)):
        missing = _lying(lies_then, place, named) - _lying(lies_now, place, named)
        if missing > 0:
            yield Carry(None, say(f"{words}.count", n=missing, place=called(game, then, Place(place))))


def amiss_said(game: Game[Any, Any], view: Any, each: Amiss, known: Container[PieceId]) -> Said:
    """What lies otherwise than the record says, as the check tells it; who has only these pieces by name reads it."""
    piece = called(game, view, Piece(each.piece if each.piece in known else UNKNOWN))
    if each.lies is None:
        assert each.belongs is not None, "it lies somewhere or belongs somewhere"
        return say("check.not-there", piece=piece, place=called(game, view, Place(each.belongs)))
    lies = called(game, view, Place(each.lies))
    if each.belongs is None:
        return say("check.lies-there", piece=piece, place=lies)
    return say("check.lies-elsewhere", piece=piece, place=lies, other=called(game, view, Place(each.belongs)))


def _piece(game: Game[Any, Any], now: Any, then: Any, lies: Lies, to: Lies, words: str) -> Said:
    piece = called(game, now, Piece(lies.piece))
    if lies.place == to.place:
        return say(f"{words}.turn-{to.facing}", piece=piece)
    return say(f"{words}.piece", piece=piece, place=called(game, then, Place(to.place)))


def _lying(layout: tuple[Lies, ...], place: str, named: set[PieceId]) -> int:
    return sum(1 for lies in layout if lies.place == place and lies.piece not in named)
