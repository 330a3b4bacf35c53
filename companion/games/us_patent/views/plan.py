"""How large the boards of the map are drawn, and where the spaces lie in them."""

from __future__ import annotations

from typing import Final, TypeAlias

from msgspec import Struct

Point: TypeAlias = tuple[int, int]
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""
EDGE, GAP, HEAD = 3, 6, 18
_GRID: Final = ((1, 1), (0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1))
"""Column and row of boards 0 to 8 (P1)."""
_ROWS: Final = 3
_LOWER: Final = 65
"""In hundredths of a board: spaces below this use its full width, because no card lies beside them."""
_PILE: Final = 42
"""The height of a pile of cards."""


class Plan(Struct, frozen=True):
    """The width and height of a board, and between what edges its spaces may lie: `left` and `right` of them is room
    for cards. The middle of a board is that of its spaces, so that links between boards are straight."""

    wide: int
    high: int
    left: int = 0
    right: int = 0

    @property
    def bottom(self) -> int:
        """Where the map ends."""
        return EDGE + _ROWS * (self.high + GAP)

    @property
    def width(self) -> int:
        return 2 * EDGE + _ROWS * (self.wide + GAP) - GAP

    def corner(self, board: int) -> Point:
        column, row = _GRID[board]
        return EDGE + column * (self.wide + GAP), EDGE + row * (self.high + GAP)

    def within(self, board: int, x: int, y: int, r: int) -> Point:
        """Within its board and below its head, whatever an owner's pack says."""
        left, top = self.corner(board)
        return (
            left + min(max(self._across(board, x, y), r + 3), self.wide - r - 3),
            top + min(max(y * self.high // 100, HEAD + r), self.high - r - 3),
        )

    def pile(self, board: int) -> Box:
        """Where face-down cards lie on a board that has room for them."""
        left, top = self.corner(board)
        x, y = left + self.wide - self.right + GAP, top + HEAD + GAP
        return x, y, left + self.wide - GAP, y + _PILE

    def _across(self, board: int, x: int, y: int) -> int:
        start, end = self.left, self.wide - self.right
        if not start or board == 0 or y < _LOWER:
            return start + x * (end - start) // 100
        middle = (start + end) // 2
        return x * middle // 50 if x < 50 else middle + (x - 50) * (self.wide - middle) // 50


UPRIGHT: Final = Plan(114, 122)
WIDE: Final = Plan(226, 112, 94, 40)
"""With cards to the left and a pile to the right of every board."""
