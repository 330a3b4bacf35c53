"""What a tapped thing is, as far as everyone may know."""

from __future__ import annotations

from companion.core import PUBLIC, Name, Page, Piece, PiecePage, Place, PlaceId, Said, Seat, SeatId, Token, called, say
from companion.table import Snapshot


def about(scene: Snapshot, token: Token) -> Page:
    """What a tapped thing is, as far as everyone may know."""
    if token.kind != "piece":
        return PiecePage(_named(scene, token), say("tap.nothing"))
    game, view = scene.game, scene.view(PUBLIC)
    for lies in game.layout(view):
        if lies.piece == token.value:
            more = game.about(view, lies.piece, PUBLIC)
            where = say("choice", item=called(game, view, Place(lies.place)))
            return PiecePage(say("choice", item=Piece(lies.piece)), where, more)
    return PiecePage(say("piece.unknown"), say("tap.secret"))


def _named(scene: Snapshot, token: Token) -> Said:
    match token.kind:
        case "seat" | "actor":
            return say("choice", item=Seat(SeatId(int(token.value))))
        case "number":
            return say("choice", item=int(token.value))
        case "place":
            place = Place(PlaceId(str(token.value)))
            return say("choice", item=called(scene.game, scene.view(PUBLIC), place))
        case _:
            return say("choice", item=Name(str(token.value)))
