"""How long the game has waited for each seat in its turn, and how long it may. The core has no clock; the table has.

A seat's time runs from when it is first awaited until it no longer is. It stops while the table rolls or draws, and
taking back starts it afresh. The times of entries carry it over a restart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from companion.core import Game, SeatId, Seq
from companion.journal import Entry, TookBack
from companion.library import TurnClock

REST: Final = 1800.0
"""Seconds between two entries after which nobody was waiting any more: the table had been left."""


class Ticking(Struct, frozen=True):
    """The turn clock at the moment `at` of a monotonic clock: what each seat has used, and whose time `runs` on."""

    wanted: TurnClock
    spent: tuple[float, ...]
    runs: tuple[SeatId, ...]
    at: float

    def left(self, seat: SeatId, now: float) -> float:
        """Seconds that the seat has left; negative in overtime."""
        gone = self.spent[seat] + (now - self.at if seat in self.runs else 0.0)
        return self.wanted.seconds - gone

    def over(self, now: float) -> tuple[SeatId, ...]:
        """The awaited seats that have no time left."""
        return tuple(seat for seat in self.runs if self.left(seat, now) <= 0)

    @property
    def shown(self) -> tuple[TurnClock, tuple[SeatId, ...], tuple[SeatId, ...]]:
        """What a page shows of it apart from the time itself, which passes without any news."""
        return self.wanted, self.runs, self.over(self.at)

    def due(self, now: float) -> float | None:
        """Seconds until somebody's time is up; None if nobody's runs."""
        left = [self.left(seat, now) for seat in self.runs]
        return min((each for each in left if each > 0), default=None)


class Stopwatch:
    """Follows one game at a time; `clock` is monotonic."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._at = clock()
        self._table = ""
        self._spent: dict[SeatId, float] = {}
        self._runs: tuple[SeatId, ...] = ()

    def begin(self, table: str, spent: Mapping[SeatId, float]) -> None:
        """Another game, or the same one afresh, in which the awaited seats have already used this much."""
        self._table, self._spent, self._runs, self._at = table, dict(spent), (), self._clock()

    def is_of(self, table: str) -> bool:
        return self._table == table

    def follow(self, awaited: tuple[SeatId, ...], runs: tuple[SeatId, ...]) -> None:
        """From now on these seats are awaited, and time runs for some of them. Seats whose time ran have used it."""
        now = self._clock()
        for seat in self._runs:
            self._spent[seat] = self._spent.get(seat, 0.0) + now - self._at
        if any(seat >= 0 for seat in awaited):
            self._spent = {seat: used for seat, used in self._spent.items() if seat in awaited}
        self._at, self._runs = now, runs

    def ticking(self, wanted: TurnClock, seats: int) -> Ticking:
        spent = tuple(self._spent.get(SeatId(seat), 0.0) for seat in range(seats))
        return Ticking(wanted, spent, self._runs, self._at)


Turn = tuple[SeatId, float]


def turns(
    game: Game[Any, Any], history: Sequence[Entry], states: Mapping[Seq, Any], open_: dict[SeatId, float] | None = None
) -> Iterator[Turn]:
    """Every finished turn with its seconds; unfinished ones are left in `open_`."""
    spent: dict[SeatId, float] = {} if open_ is None else open_
    before = history[0]
    state = states[before.seq]
    for entry in history[1:]:
        awaited = _awaited(game, state)
        gap = entry.at - before.at
        for seat in awaited:
            spent[seat] = spent.get(seat, 0.0) + (gap if 0 <= gap < REST else 0.0)
        back = isinstance(entry.body, TookBack)
        state = states.get(entry.body.to if isinstance(entry.body, TookBack) else entry.seq, state)
        after = _awaited(game, state)
        for seat in [*spent] if after or back else ():
            if seat not in after or back:
                used = spent.pop(seat)
                if not back:
                    yield seat, used
        before = entry


def _awaited(game: Game[Any, Any], state: Any) -> tuple[SeatId, ...]:
    decisions = game.decisions(state)
    return tuple(seat for seat in decisions[-1].seats if seat >= 0) if decisions else ()


def spent_so_far(game: Game[Any, Any], history: Sequence[Entry], states: Mapping[Seq, Any]) -> dict[SeatId, float]:
    """What the awaited seats have used up to the last entry."""
    spent: dict[SeatId, float] = {}
    for _turn in turns(game, history, states, spent):
        pass
    return spent


def overtimes(
    game: Game[Any, Any], history: Sequence[Entry], states: Mapping[Seq, Any], seats: int, seconds: int
) -> tuple[int, ...]:
    """How many turns of each seat took longer than this many seconds."""
    late = [seat for seat, used in turns(game, history, states) if used >= seconds]
    return tuple(late.count(SeatId(seat)) for seat in range(seats))
