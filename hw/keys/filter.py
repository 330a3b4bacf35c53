"""Turns one button's edges into presses and holds, by their time stamps alone. Pure: no pin, no clock, no thread."""

from __future__ import annotations

from collections import deque
from typing import Final, Literal

SETTLE: Final = 0.02
"""A level counts once it has lasted this long: contacts bounce for 5 ms at most, fingers stay longer."""
HOLD: Final = 0.8
LONGER: Final = 2.0
LONGEST: Final = 4.0
"""Held this long, a button does the press and the hold of one that the box doesn't have."""
REPEAT: Final = 0.2
"""Seconds between the steps of a button that repeats while it is held."""
STUCK: Final = 10.0
MANY: Final = 20
WITHIN: Final = 2.0
"""More than `MANY` presses within this many seconds can't come from a finger: the button flaps."""

Told = Literal["pressed", "held", "repeated", "longer", "longest", "stuck", "freed"]


class Filter:
    """What the edges of one button mean.

    A press is reported at its release, a hold once while the button is still down; its release then reports
    nothing. A button that is down for STUCK seconds, down from the beginning, or flapping is stuck: that is
    reported once, then it is ignored until it is let go and, after flapping, has been still for a while. With
    `repeats`, a hold keeps reporting "repeated" until it ends. With `stands_in`, nothing is reported before the
    release, which then says how long it was: "pressed", "held", "longer" or "longest".
    """

    def __init__(self, down: bool = False, at: float = 0.0, *, repeats: bool = False, stands_in: bool = False) -> None:
        self._repeats = repeats and not stands_in
        self._stands_in = stands_in
        self._level = down
        self._since = at
        self._down_at: float | None = at if down else None
        self._may_tell = not down
        self._next_repeat: float | None = None
        self._is_stuck = False
        self._presses: deque[float] = deque(maxlen=MANY)
        self._is_flapping = False

    @property
    def is_down(self) -> bool:
        """As far as the edges say."""
        return self._level

    @property
    def is_let_go(self) -> bool:
        """Whether it seems to be let go but hasn't settled yet: the press is reported when it has."""
        return not self._level and self._down_at is not None

    def edge(self, down: bool, at: float) -> tuple[Told, ...]:
        """The pin changed to this level at this time. A redundant edge is harmless."""
        told = self.tick(at)
        if down != self._level:
            self._level, self._since = down, at
        return told

    def tick(self, at: float) -> tuple[Told, ...]:
        """Time has passed. However late it is called, the stamps decide what is reported."""
        told: list[Told] = []
        if self._is_flapping and at - max(self._since, self._presses[-1]) >= WITHIN and not self._level:
            self._is_flapping = False
            self._presses.clear()
            told.append("freed")
        if self._level != (self._down_at is not None) and at - self._since >= SETTLE:
            if self._level:
                self._down_at, self._may_tell = self._since, not self._is_flapping
            else:
                told += self._let_go(self._since)
        if self._level and self._down_at is not None:
            told += self._lasting(at)
        return tuple(told)

    def due(self) -> float | None:
        """When `tick` is next worth calling; None while nothing can change without an edge."""
        if self._level != (self._down_at is not None):
            return self._since + SETTLE
        if self._is_flapping and not self._level:
            return max(self._since, self._presses[-1]) + WITHIN
        if self._down_at is None or self._is_stuck:
            return None
        if self._may_tell and not self._stands_in:
            return self._down_at + HOLD
        stuck = self._down_at + STUCK
        return stuck if self._next_repeat is None else min(stuck, self._next_repeat)

    def _lasting(self, at: float) -> list[Told]:
        assert self._down_at is not None
        seconds = at - self._down_at
        told: list[Told] = []
        if self._may_tell and not self._stands_in and seconds >= HOLD:
            self._may_tell = False
            self._next_repeat = self._down_at + HOLD + REPEAT if self._repeats else None
            told.append("held")
        while self._next_repeat is not None and self._next_repeat <= min(at, self._down_at + STUCK):
            self._next_repeat += REPEAT
            told.append("repeated")
        if not self._is_stuck and seconds >= STUCK:
            self._is_stuck, self._may_tell = True, False
            told.append("stuck")
        return told

    def _let_go(self, at: float) -> list[Told]:
        assert self._down_at is not None
        seconds = at - self._down_at
        told = self._lasting(at)
        if self._may_tell:
            told += self._pressed(at, _how_long(seconds) if self._stands_in else "pressed")
        if self._is_stuck:
            told.append("freed")
        self._down_at, self._next_repeat, self._may_tell, self._is_stuck = None, None, False, False
        return told

    def _pressed(self, at: float, told: Told) -> list[Told]:
        """A press that counts, unless there have been more than any finger can make."""
        self._presses.append(at)
        if len(self._presses) == MANY and at - self._presses[0] <= WITHIN:
            self._is_flapping = True
            return ["stuck"]
        return [told]


def _how_long(seconds: float) -> Told:
    if seconds >= LONGEST:
        return "longest"
    if seconds >= LONGER:
        return "longer"
    return "held" if seconds >= HOLD else "pressed"
