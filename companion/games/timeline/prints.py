"""What is printed: borderless Path cards, Start, as much of Finish as an evening needs, pawns, goods, coins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.core import (
    Card,
    Counter,
    Disc,
    Front,
    Picture,
    PieceId,
    Prints,
    RuleId,
    Said,
    Seat,
    SeatId,
    Setup,
    Shape,
    Stroke,
    Token,
    say,
)

from .state import COLOURS, GOODS, SEATS_AT_MOST, Pack, colours, describe, exits, good_word, lines_of, pawn_of
from .views.picture import BEND, INKS, PATTERNS

_WIDTH, _LANE = 180, 63
"""A card in the units of its picture: a lane is a quarter of its height, so that cards slide lane by lane."""
_HEIGHT: Final = 4 * _LANE
_POINT, _RADIUS = 20, 13
_FINISHES: Final = 5
_GOODS: Final = 16
_COINS: Final = ((1, 12), (5, 12))
_REFERENCE: Final = ("T7", "T8", "T9", "T10", "T11", "T13", "T15", "T16", "T18", "T4", "T21", "T23")


def prints(setup: Setup[Pack]) -> Prints:
    pack = setup.pack
    paths = (_path(pack, card, lines) for card, lines in lines_of(pack, False).items())
    return Prints(
        fronts=(*paths, _start(pack), *(_finish(pack) for _ in range(_FINISHES))),
        counters=tuple(_counters()),
        reference=tuple(map(RuleId, _REFERENCE)),
    )


def _path(pack: Pack, card: PieceId, lines: str) -> Front:
    goods = colours(lines)
    strokes = tuple(_stroke(slot, out, goods[slot]) for slot, out in enumerate(exits(lines)))
    points = tuple(_good(good, _POINT, slot, hollow=True) for slot, good in enumerate(goods))
    return _whole(describe(pack, card), (*strokes, *points), "path", Token("piece", card))


def _stroke(slot: int, out: int, good: int) -> Stroke:
    y, rise = _middle(slot), _middle(out) - _middle(slot)
    points = tuple((_WIDTH * across // 100, y + rise * down // 100) for across, down in BEND)
    return Stroke(points, INKS[good], PATTERNS[good])


def _good(good: int, x: int, slot: int, *, hollow: bool = False) -> Disc:
    said = say("picture.good", good=good_word(good))
    return Disc(x, _middle(slot), _RADIUS, said, ink=INKS[good], hollow=hollow)


def _middle(slot: int) -> int:
    return slot * _LANE + _LANE // 2


def _start(pack: Pack) -> Front:
    """Each good, with a straight line to the right edge."""
    goods = [COLOURS.index(letter) for letter in pack.start]
    lines = (_stroke(slot, slot, good) for slot, good in enumerate(goods))
    return _whole(say("picture.start"), (*lines, *(_good(good, 40, slot) for slot, good in enumerate(goods))), "end")


def _finish(pack: Pack) -> Front:
    shapes = tuple(_market(value, slot) for slot, value in enumerate(pack.finish))
    return _whole(say("picture.finish"), shapes, "end")


def _market(value: int, slot: int) -> Card:
    """What a market pays for one counter."""
    side = _LANE - 25
    return Card(_WIDTH // 2 - side // 2, _middle(slot) - side // 2, side, side, say("picture.value", value=value))


def _whole(name: Said, shapes: tuple[Shape, ...], back: str, token: Token | None = None) -> Front:
    figure = Picture(_WIDTH, _HEIGHT, shapes, ())
    return Front(token=token, name=name, back=back, kind=say(f"print.{back}"), figure=figure, is_whole=True)


def _counters() -> Iterator[Counter]:
    for seat in map(SeatId, range(SEATS_AT_MOST)):
        yield Counter(say("piece.pawn", seat=Seat(seat)), seat=seat, token=Token("piece", pawn_of(seat)))
    for good, name in enumerate(GOODS):
        yield Counter(say("picture.good", good=good_word(good)), icon=name, ink=INKS[good], copies=_GOODS)
    for worth, copies in _COINS:
        yield Counter(say("print.gold", n=worth), sign=str(worth), ink="brass", copies=copies)
