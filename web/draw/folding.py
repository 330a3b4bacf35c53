"""How a drawing lies in a room that is wider than high: whole, cut in two that lie side by side, or whole and small
beside the part in which it happens.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from .drawing import Drawing

Leaves: TypeAlias = tuple[tuple[int, int], ...]
"""From where to where each reaches down the drawing."""
CLOSER: Final = 1.5
"""How many times larger a part has to be shown than the whole to be worth a place of its own."""


def leaves_in(drawing: Drawing, wide: int, high: int) -> Leaves:
    """Whichever way it is drawn larger in a room of this shape."""
    whole: Leaves = ((0, drawing.height),)
    return max(whole, drawing.leaves, key=lambda leaves: _scale(drawing, leaves, wide, high))


def leaves_from_afar(drawing: Drawing, wide: int, high: int) -> Leaves:
    """The same for who is too far away to read what is small: where it happens as large as it can be, if that helps."""
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
