"""High Card: everybody lays a card, the highest takes the round."""

from __future__ import annotations

from companion.core import Game, GameId, PieceId, Said, say, usual

from .rules import CORRECTIONS, VERBS
from .state import Event, Pack, State, apply, cards, decisions, forced, layout, result, series, start, value


def describe(pack: Pack, piece: PieceId) -> Said:
    return say("piece.number", n=value(piece))


GAME: Game[State, Pack] = Game(
    id=GameId("high-card"), version=1, seats=(2, 6), rules=("H1", "H2", "H3", "H4"),
    pack=Pack, state=State, event=Event, verbs=VERBS, corrections=CORRECTIONS,
    start=start, decisions=decisions, forced=forced, apply=apply, result=result, layout=layout, series=series,
    pieces=cards, describe=describe, place=usual.place,
    headline=usual.headline(decisions), own=usual.own(layout),
    status=usual.status(layout, series), picture=usual.picture(layout),
)  # fmt: skip
