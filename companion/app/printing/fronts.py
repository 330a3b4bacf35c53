"""The face of a card, the size of a sleeve."""

from __future__ import annotations

from typing import Final

from companion.core import Front, GameId, Name, PieceId, PlaceId, SeatId, Token
from companion.library import NumberTag, PieceTag, PlaceTag, SeatTag, Tag

from .etching import Etching
from .paper import H, W, frame
from .pen import BRASS, CODE, SOFT, Align, Pen

CODE_AT: Final = (W - 4.2 - CODE, 4.2)
"""Where a code lies on a card, and on a card's slot: far enough to the right to show when cards overlap."""
_BETWEEN: Final = (W - 2 - CODE, 16.0)
"""Where it lies on a card that is all figure: between its first two lines."""
_INSET: Final = 5.0
_ROOM: Final = W - 2 * _INSET
_NAME, _RULE, _BAND = 23.0, 24.6, 6.8
_LOWEST: Final = H - 5.0
_FIGURE: Final = (20.0, 34.0)
"""The least and greatest height of a figure, in millimetres."""
_LARGEST, _SMALLEST = 3.5, 1.9


def tag_of(game: GameId, token: Token) -> Tag:
    """The thing in a game that a token points at."""
    match token.kind:
        case "piece":
            return PieceTag(game, PieceId(str(token.value)))
        case "place":
            return PlaceTag(game, PlaceId(str(token.value)))
        case "seat":
            return SeatTag(SeatId(int(token.value)))
        case _:
            return NumberTag(int(token.value))


def draw_front(pen: Pen, x: float, y: float, front: Front) -> None:
    if front.is_whole:
        _whole(pen, x, y, front)
    else:
        _framed(pen, x, y, front)


def _framed(pen: Pen, x: float, y: float, front: Front) -> None:
    """Head, figure, facts and sentences; if nobody has described the card, the rest is room to write."""
    frame(pen, x, y)
    _head(pen, x, y, front)
    below = y + _RULE
    pen.line(x + 3.4, below, x + W - 3.4, below)
    text = [pen.speaker.say(said) for said in front.text]
    if front.is_described and (front.figure is not None or front.icon is not None):
        below += _figure(pen, x, below, _room_for_figure(pen, text, front), front)
    below = _facts(pen, x, below, front)
    room = (x + _INSET, below + 1, _ROOM, y + _LOWEST - below - 1)
    if front.is_described:
        pen.block(room, text, largest=_LARGEST, smallest=_SMALLEST)
    else:
        _to_fill_in(pen, *room)


def _room_for_figure(pen: Pen, text: list[str], front: Front) -> float:
    """All the room that the words leave."""
    left = _LOWEST - _RULE - (_BAND if front.facts else 0) - 2
    told = pen.faces.fit(text, "plain", (_ROOM, left - _FIGURE[0]), _LARGEST, _SMALLEST).height if text else 0
    return max(_FIGURE[0], min(_FIGURE[1], left - told))


def _head(pen: Pen, x: float, y: float, front: Front) -> None:
    """Number, kind and code side by side, then the name."""
    left = x + _INSET
    if front.number is not None:
        number = str(front.number)
        pen.text(left - 0.4, y + 16.2, number, 14.5, "bold")
        left += pen.faces.width(number, "bold", 14.5) + 1.2
    room = x + CODE_AT[0] - left - 1
    if front.kind is not None:
        _kind(pen, left, y, room, front)
    if front.token is not None:
        thing = tag_of(pen.codes.game, front.token)
        pen.code(x + CODE_AT[0], y + CODE_AT[1], thing)
        pen.short(x + CODE_AT[0] - 0.4, y + 15.4, thing)
    if front.is_described:
        name = pen.speaker.say(front.name)
        pen.one_line(x + _INSET, y + _NAME, _ROOM, name, "bold", largest=4.9, smallest=2.6)


