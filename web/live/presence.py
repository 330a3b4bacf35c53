"""Whose phone is listening. A seat counts as away when its phone hasn't listened for a while, so that nobody waits
in vain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from companion.core import SeatId
from companion.table.outside import Chair

AWAY: Final = 5.0
"""Seconds without any stream after which a phone counts as away: enough to change pages or Wi-Fi."""


class Presence:
    """Counts the streams of each seat. Lives on one loop; `clock` and `later` are that loop's."""

    def __init__(
        self,
        tell: Callable[[tuple[SeatId, ...]], None],
        clock: Callable[[], float],
        later: Callable[[float, Callable[[], None]], object],
    ) -> None:
        self._tell, self._clock, self._later = tell, clock, later
        self._listening: Counter[SeatId] = Counter()
        self._since: dict[SeatId, float] = {}
        self._chairs: tuple[Chair, ...] = ()
        self._told: tuple[SeatId, ...] = ()

    def sits(self, chairs: tuple[Chair, ...]) -> None:
        """Learn who sits where whenever the table says so; a phone that has just got a seat has time to connect."""
        if chairs == self._chairs:
            return
        for n, chair in enumerate(chairs):
            if n >= len(self._chairs) or self._chairs[n].key != chair.key:
                self._since[SeatId(n)] = self._clock()
        self._chairs = chairs
        self._look()

    def comes(self, seat: SeatId | None) -> None:
        if seat is not None:
            self._listening[seat] += 1
            self._look()

    def goes(self, seat: SeatId | None) -> None:
        if seat is not None:
            self._listening[seat] -= 1
            self._since[seat] = self._clock()
            self._look()

    def _look(self) -> None:
        """Report who is away if that has changed, and look again when the next phone may be."""
        now, away, soonest = self._clock(), [], AWAY + 1
        for n, chair in enumerate(self._chairs):
            seat = SeatId(n)
            if not chair.key or self._listening[seat] > 0:
                continue
            left = AWAY - (now - self._since.get(seat, now))
            if left <= 0:
                away.append(seat)
            else:
                soonest = min(soonest, left)
        if soonest <= AWAY:
            self._later(soonest + 0.01, self._look)
        if tuple(away) != self._told:
            self._told = tuple(away)
            self._tell(self._told)
