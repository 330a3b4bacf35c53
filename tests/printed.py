"""Photos that nobody took: printed cards on a table, seen at an angle, blurred, in bad light, as a phone sends them."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable
from functools import cache
from random import Random
from typing import Final, TypeAlias, cast, get_args

import zxingcpp
from msgspec import Struct
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from companion.library import Digits
from companion.phones.photo.spotting import Sighted, Spotted, Unfit

SIZE: Final = (1600, 1200)
CODE: Final = 10.0
"""Millimetres, as printed."""
WHITE: Final = 1.0
"""Millimetres of white around it."""
_FINE: Final = 8
"""Pixels per millimetre of a card drawn to be photographed."""
_TABLE: Final = 150

Point: TypeAlias = tuple[float, float]
Matrix: TypeAlias = tuple[tuple[float, ...], ...]


class Card(Struct, frozen=True):
    """A card with its code's centre this many millimetres from the middle of the table, turned by this many
    degrees.

    Without digits it lies face down.
    """

    digits: str
    x: float
    y: float
    turn: float = 0.0


class Eye(Struct, frozen=True):
    """How it is seen: `tilt` degrees towards `side`, at least this many pixels per code, with these flaws."""

    px: float = 60.0
    tilt: float = 0.0
    side: float = 0.0
    blur: float = 0.6
    noise: float = 8.0
    shade: float = 0.0
    quality: int = 80


class Photo(Struct, frozen=True):
    jpeg: bytes
    codes: tuple[str, ...]
    """Those that are entirely in the picture, and not under another card."""


def photograph(cards: Iterable[Card], eye: Eye, size: tuple[int, int] = SIZE) -> Photo:
    """The table as a phone sends it."""
    cards = tuple(cards)
    sees = _seen_from(cards, eye, size)
    picture = Image.new("L", size, _TABLE)
    for card in cards:
        _lay(picture, card, sees)
    shown = tuple(
        card.digits
        for n, card in enumerate(cards)
        if card.digits and _is_inside(card, sees, size) and not any(_covers(over, card) for over in cards[n + 1 :])
    )
    return Photo(_spoilt(picture, eye), shown)


def grid(digits: Iterable[str], rng: Random, wide: int = 6, pitch: Point = (40.0, 44.0)) -> tuple[Card, ...]:
    """Cards in rows around the middle, each slightly turned and shifted; "" lies face down."""
    laid = tuple(digits)
    high = -(-len(laid) // wide)
    return tuple(
        Card(
            each,
            (n % wide - (wide - 1) / 2) * pitch[0] + rng.uniform(-2, 2),
            (n // wide - (high - 1) / 2) * pitch[1] + rng.uniform(-2, 2),
            rng.uniform(-180, 180),
        )
        for n, each in enumerate(laid)
    )


# Without a camera


class Album:
    """Reads photos that are written instead of taken: the codes on them, or why nothing can be made out."""

    def look(self, data: bytes, who: str) -> Sighted | Unfit:
        assert who, "a photo is somebody's"
        text = data.decode()
        if text in get_args(Unfit):
            return cast("Unfit", text)
        corners = (((0, 0), (60, 0), (60, 60), (0, 60)), ((200, 0), (260, 0), (260, 60), (200, 60)))
        return Sighted(1600, 1200, tuple(Spotted(Digits(each), corners[n % 2]) for n, each in enumerate(text.split())))

    def shrink(self, data: bytes, who: str) -> bytes | Unfit:
        assert who, "a photo is somebody's"
        text = data.decode(errors="replace")
        return cast("Unfit", text) if text in get_args(Unfit) else b"\xff\xd8\xff" + data

    def close(self) -> None:
        """Nothing to close."""


# The cards


@cache
def _code(digits: str) -> Image.Image:
    drawn = zxingcpp.create_barcode(digits, zxingcpp.BarcodeFormat.DataMatrix).to_image(
        scale=_FINE, add_quiet_zones=False
    )
    high, wide = drawn.shape
    return Image.frombytes("L", (wide, high), bytes(memoryview(cast("bytes", drawn))))


@cache
def _face(digits: str) -> Image.Image:
    """A card that others overlap: its code in the upper right corner, some print below it."""
    face = Image.new("L", (30 * _FINE, 34 * _FINE), 245)
    pen = ImageDraw.Draw(face)
    if digits:
        code = _code(digits)
        assert code.size == (int(CODE * _FINE), int(CODE * _FINE)), "ten modules of one millimetre"
        face.paste(code, (int((30 - CODE - 2) * _FINE), 2 * _FINE))
        for line in range(6):
            y = int((CODE + 6 + 3 * line) * _FINE)
            pen.line((2 * _FINE, y, 26 * _FINE, y), fill=60, width=_FINE // 2)
    else:
        for line in range(-34, 34, 3):
            pen.line((0, line * _FINE, 30 * _FINE, (line + 30) * _FINE), fill=90, width=_FINE // 2)
    return face


def _corners(card: Card, left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    """A rectangle around the middle of its code, on the table."""
    cos, sin = math.cos(math.radians(card.turn)), math.sin(math.radians(card.turn))
    around = ((left, top), (right, top), (right, bottom), (left, bottom))
    return tuple((card.x + x * cos - y * sin, card.y + x * sin + y * cos) for x, y in around)


def _outline(card: Card) -> tuple[Point, ...]:
    half = CODE / 2
    return _corners(card, half + 2 - 30, -half - 2, half + 2, -half - 2 + 34)


def code_corners(card: Card) -> tuple[Point, ...]:
    half = CODE / 2
    return _corners(card, -half, -half, half, half)


def _covers(over: Card, card: Card) -> bool:
    """Whether a card laid later hides some of the code, or of the white around it."""
    cos, sin = math.cos(math.radians(-over.turn)), math.sin(math.radians(-over.turn))
    half, wide = CODE / 2, CODE / 2 + WHITE
    for x in (-wide, -wide / 2, 0, wide / 2, wide):
        for px, py in _corners(card, x, -wide, x, wide / 2) + _corners(card, x, 0, x, wide):
            dx, dy = px - over.x, py - over.y
            across, down = dx * cos - dy * sin, dx * sin + dy * cos
            if half + 2 - 30 <= across <= half + 2 and -half - 2 <= down <= -half - 2 + 34:
                return True
    return False


def _lay(picture: Image.Image, card: Card, sees: Matrix) -> None:
    """Only where it lies: a whole picture for each card would take ten times as long."""
    corners = _all(sees, _outline(card))
    left, top = (int(min(each)) - 2 for each in zip(*corners, strict=True))
    right, bottom = (int(max(each)) + 3 for each in zip(*corners, strict=True))
    face = _face(card.digits)
    onto = tuple((x - left, y - top) for x, y in corners)
    around = ((0, 0), (face.width, 0), (face.width, face.height), (0, face.height))
    flat = tuple(value for row in _inverse(_matrix(around, onto)) for value in row)
    back = tuple(value / flat[8] for value in flat[:8])
    size, stencil = (right - left, bottom - top), Image.new("L", face.size, 255)
    seen = face.transform(size, Image.Transform.PERSPECTIVE, back, Image.Resampling.BICUBIC)
    where = stencil.transform(size, Image.Transform.PERSPECTIVE, back, Image.Resampling.BILINEAR)
    picture.paste(seen, (left, top), where)


# The eye


def _seen_from(cards: tuple[Card, ...], eye: Eye, size: tuple[int, int]) -> Matrix:
    """From millimetres on the table to pixels: close enough to make the smallest code as large as requested."""
    scale = eye.px / CODE
    for _ in range(8):
        sees = _camera(eye, scale, size)
        smallest = min((math.sqrt(_area(_all(sees, code_corners(card)))) for card in cards), default=eye.px)
        scale *= eye.px / smallest
    return _camera(eye, scale, size)


def _camera(eye: Eye, scale: float, size: tuple[int, int]) -> Matrix:
    far = 1.2 * size[0] / scale
    tilt, side = math.radians(eye.tilt), math.radians(eye.side)
    cos, sin = math.cos(side), math.sin(side)
    # The table is turned about an axis in its plane: what is beyond it recedes, what is in front of it comes
    # nearer.
    along, across = (cos, sin), (-sin * math.cos(tilt), cos * math.cos(tilt))
    depth = (-sin * math.sin(tilt), cos * math.sin(tilt))
    x = (along[0] * cos + across[0] * -sin, along[1] * cos + across[1] * -sin)
    y = (along[0] * sin + across[0] * cos, along[1] * sin + across[1] * cos)
    focal = scale * far
    middle = (size[0] / 2, size[1] / 2)
    return (
        (focal * x[0] + middle[0] * depth[0], focal * x[1] + middle[0] * depth[1], middle[0] * far),
        (focal * y[0] + middle[1] * depth[0], focal * y[1] + middle[1] * depth[1], middle[1] * far),
        (depth[0], depth[1], far),
    )


def _is_inside(card: Card, sees: Matrix, size: tuple[int, int]) -> bool:
    corners = _all(sees, _corners(card, *([-CODE / 2 - WHITE] * 2), *([CODE / 2 + WHITE] * 2)))
    return all(0 <= x < size[0] and 0 <= y < size[1] for x, y in corners)


def _spoilt(picture: Image.Image, eye: Eye) -> bytes:
    if eye.blur:
        picture = picture.filter(ImageFilter.GaussianBlur(eye.blur))
    if eye.shade:
        dark = Image.linear_gradient("L").rotate(eye.side).resize(picture.size)
        picture = ImageChops.multiply(picture, dark.point(lambda light: 255 - int(light * eye.shade)))
    if eye.noise:
        picture = ImageChops.add(picture, Image.effect_noise(picture.size, eye.noise), 1, -128)
    whole = io.BytesIO()
    picture.save(whole, "JPEG", quality=eye.quality)
    return whole.getvalue()


# Projections


def _all(matrix: Matrix, points: Iterable[Point]) -> tuple[Point, ...]:
    return tuple(_through(matrix, point) for point in points)


def _through(matrix: Matrix, point: Point) -> Point:
    x, y, w = (row[0] * point[0] + row[1] * point[1] + row[2] for row in matrix)
    return x / w, y / w


def _area(corners: tuple[Point, ...]) -> float:
    turned = (*corners[1:], corners[0])
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, turned, strict=True))) / 2


def _matrix(source: tuple[Point, ...], target: tuple[Point, ...]) -> Matrix:
    """The projection that maps four points to four others."""
    return _times(_from_square(target), _inverse(_from_square(source)))


def _from_square(to: tuple[Point, ...]) -> Matrix:
    """The projection of the unit square onto four points, by Heckbert."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = to
    dx1, dx2, sx = x1 - x2, x3 - x2, x0 - x1 + x2 - x3
    dy1, dy2, sy = y1 - y2, y3 - y2, y0 - y1 + y2 - y3
    whole = dx1 * dy2 - dx2 * dy1
    g, h = (sx * dy2 - dx2 * sy) / whole, (dx1 * sy - sx * dy1) / whole
    return (x1 - x0 + g * x1, x3 - x0 + h * x3, x0), (y1 - y0 + g * y1, y3 - y0 + h * y3, y0), (g, h, 1.0)


def _times(a: Matrix, b: Matrix) -> Matrix:
    return tuple(tuple(sum(row[k] * b[k][n] for k in range(3)) for n in range(3)) for row in a)


def _inverse(m: Matrix) -> Matrix:
    """Up to a factor, which doesn't matter for projections."""
    (a, b, c), (d, e, f), (g, h, i) = m
    return (
        (e * i - f * h, c * h - b * i, b * f - c * e),
        (f * g - d * i, a * i - c * g, c * d - a * f),
        (d * h - e * g, b * g - a * h, a * e - b * d),
    )
