"""The table drawn for a phone: deck, scrap heap and workbench above, a zone for each seat below."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.core import UNKNOWN, Card, Picture, Piece, PieceId, Said, Seat, SeatId, Shape, Token, Zone, say, seats_of
from companion.games.actionworks.state import Cards, State

WIDTH: Final = 360
_EDGE, _GAP, _CARD_W, _CARD_H, _HEAD = 8, 6, 62, 40, 20
_PER_ROW: Final = 5


def picture(view: State) -> Picture:
    """Shapes from top to bottom, and the same as rows of words."""
    shapes: list[Shape] = [*_stores(view)]
    y = _HEAD + _CARD_H + 3 * _GAP
    y = fold = _bench(view, y, shapes)
    for seat in seats_of(view):
        y = _seat(view, SeatId(seat), y, shapes)
    return Picture(WIDTH, y, tuple(shapes), tuple(_rows(view)), fold=fold)


def _stores(view: State) -> Iterator[Shape]:
    """Deck and scrap heap, side by side."""
    half, height = (WIDTH - 3 * _EDGE) // 2, _HEAD + _CARD_H + _GAP
    yield Zone(_EDGE, _GAP, half, height, say("picture.deck", n=len(view.deck)), token=Token("place", "deck"))
    if len(view.deck):
        card = view.deck.top[0].value if view.deck.top else UNKNOWN
        yield _card(_EDGE + _GAP, _GAP + _HEAD, card, down=True)
    heap = len(view.heap) + len(view.under)
    x = half + 2 * _EDGE
    yield Zone(x, _GAP, half, height, say("picture.heap", n=heap), token=Token("place", "heap"))
    yield from (_card(x + _GAP, _GAP + _HEAD, card) for card in view.heap)


def _bench(view: State, y: int, shapes: list[Shape]) -> int:
    said = say("picture.bench", n=len(view.bench))
    height = _HEAD + max(1, _lines(view.bench)) * (_CARD_H + _GAP) + _GAP
    shapes.append(Zone(_EDGE, y, WIDTH - 2 * _EDGE, height, said, token=Token("place", "bench")))
    shapes.extend(_spread(view.bench, y + _HEAD))
    return y + height + _GAP


def _seat(view: State, seat: SeatId, y: int, shapes: list[Shape]) -> int:
    """Demands and known hand cards in rows; hidden cards as one face-down card under the zone's count."""
    hand, pile = view.hands[seat].value, view.piles[seat].value
    said = say("picture.seat", seat=Seat(seat), hand=len(hand), pile=len(pile), total=view.totals[seat])
    named = tuple(card for card in hand if card != UNKNOWN)
    cards = (*view.demands[seat], *named)
    hidden = len(hand) > len(named)
    height = _HEAD + max(1, (len(cards) + hidden + _PER_ROW - 1) // _PER_ROW) * (_CARD_H + _GAP) + _GAP
    shapes.append(Zone(_EDGE, y, WIDTH - 2 * _EDGE, height, said, seat=seat, token=Token("seat", seat)))
    shapes.extend(_spread(cards, y + _HEAD))
    if hidden:
        x, below = _spot(len(cards), y + _HEAD)
        shapes.append(Card(x, below, _CARD_W, _CARD_H, say("picture.hand", n=len(hand)), down=True))
    return y + height + _GAP


def _lines(cards: Cards) -> int:
    return (len(cards) + _PER_ROW - 1) // _PER_ROW


def _spot(at: int, y: int) -> tuple[int, int]:
    row, column = divmod(at, _PER_ROW)
    return _EDGE + _GAP + column * (_CARD_W + _GAP), y + row * (_CARD_H + _GAP)


def _spread(cards: Cards, y: int) -> Iterator[Card]:
    return (_card(*_spot(at, y), card) for at, card in enumerate(cards))


def _card(x: int, y: int, card: PieceId, *, down: bool = False) -> Card:
    token = None if card == UNKNOWN else Token("piece", card)
    return Card(x, y, _CARD_W, _CARD_H, say("picture.card", card=Piece(card)), down, token)


def _rows(view: State) -> Iterator[Said]:
    yield say("picture.deck", n=len(view.deck))
    yield say("picture.heap", n=len(view.heap) + len(view.under))
    yield from (say("picture.heap-top", card=Piece(card)) for card in view.heap)
    yield say("picture.bench", n=len(view.bench))
    yield from (say("picture.bench-card", card=Piece(card)) for card in view.bench)
    for seat in seats_of(view):
        who, hand, pile = Seat(SeatId(seat)), view.hands[seat].value, view.piles[seat].value
        yield say("picture.seat", seat=who, hand=len(hand), pile=len(pile), total=view.totals[seat])
        yield from (say("picture.demand", seat=who, card=Piece(card)) for card in view.demands[seat])
        yield from (say("picture.hand-card", seat=who, card=Piece(card)) for card in hand if card != UNKNOWN)
