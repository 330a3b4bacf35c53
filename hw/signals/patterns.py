"""What lamp and buzzer do for each signal: no two alike in light, in rhythm or in sound. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar, assert_never

from msgspec import Struct

from companion.core import Page, Signal
from companion.table.outside import Seen


class Timed(Protocol):
    @property
    def seconds(self) -> float: ...


class Shine(Struct, frozen=True):
    """A colour, each part 0 to 255, for some seconds."""

    red: int
    green: int
    blue: int
    seconds: float


class Tone(Struct, frozen=True):
    """A pitch for some seconds; 0 hertz is silence."""

    hertz: int
    seconds: float


Step = TypeVar("Step", bound=Timed)
FOREVER: Final = float("inf")
DARK: Final = Shine(0, 0, 0, FOREVER)
SILENT: Final = Tone(0, FOREVER)


def lights(signal: Signal) -> tuple[Shine, ...]:
    """The light of a signal, once through. Then the lamp rests."""
    match signal:
        case "quiet":
            return ()
        case "turn":
            return (Shine(60, 45, 10, 0.3), Shine(160, 120, 30, 0.3), Shine(60, 45, 10, 0.3))
        case "accepted":
            return (Shine(0, 200, 60, 0.9),)
        case "stands":
            return (Shine(0, 200, 60, 0.4), Shine(255, 110, 0, 0.5))
        case "refused":
            return _blinks(Shine(255, 0, 0, 0.12), 4)
        case "check-fine":
            return _blinks(Shine(0, 120, 255, 0.5), 2)
        case "check-problem":
            return _blinks(Shine(255, 110, 0, 0.5), 3)
        case "trouble":
            return (Shine(255, 0, 0, 0.5), Shine(90, 0, 160, 0.5)) * 2
        case _:
            assert_never(signal)


def tones(signal: Signal) -> tuple[Tone, ...]:
    """The sound of a signal, within TonalBuzzer's octave either side of A4 (220 to 880 Hz)."""
    match signal:
        case "quiet":
            return ()
        case "turn":
            return (Tone(523, 0.07),)
        case "accepted":
            return (Tone(523, 0.06), Tone(784, 0.10))
        case "stands":
            return (Tone(523, 0.06), Tone(784, 0.10), Tone(392, 0.12))
        case "refused":
            return (Tone(220, 0.16), Tone(0, 0.06), Tone(220, 0.26))
        case "check-fine":
            return (Tone(659, 0.07), Tone(0, 0.05), Tone(659, 0.07))
        case "check-problem":
            return (Tone(440, 0.10), Tone(349, 0.10), Tone(440, 0.10))
        case "trouble":
            return (Tone(880, 0.12), Tone(247, 0.12)) * 3
        case _:
            assert_never(signal)


def light_at_rest(in_trouble: bool) -> tuple[Shine, ...]:
    """What goes on forever: a slow red breath while something is wrong, else darkness."""
    return (Shine(70, 0, 0, 1.0), Shine(0, 0, 0, 2.0)) if in_trouble else (DARK,)


def sound_at_rest(in_trouble: bool) -> tuple[Tone, ...]:
    """Lasting trouble sounds once, not all evening."""
    return (SILENT,)


class Performance(Generic[Step]):
    """Which step is on at which moment: a signal plays through once, then the resting pattern repeats.

    A moment without a signal of its own lets the current one play on.
    """

    def __init__(
        self, score: Callable[[Signal], tuple[Step, ...]], at_rest: Callable[[bool], tuple[Step, ...]]
    ) -> None:
        self._score = score
        self._at_rest = at_rest
        self._in_trouble = False
        self._steps = at_rest(False)
        self._at = 0
        self._ends = FOREVER
        self._is_rest = True
        self._last: tuple[Signal, Page] | None = None
        self.signal: Signal = "quiet"

    def news(self, seen: Seen, now: float) -> None:
        this = (seen.signal, seen.page)
        is_fresh = seen.signal != "quiet" and (seen.flash is not None or this != self._last)
        was_in_trouble, self._in_trouble = self._in_trouble, bool(seen.troubles)
        self._last = this
        if is_fresh:
            self.signal = seen.signal
            self._begin(self._score(seen.signal), now, is_rest=False)
        elif self._is_rest and was_in_trouble != self._in_trouble:
            self._rest(now)

    def step(self, now: float) -> Step:
        """What is on now."""
        while now >= self._ends:
            self._at += 1
            if self._at < len(self._steps):
                self._ends += self._steps[self._at].seconds
            elif self._is_rest:
                self._begin(self._steps, self._ends, is_rest=True)
            else:
                self._rest(self._ends)
        return self._steps[self._at]

    def due(self, now: float) -> float | None:
        return None if self._ends == FOREVER else max(self._ends - now, 0.0)

    def _rest(self, now: float) -> None:
        self.signal = "trouble" if self._in_trouble else "quiet"
        self._begin(self._at_rest(self._in_trouble), now, is_rest=True)

    def _begin(self, steps: tuple[Step, ...], now: float, *, is_rest: bool) -> None:
        self._steps, self._at, self._is_rest = steps, 0, is_rest
        self._ends = now + steps[0].seconds


def _blinks(shine: Shine, times: int) -> tuple[Shine, ...]:
    return (shine, Shine(0, 0, 0, shine.seconds / 2)) * times
