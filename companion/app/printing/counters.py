"""Small things to cut out: pawns, coins, goods, numbers; and labels for cards that somebody already owns."""

from __future__ import annotations

from typing import Final

from companion.core import Counter
from companion.library import Tag

from .etching import INKS, emblem
from .fronts import tag_of
from .paper import GRID, H, Page, W
from .pen import CODE, PALE, Pen

SIZE: Final = (W / 3, H / 4)
ACROSS, DOWN = round(GRID[0] / SIZE[0]), round(GRID[1] / SIZE[1])
ON_A_SHEET: Final = ACROSS * DOWN


def cell(page: Page, at: int) -> tuple[float, float]:
    row, column = divmod(at, ACROSS)
    return page.left + column * SIZE[0], page.top + row * SIZE[1]


def draw_grid(pen: Pen, page: Page, number: int) -> None:
    """Thin lines to cut along: there are too many to go by marks."""
    pen.stroke(0.1, PALE)
    rows = -(-number // ACROSS)
    for column in range(ACROSS + 1):
        x = page.left + column * SIZE[0]
        pen.pdf.line(x, page.top, x, page.top + rows * SIZE[1])
    for row in range(rows + 1):
        pen.pdf.line(page.left, page.top + row * SIZE[1], page.left + GRID[0], page.top + row * SIZE[1])


def draw_counter(pen: Pen, x: float, y: float, counter: Counter) -> None:
    """A code with its seat beside it, or a sign in a ring."""
    name, middle = pen.speaker.say(counter.name), x + SIZE[0] / 2
    if counter.token is not None:
        draw_label(pen, x, y, tag_of(pen.codes.game, counter.token), name)
        if counter.seat is not None:
            emblem(pen, x + 3.6, y + 4.4, 2.6, counter.seat, str(counter.seat + 1))
        return
    ink = INKS.get(counter.ink, INKS["ink"])
    if counter.seat is not None:
        emblem(pen, middle, y + 8.6, 7, counter.seat, str(counter.seat + 1))
    else:
        pen.stroke(0.6, ink)
        pen.circle(middle, y + 8.6, 7.4)
        pen.stroke(0.2, ink)
        pen.circle(middle, y + 8.6, 6.6)
    if counter.icon is not None:
        pen.icon(counter.icon, middle - 4.5, y + 4.1, 9, ink)
    elif counter.sign:
        pen.text(middle, y + 11.1, counter.sign, 7, "bold", align="middle", ink=ink)
    _named(pen, x, y, name)


def draw_label(pen: Pen, x: float, y: float, thing: Tag, name: str) -> None:
    """A code, what people read aloud, and what it is."""
    left = x + SIZE[0] - CODE - 0.8
    pen.code(left, y + 0.8, thing)
    pen.short(left + CODE - 1, y + CODE + 2.9, thing, 2.6)
    _named(pen, x, y, name)


def _named(pen: Pen, x: float, y: float, name: str) -> None:
    pen.block((x + 0.8, y + SIZE[1] - 5, SIZE[0] - 1.6, 4.6), [name], largest=2.1, smallest=1.4, align="middle")
