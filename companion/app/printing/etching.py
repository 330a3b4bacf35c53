"""A game's picture on paper: the marks that phones draw, at true size."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, TypeAlias

from companion.core import Picture, SeatId, Token
from web.draw import Drawing, Emblem, Mark, Plate, Words, draw

from .faces import Face
from .pen import BRASS, EDGE, INK, PALE, SEAL, SOFT, STOP, WHITE, Align, Colour, Pen, in_hex

INKS: Final[dict[str, Colour]] = {
    "ink": INK,
    "soft": SOFT,
    "edge": EDGE,
    "brass": BRASS,
    "go": (29, 92, 58),
    "stop": STOP,
    "seal": SEAL,
    "brown": (107, 63, 29),
    "yellow": (131, 100, 0),
    "crimson": (163, 32, 58),
    "green": (30, 107, 74),
}
"""The dashboard's colours by day."""
THIN: Final = 0.4
"""Millimetres: a drawing larger than on a phone does not get thicker lines."""
_SEATS: Final = (SEAL, BRASS, STOP, INKS["go"], SOFT, INK)
_CORNERS: Final[dict[int, tuple[tuple[float, float], ...]]] = {
    1: ((-9, -9), (9, -9), (9, 9), (-9, 9)),
    2: ((0, -11.5), (11.5, 0), (0, 11.5), (-11.5, 0)),
    3: ((-6, -10), (6, -10), (11.5, 0), (6, 10), (-6, 10), (-11.5, 0)),
    4: ((0, -11), (11, 9), (-11, 9)),
    5: ((-10, -10), (10, -10), (10, 3), (0, 11), (-10, 3)),
}
"""The shapes of the seats; the first is a circle."""
_HATCH: Final = 2.0
Point: TypeAlias = tuple[float, float]


class Etching:
    """A picture whose upper left corner is at x, y, with this many millimetres per unit."""

    def __init__(self, pen: Pen, x: float, y: float, scale: float) -> None:
        self._pen, self._x, self._y, self._scale = pen, x, y, scale
        self._thin = min(scale, THIN)

    def picture(self, picture: Picture) -> Drawing:
        drawing = draw(picture, self._pen.speaker)
        with self._pen.within(self._x, self._y, picture.width * self._scale, picture.height * self._scale):
            for mark in drawing.marks:
                self._mark(mark)
        return drawing

    def at(self, x: float, y: float) -> Point:
        return self._x + x * self._scale, self._y + y * self._scale

    def _mark(self, mark: Mark) -> None:
        match mark.kind:
            case "stroke":
                self._stroke(mark)
            case "disc":
                self._disc(mark)
            case "spot":
                self._spot(mark)
            case "card" | "zone":
                self._area(mark)
            case "pawn" | "trace":
                pass
        self._on_it(mark)

    def _on_it(self, mark: Mark) -> None:
        """Its icon, the plate behind its words, its words, the shape of its seat."""
        if mark.sign is not None:
            sign, weight = mark.sign, 1.7 * self._thin / self._scale
            self._pen.icon(sign.icon, *self.at(sign.x, sign.y), sign.size * self._scale, weight=weight)
        if mark.plate is not None:
            self._plate(mark.plate)
        for words in mark.words:
            self._words(words, _ink(mark) if mark.kind == "disc" else SOFT if mark.kind == "zone" else INK)
        if mark.emblem is not None:
            emblem(self._pen, *self.at(mark.x, mark.y), 10 * mark.emblem.scale * self._scale, *_of(mark.emblem))

    def _stroke(self, mark: Mark) -> None:
        points = [self.at(*map(float, point.split(","))) for point in mark.points.split()]
        looks, ink = mark.look.split(), _ink(mark)
        thick = (2 if "ink-edge" in looks else 3) * self._thin
        if "line-double" in looks:
            self._polyline(points, 2 * thick, ink)
            self._polyline(points, 0.8 * thick, WHITE)
        elif "line-dashed" in looks:
            self._polyline(points, thick, ink, (8 * self._thin, 4 * self._thin))
        elif "line-dotted" in looks:
            self._polyline(points, 4 * self._thin, ink, (0.01, 5 * self._thin))
        else:
            self._polyline(points, thick, ink)

    def _polyline(self, points: list[Point], width: float, ink: Colour, dash: Point | None = None) -> None:
        """Through all points, in curves where there are many: what a phone draws in steps is a smooth line on paper."""
        with self._pen.pdf.new_path() as path:
            path.style.auto_close = False
            path.style.fill_color = None
            path.style.stroke_color = in_hex(ink)
            path.style.stroke_width = width
            path.style.stroke_join_style = "round"
            path.style.stroke_cap_style = "round" if dash else "butt"
            path.style.stroke_dash_pattern = dash
            path.move_to(*points[0])
            for at in range(1, len(points)):
                path.curve_to(*_bend(points, at), *points[at])

    def _disc(self, mark: Mark) -> None:
        self._pen.stroke(1.5 * self._thin, _ink(mark))
        self._pen.circle(*self.at(mark.x, mark.y), mark.w * self._scale, WHITE)

    def _spot(self, mark: Mark) -> None:
        x, y = self.at(mark.x, mark.y)
        r = mark.w * self._scale
        self._pen.stroke(1.5 * self._thin, INK if mark.look.startswith("double") else EDGE)
        if mark.look.startswith("square"):
            self._pen.rect(x - r, y - r, 2 * r, 2 * r, round_by=2 * self._scale, fill=WHITE)
        else:
            self._pen.circle(x, y, r, WHITE)
        if mark.look.startswith("double"):
            self._pen.stroke(0.7 * self._thin)
            self._pen.circle(x, y, r - 2.5 * self._scale)

    def _area(self, mark: Mark) -> None:
        """A card or a zone; a card that lies face down is hatched, with lines that save ink."""
        x, y = self.at(mark.x, mark.y)
        w, h = mark.w * self._scale, mark.h * self._scale
        self._pen.stroke(self._thin, INK if mark.kind == "card" else EDGE)
        self._pen.rect(x, y, w, h, round_by=3 * self._scale, fill=WHITE if mark.kind == "card" else None)
        if mark.look == "down":
            with self._pen.within(x, y, w, h):
                hatch(self._pen, x, y, w, h)

    def _plate(self, plate: Plate) -> None:
        self._pen.stroke(1.2 * self._thin)
        size = plate.w * self._scale, plate.h * self._scale
        self._pen.rect(*self.at(plate.x, plate.y), *size, round_by=3 * self._scale, fill=WHITE)

    def _words(self, words: Words, ink: Colour) -> None:
        looks = words.look.split()
        align: Align = "middle" if "mid" in looks else "right" if "end" in looks else "left"
        face: Face = "code" if {"price", "count", "said", "start", "end"} & set(looks) else "plain"
        room = words.length * self._scale or math.inf
        fitted = self._pen.faces.one_line(words.text, face, room, words.size * self._scale, 1.2)
        self._pen.text(*self.at(words.x, words.y), fitted.first, fitted.size, face, align=align, ink=ink)


