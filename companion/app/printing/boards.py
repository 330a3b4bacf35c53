"""A board at true size: its picture, with the code of each of its places beside it."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import Final, TypeAlias

from companion.core import Board, Place, PlaceId, Token, say
from web.draw import Mark, width_of

from .etching import Etching, points_at
from .fronts import tag_of
from .pen import CODE, SOFT, Pen

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, width, height."""
_LABEL: Final = 2.6
"""The short code below a code."""
_TALL: Final = CODE + _LABEL
_NAME: Final = 2.4
_INSET: Final = 1.5
_FARTHEST, _STEP = 26, 2


def height_of(board: Board) -> float:
    return board.width * board.picture.height / board.picture.width


def draw_board(pen: Pen, x: float, y: float, board: Board) -> None:
    scale, high = board.width / board.picture.width, height_of(board)
    drawn = Etching(pen, x, y, scale)
    marks = drawn.picture(board.picture).marks
    pen.stroke(0.3)
    pen.rect(x, y, board.width, high)
    inside = x + _INSET, y + _INSET, board.width - 2 * _INSET, high - 2 * _INSET
    taken = [box for mark in marks for box in _covered(drawn, mark, scale)]
    places = [(_bounds(drawn, mark, scale), token) for mark, token in points_at(marks) if mark.kind != "zone"]
    taken += [_named(pen, near, token) for near, token in places]
    for near, token in places:
        taken.append(_beside(pen, near, inside, taken, token, _FARTHEST))
    if board.token is not None:
        corner = x + board.width, y, 0.0, 0.0
        taken.append(_beside(pen, corner, inside, taken, board.token, board.width))


def _named(pen: Pen, near: Box, token: Token) -> Box:
    """The name of a space below it, as short as on the display."""
    name = pen.speaker.say(say("choice", item=Place(PlaceId(str(token.value)))), "oled")
    wide = pen.faces.width(name, "italic", _NAME) + 0.8
    left, top = near[0] + (near[2] - wide) / 2, near[1] + near[3] + 0.4
    pen.wipe(left, top, wide, _NAME * 1.2)
    pen.text(left + wide / 2, top + _NAME * 0.95, name, _NAME, "italic", align="middle", ink=SOFT)
    return left, top, wide, _NAME * 1.2


def _beside(pen: Pen, near: Box, inside: Box, taken: list[Box], token: Token, reach: float) -> Box:
    """Draws a code where it covers nothing; if there is no such spot, that is reported."""
    found = sorted(set(_around(near, inside, reach)), key=lambda at: _far(at, near))
    free = next((at for at in found if not any(_covers(at, box) for box in taken)), None)
    if free is None:
        pen.faces.cut.append(pen.codes.short(tag_of(pen.codes.game, token)))
    at = free or found[0]
    if near[2]:
        _leader(pen, near, at)
    return _code(pen, *at, token)


def _leader(pen: Pen, near: Box, at: tuple[float, float]) -> None:
    """From the rim of a space to its code, so that nobody wonders whose it is."""
    x, y, r = near[0] + near[2] / 2, near[1] + near[3] / 2, near[2] / 2
    dx, dy = at[0] + CODE / 2 - x, at[1] + CODE / 2 - y
    part = r / max(r, hypot(dx, dy))
    pen.line(x + dx * part, y + dy * part, x + dx, y + dy, 0.2)


def _code(pen: Pen, x: float, y: float, token: Token) -> Box:
    thing = tag_of(pen.codes.game, token)
    pen.wipe(x, y, CODE, _TALL)
    pen.code(x, y, thing)
    pen.short(x + CODE / 2, y + CODE + 1.6, thing, 2.4, "middle")
    return x, y, CODE, _TALL


def _covered(drawn: Etching, mark: Mark, scale: float) -> Iterator[Box]:
    """What no code may cover: spaces, cards and words; lines run on below it."""
    if mark.kind in ("spot", "disc", "card"):
        yield _bounds(drawn, mark, scale)
    for words in mark.words:
        wide = width_of(words.text, words.size) * scale
        x, y = drawn.at(words.x, words.y - words.size)
        back = wide / 2 if "mid" in words.look else wide if "end" in words.look else 0
        yield x - back, y, wide, words.size * 1.3 * scale


def _bounds(drawn: Etching, mark: Mark, scale: float) -> Box:
    if mark.kind == "card":
        return (*drawn.at(mark.x, mark.y), mark.w * scale, mark.h * scale)
    return (*drawn.at(mark.x - mark.w, mark.y - mark.h), 2 * mark.w * scale, 2 * mark.h * scale)


def _around(near: Box, inside: Box, reach: float) -> Iterator[tuple[float, float]]:
    """Spots for a code near a space, all within the board."""
    x, y = near[0] + near[2] / 2 - CODE / 2, near[1] + near[3] / 2 - _TALL / 2
    right, bottom = inside[0] + inside[2] - CODE, inside[1] + inside[3] - _TALL
    steps = range(-int(reach), int(reach) + 1, _STEP)
    return ((min(max(x + dx, inside[0]), right), min(max(y + dy, inside[1]), bottom)) for dx in steps for dy in steps)


def _far(at: tuple[float, float], near: Box) -> float:
    """From the middle of a code to the middle of its space; prefers beside to above or below."""
    dx = at[0] + CODE / 2 - near[0] - near[2] / 2
    dy = at[1] + _TALL / 2 - near[1] - near[3] / 2
    return dx * dx + 1.2 * dy * dy


def _covers(at: tuple[float, float], box: Box) -> bool:
    """Whether a code there would cover a box."""
    x, y = at
    return x < box[0] + box[2] and box[0] < x + CODE and y < box[1] + box[3] and box[1] < y + _TALL
