"""The table drawn for a landscape screen: boards with the cards of their Markets and the piles of their Labs, the deck
and the drawn card in the middle, and the machines below."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.core import Box, Card, Picture, PieceId, Seat, SeatId, Shape, Zone, say, seats_of
from companion.games.us_patent.state import BOARDS, State, known

from .map import boards, links, pawns, spots
from .picture import CARD_H, HEAD, LEGEND, before, deck, machine_of, rows, upgrade
from .plan import EDGE, GAP, WIDE
from .plan import HEAD as _TOP

_ABREAST: Final = 3
"""Machines side by side; four of them stand two by two."""
_LARGE, _SMALL, _MOST = 2, 4, 6
"""Up to how many cards beside a Market have their names, stand in two rows, and are drawn at all."""
_DEEP: Final = 3
"""How many cards of a pile are drawn."""
_HIGH, _LOWER = 62, 45
"""The height of cards beside a Market, and of those above the line that crosses the middle board."""
_CARDS, _ONE = 92, 58
"""The width of all of them together, and of one that lies alone."""


def landscape(view: State) -> Picture:
    """The same things as the upright picture, plus every open card."""
    cards = tuple(_open(view))
    places = spots(view, WIDE)
    shapes: list[Shape] = [*links(known(view), WIDE), *boards(view, WIDE), *_piles(view), *places.values(), *cards]
    shapes.extend(pawns(view, places, WIDE, (card for card in cards if isinstance(card, Card))))
    seats, y = seats_of(view), WIDE.bottom
    abreast = _ABREAST if len(seats) != _ABREAST + 1 else 2
    across = (WIDE.width - 2 * EDGE + GAP) // abreast - GAP
    for at, seat in enumerate(seats):
        row, column = divmod(at, abreast)
        top = y + row * (HEAD + CARD_H + 2 * GAP)
        shapes.extend(machine_of(view, SeatId(seat), EDGE + column * (across + GAP), top, across))
    y += -(-len(seats) // abreast) * (HEAD + CARD_H + 2 * GAP)
    return Picture(WIDE.width, y, tuple(shapes), tuple(rows(view)), LEGEND, deck(view))


def _open(view: State) -> Iterator[Card | Zone]:
    """The cards of Markets and, in the middle of the table, those held before a machine."""
    for board in range(1, BOARDS):
        x, y = WIDE.corner(board)
        places = _places(x + 4, y + _TOP + 2, len(view.markets[board]), _HIGH)
        yield from (upgrade(view, card, where) for card, where in zip(view.markets[board], places, strict=False))
    x, y = WIDE.corner(0)
    for seat in seats_of(view):
        cards: tuple[PieceId, ...] = before(view, SeatId(seat))
        if cards:
            said = say("picture.before", seat=Seat(SeatId(seat)))
            yield Zone(x + 3, y + _TOP, _CARDS + 4, HEAD + _LOWER + 3, said, seat=SeatId(seat))
            places = _places(x + 5, y + _TOP + HEAD, len(cards), _LOWER)
            yield from (upgrade(view, card, where) for card, where in zip(cards, places, strict=False))
            return


def _places(x: int, y: int, cards: int, high: int) -> Iterator[Box]:
    """Side by side, as large as there is room for; surplus ones are only listed."""
    half = (_CARDS - 2) // 2
    if cards <= _LARGE:
        wide = half if cards > 1 else _ONE
        yield from ((x + at * (wide + 2), y, wide, high) for at in range(cards))
        return
    lines = 2 if cards <= _SMALL else 3
    high = (high - 2 * (lines - 1)) // lines
    for at in range(min(cards, _MOST)):
        row, column = divmod(at, 2)
        yield x + column * (half + 2), y + row * (high + 2), half, high


def _piles(view: State) -> Iterator[Card]:
    """The deck and the face-down cards in the Labs, with their number on top."""
    for board in range(BOARDS):
        left, top, right, bottom = (round(edge) for edge in WIDE.pile(board))
        n = len(view.labs[board]) if board else len(view.deck)
        for under in range(min(n, _DEEP) - 1, 0, -1):
            blank = say("picture.back")
            yield Card(left + 2 * under, top - 2 * under, right - left, bottom - top, blank, down=True)
        if n:
            said = say("picture.back") if board else say("picture.deck", n=n)
            yield Card(left, top, right - left, bottom - top, said, down=True)
