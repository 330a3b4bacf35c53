"""The marks of a drawing as SVG. Generated here instead of in a template, because they are most of what is drawn
after a tap.

A mark's SVG depends on nothing else, so it is generated once for all phones, the big screen and every table that
shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, Protocol
from urllib.parse import quote

from markupsafe import Markup, escape

from companion.core import Token

from .drawing import Drawing, Emblem, Mark
from .lettering import Words

_EMBLEMS: Final = (
    '<circle r="10"/>',
    '<rect x="-9" y="-9" width="18" height="18"/>',
    '<path d="M0-11.500L11.500 0 0 11.500-11.500 0z"/>',
    '<path d="M-6-10h12L11.500 0 6 10H-6L-11.500 0z"/>',
    '<path d="M0-11L11 9H-11z"/>',
    '<path d="M-10-10H10V3L0 11-10 3z"/>',
)
"""The shapes of seats, in a square of 24 around (0, 0); they repeat from the seventh seat on."""
_TRIANGLE: Final = 4
"""Its letter sits lower than the others."""


class Touched(Protocol):
    """What touching a lit thing does."""

    @property
    def title(self) -> str: ...
    @property
    def badge(self) -> str: ...
    @property
    def json(self) -> str: ...


def emblem(seat: int, letter: str) -> Markup:
    """The shape of a seat with a letter in it."""
    which = seat % len(_EMBLEMS)
    return Markup(f'{_EMBLEMS[which]}<text y="{7 if which == _TRIANGLE else 4}">{escape(letter)}</text>')  # noqa: S704


def line(look: str, points: str) -> Markup:
    """A line on the table; a double one has a second along its middle."""
    core = f'<polyline class="core" points="{points}"/>' if "line-double" in look else ""
    return Markup(f'<polyline class="stroke {look}" points="{points}"/>{core}')  # noqa: S704 - looks and numbers


@lru_cache(maxsize=8192)
def shape(mark: Mark) -> Markup:
    """One mark in its place, with its title and what is on it."""
    if mark.kind == "stroke":
        return line(mark.look, mark.points)
    if mark.kind == "trace":
        return Markup(f'<polyline class="trace {mark.look}" points="{mark.points}"/>')  # noqa: S704
    named = f"<title>{escape(mark.title)}</title>"
    inside = "\n".join((named, *_outline(mark), *_on_it(mark)))  # separate words, for screen readers
    return Markup(f'<g class="{mark.kind} {mark.look}"{_moves(mark)}>{inside}</g>')  # noqa: S704 - escaped


def leaf(drawing: Drawing, top: int, end: int) -> Markup:
    """The marks in a part of a drawing, for looking only."""
    return Markup("".join(shape(mark) for mark in drawing.marks if _reaches(mark, top, end)))  # noqa: S704 - ours


def _reaches(mark: Mark, top: int, end: int) -> bool:
    """Whether any of it lies between these two heights: a mark that is cut is drawn on both sides of the cut."""
    low, high = _span(mark)
    return low < end and high > top


@lru_cache(maxsize=8192)
def _span(mark: Mark) -> tuple[float, float]:
    if mark.kind in ("stroke", "trace"):
        heights = [float(point.partition(",")[2]) for point in mark.points.split()]
        return min(heights), max(heights) + 1
    return (mark.y, mark.y + mark.h) if mark.kind in ("card", "zone") else (mark.y - mark.h, mark.y + mark.h)


def things(marks: Iterable[Mark], lights: Mapping[Token, Touched], prefix: str) -> Markup:
    """Marks that answer a touch, and on top of them the numbers of what is lit."""
    parts, badges = list[str](), list[str]()
    for mark in marks:
        touch = None if mark.points_at is None else lights.get(mark.points_at)
        parts.append(_unlit(mark, prefix) if touch is None else _lit(mark, touch, prefix))
        if touch is not None and touch.badge:
            badges.append(_badge(mark, touch.badge))
    return Markup("".join(parts + badges))  # noqa: S704 - each has escaped its words


def _moves(mark: Mark) -> str:
    """Identifies a piece that may be elsewhere after the next act, so that the page can make it glide there."""
    token = mark.points_at
    if token is None or token.kind == "place" or mark.kind == "zone":
        return ""
    return f' data-piece="{mark.kind} {token.kind}/{escape(token.value)}" data-at="{mark.x} {mark.y}"'


def _outline(mark: Mark) -> Iterator[str]:
    x, y, w, h, look = mark.x, mark.y, mark.w, mark.h, mark.look
    match mark.kind:
        case "disc":
            yield _circle(x, y, w)
            if "offered" in look:
                yield _circle(x, y, w + 2, "ring")
        case "spot":
            yield _rect(x - w, y - h, 2 * w, 2 * h, 2) if look.startswith("square") else _circle(x, y, w)
            if look.startswith("double"):
                yield _circle(x, y, w - 2.5, "inner")
            elif look == "dot":
                yield _circle(x, y, w + 7, "reach")
        case "card" | "zone":
            yield _rect(x, y, w, h, 3)
            if mark.points:
                yield f'<polygon class="corner" points="{mark.points}"/>'


def _circle(x: float, y: float, r: float, look: str = "") -> str:
    return f'<circle{_classed(look)} cx="{x}" cy="{y}" r="{r}"/>'


def _rect(x: float, y: float, w: float, h: float, rx: float, look: str = "") -> str:
    return f'<rect{_classed(look)} x="{x}" y="{y}" width="{w}" height="{h}" rx="{rx}"/>'


def _classed(look: str) -> str:
    return f' class="{look}"' if look else ""


def _on_it(mark: Mark) -> Iterator[str]:
    """Its icon, the plate behind its words, its words, the shape of its seat."""
    if mark.sign is not None:
        sign = mark.sign
        at = f'x="{sign.x}" y="{sign.y}" width="{sign.size}" height="{sign.size}"'
        yield f'<use href="#icon-{escape(sign.icon)}" {at}/>'
    if mark.plate is not None:
        plate = mark.plate
        rounded = 6.5 if plate.look == "count" else 3
        yield _rect(plate.x, plate.y, plate.w, plate.h, rounded, f"plate {plate.look}")
    yield from (_text(words) for words in mark.words)
    if mark.emblem is not None:
        yield _placed(mark.emblem, mark.look)


def _text(words: Words) -> str:
    fits = f' textLength="{words.length}" lengthAdjust="spacingAndGlyphs"' if words.length else ""
    at = f'x="{words.x}" y="{words.y}" font-size="{words.size}"'
    return f"<text{_classed(words.look)} {at}{fits}>{escape(words.text)}</text>"


def _placed(it: Emblem, look: str) -> str:
    where = f"translate({it.x} {it.y}) scale({it.scale})"
    return f'<g class="emblem seat-{it.seat % 6} {look}" transform="{where}">{emblem(it.seat, it.letter)}</g>'


@lru_cache(maxsize=8192)
def _unlit(mark: Mark, prefix: str) -> str:
    """Touching an unlit thing shows the reason below the table."""
    if mark.points_at is None:
        return shape(mark)
    to, title = _asked(mark.points_at), escape(mark.title)
    why = f'tabindex="-1" data-strip="{prefix}/touch{to}"'
    return f'<a class="thing" href="{prefix}/thing{to}" {why} aria-label="{title}">{shape(mark)}</a>'


def _lit(mark: Mark, touch: Touched, prefix: str) -> str:
    """Touching a lit thing does it at once, or shows its acts."""
    assert mark.points_at is not None
    does = f'role="button" data-act="{escape(touch.json)}"' if touch.json else "data-sheet"
    href = f"{prefix}/thing{_asked(mark.points_at)}"
    return f'<a class="thing lit" href="{href}" {does} aria-label="{escape(touch.title)}">{shape(mark)}</a>'


@lru_cache(maxsize=1024)
def _asked(token: Token) -> str:
    return f"?kind={token.kind}&amp;id={quote(str(token.value))}"


def _badge(mark: Mark, text: str) -> str:
    """On a dot, else at its upper left, since pawns stand at the upper right."""
    is_dot = mark.kind == "spot" and mark.look.startswith("dot")
    dx, dy = (6.0, 6.0) if mark.kind in ("card", "zone") else (0.0, 0.0) if is_dot else (mark.w * -0.8, mark.h * -0.8)
    x, y = mark.x + dx, mark.y + dy
    number = f'<text class="mid" x="{x:g}" y="{y + 4:g}" font-size="11">{escape(text)}</text>'
    return f'<g class="distance"><circle cx="{x:g}" cy="{y:g}" r="{8.5 if is_dot else 7.5}"/>{number}</g>'
