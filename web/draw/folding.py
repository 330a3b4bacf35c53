"""How a drawing is laid out in a space that is wider than high: whole, cut in two side by side, or whole and small
beside a close-up of where it happens.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from .drawing import Drawing

Leaves: TypeAlias = tuple[tuple[int, int], ...]
"""Where each piece starts and ends, going down the drawing."""
CLOSER: Final = 1.5
"""How much larger a part must appear than in the whole to be worth a space of its own."""


def leaves_in(drawing: Drawing, wide: int, high: int) -> Leaves:
    """Whichever layout makes it larger in a space of this shape."""
    whole: Leaves = ((0, drawing.height),)
    return max(whole, drawing.leaves, key=lambda leaves: _scale(drawing, leaves, wide, high))


def leaves_from_afar(drawing: Drawing, wide: int, high: int) -> Leaves:
    """The same for viewers too far away to read small text: where it happens as large as possible, if that helps."""
    leaves, (top, end) = leaves_in(drawing, wide, high), drawing.focus
    if top == end:
        return leaves
    beside = wide - drawing.width * high / drawing.height
    closer = min(beside / drawing.width, high / (end - top))
    is_closer = closer > CLOSER * _scale(drawing, leaves, wide, high)
    return ((0, drawing.height), drawing.focus) if is_closer else leaves


def _scale(drawing: Drawing, leaves: Leaves, wide: int, high: int) -> float:
    tallest = max(end - top for top, end in leaves)
    return min(wide / len(leaves) / drawing.width, high / tallest)