def _kind(pen: Pen, x: float, y: float, room: float, front: Front) -> None:
    kind = pen.speaker.say(front.kind) if front.kind is not None else ""
    if front.icon is not None:
        pen.icon(front.icon, x, y + 4.6, 5.2)
        x, room = x + 6.2, room - 6.2
    first, _, rest = kind.partition(" ")
    if rest and pen.faces.width(kind, "plain", 3.6) > room:
        pen.small_capitals(x, y + 7.4, room, first, 3.4)
        pen.small_capitals(x, y + 11, room, rest, 3.4)
    else:
        pen.small_capitals(x, y + 8.4, room, kind, 3.6)


def _figure(pen: Pen, x: float, y: float, high: float, front: Front) -> float:
    """Draws it and returns its height."""
    middle = x + W / 2
    if front.figure is not None:
        scale = min(_ROOM / front.figure.width, (high - 2) / front.figure.height)
        width = front.figure.width * scale
        Etching(pen, middle - width / 2, y + 1, scale).picture(front.figure)
    elif front.icon is not None:
        side = high - (7 if front.number else 4)
        pen.icon(front.icon, middle - side / 2, y + 2, side, weight=0.75)
        _pips(pen, middle, y + high - 2.6, front.number or 0)
    if front.token is not None:
        number = pen.codes.short(tag_of(pen.codes.game, front.token)).rpartition("-")[2]
        said = pen.speaker.key("print.figure", number=Name(number))
        pen.text(x + W - 4.6, y + 3.4, said, 2.5, "italic", align="right", ink=SOFT)
    return high


def _pips(pen: Pen, middle: float, y: float, number: int) -> None:
    """The number once more, to count at a glance."""
    pen.stroke(0.2)
    for at in range(number):
        pen.circle(middle + (at - (number - 1) / 2) * min(3.4, _ROOM / max(1, number)), y, 0.9)


def _facts(pen: Pen, x: float, y: float, front: Front) -> float:
    """Short facts side by side, between two lines; returns where they end."""
    if not front.facts:
        return y
    pen.line(x + 3.4, y, x + W - 3.4, y, 0.6, BRASS)
    words = [pen.speaker.say(said) for said in front.facts]
    each = _ROOM / len(words)
    size = min(pen.faces.one_line(word, "bold", each - 1, 3.4, 2.0).size for word in words)
    for at, word in enumerate(words):
        align: Align = "left" if at == 0 else "right" if at == len(words) - 1 else "middle"
        where = {"left": 0.0, "middle": each / 2, "right": each}[align]
        pen.text(x + _INSET + at * each + where, y + 4.5, word, size, "bold", align=align)
    pen.line(x + 3.4, y + _BAND, x + W - 3.4, y + _BAND)
    return y + _BAND


def _to_fill_in(pen: Pen, x: float, y: float, w: float, h: float) -> None:
    """Lines to write on, for a card that nobody has described yet."""
    pen.one_line(x, y + 2.6, w, pen.speaker.key("print.fill-in"), "italic", largest=2.4, ink=SOFT)
    for line in range(1, int(h // 6)):
        pen.line(x, y + 3 + line * 6, x + w, y + 3 + line * 6, 0.15, SOFT)


def _whole(pen: Pen, x: float, y: float, front: Front) -> None:
    """From edge to edge: lines continue where the next card begins."""
    if front.figure is not None:
        Etching(pen, x, y, W / front.figure.width).picture(front.figure)
    pen.stroke(0.15)
    pen.rect(x, y, W, H)
    if front.token is not None:
        thing = tag_of(pen.codes.game, front.token)
        pen.code(x + _BETWEEN[0], y + _BETWEEN[1], thing)
        pen.short(x + W - 3, y + _BETWEEN[1] + CODE + 2.2, thing, 2.6)
    name = pen.speaker.say(front.name)
    pen.one_line(x + W / 2, y + H - 1.6, W - 8, name, "italic", largest=2.4, align="middle", ink=SOFT)