def _bend(points: list[Point], at: int) -> tuple[float, float, float, float]:
    """The two control points of a curve to this point (Catmull and Rom)."""
    before, start, end = points[max(0, at - 2)], points[at - 1], points[at]
    after = points[min(at + 1, len(points) - 1)]
    return (
        start[0] + (end[0] - before[0]) / 6,
        start[1] + (end[1] - before[1]) / 6,
        end[0] - (after[0] - start[0]) / 6,
        end[1] - (after[1] - start[1]) / 6,
    )


def emblem(pen: Pen, x: float, y: float, r: float, seat: SeatId, letter: str) -> None:
    """The shape of a seat, outlined rather than filled, so that it can be told apart without colour."""
    colour, corners = _SEATS[seat % len(_SEATS)], _CORNERS.get(seat % len(_SEATS))
    pen.stroke(r * 0.16, colour)
    pen.pdf.set_fill_color(*WHITE)
    if corners is None:
        pen.circle(x, y, r, WHITE)
    else:
        pen.pdf.polygon([(x + dx * r / 10, y + dy * r / 10) for dx, dy in corners], style="DF")
    pen.text(x, y + r * (0.65 if seat % len(_SEATS) == 4 else 0.4), letter, r * 1.1, "code", align="middle", ink=colour)


def hatch(pen: Pen, x: float, y: float, w: float, h: float) -> None:
    """Slanting lines over a box; anything beyond it must be clipped."""
    pen.stroke(0.12, PALE)
    for step in range(int((w + h) / _HATCH) + 1):
        pen.pdf.line(x + step * _HATCH, y, x + step * _HATCH - h, y + h)


def _of(emblem: Emblem) -> tuple[SeatId, str]:
    return emblem.seat, emblem.letter


def _ink(mark: Mark) -> Colour:
    return next((INKS[ink] for look in mark.look.split() if (ink := look.removeprefix("ink-")) in INKS), INK)


def points_at(marks: Iterable[Mark]) -> list[tuple[Mark, Token]]:
    """The marks that stand for a place, each with that place."""
    return [(mark, mark.points_at) for mark in marks if mark.points_at is not None and mark.points_at.kind == "place"]
