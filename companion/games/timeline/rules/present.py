"""The present value of what a correction would set (see `Verb.now`)."""

from __future__ import annotations

from companion.core import Piece, Seat
from companion.games.timeline.state import GOODS, State, card_at, find, is_blank, numbers_of

from .intents import PawnToMarket, PutCard, SetColumn, SetFace, SetGold, SetGoods, SetPawn, SetTurn


def gold(state: State, intent: SetGold) -> int:
    return state.gold[intent.seat]


def goods(state: State, intent: SetGoods) -> int:
    return state.goods[intent.seat][GOODS.index(intent.good)]


def turn(state: State, intent: SetTurn) -> Seat:
    return Seat(state.turn)


def column(state: State, intent: SetColumn) -> int:
    return state.columns[numbers_of(intent.place, "column", 1)[0] - 1][0].top


def waypoint(state: State, intent: SetPawn) -> int | None:
    """Where on that card the pawn stands; None if it is on another."""
    found, spot = find(state, intent.card), state.pawns[intent.seat]
    if found is None or found[0] != spot.column or not 0 <= spot.lane - found[1].top <= 3:
        return None
    return spot.lane - found[1].top + 1


def market(state: State, intent: PawnToMarket) -> int | None:
    spot = state.pawns[intent.seat]
    return spot.lane if spot.column > len(state.columns) else None


def lane(state: State, intent: PutCard) -> int | None:
    """Where in that column the card lies; None if it lies elsewhere."""
    found = find(state, intent.card)
    return None if found is None or found[0] != numbers_of(intent.place, "column", 1)[0] else found[1].top


def face(state: State, intent: SetFace) -> Piece | None:
    laid = card_at(state, intent.place)
    return None if laid is None or is_blank(laid) else Piece(laid.card)
