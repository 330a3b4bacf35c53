"""The first page: how to print, cut and begin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from .paper import GRID, Page
from .pen import BRASS, SOFT, Pen

Backs = Literal["once", "each", "none"]
_STEPS: Final = ("1", "2-{backs}", "3", "4", "5", "6")


def how(backs: Backs) -> Callable[[Pen, Page], None]:
    return lambda pen, page: _draw(pen, page, backs)


def _draw(pen: Pen, page: Page, backs: Backs) -> None:
    x, y, room = page.left + 6, page.top + 16, GRID[0] - 12
    pen.one_line(x, y, room, pen.speaker.key("game.title"), "bold", largest=10)
    pen.line(x, y + 4, x + room, y + 4, 0.8, BRASS)
    y += 12
    pen.small_capitals(x, y, room, pen.speaker.key("print.how"), 6)
    y += 6
    for number, step in enumerate(_STEPS, 1):
        top = y
        pen.stroke(0.3)
        pen.rect(x, y, 9, 9)
        pen.text(x + 4.5, y + 6.6, str(number), 5.5, "code", align="middle")
        y = (
            pen.block(
                (x + 13, y, room - 13, 30), [pen.speaker.key(f"print.how.{step.format(backs=backs)}")], largest=4.2
            )
            + 5
        )
        y = max(y, top + 12)
    pen.block((x, y + 4, room, 20), [pen.speaker.key("print.how.note")], "italic", largest=3.6, ink=SOFT)
