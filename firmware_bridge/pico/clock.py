"""The Pico's clock and its short pauses; the only file that knows how time is told there."""

import time

_last = time.ticks_ms()
_grown = 0


def now():
    """Whole milliseconds since the start. They only grow, where the Pico's own ticks begin anew every twelve days."""
    global _last, _grown  # noqa: PLW0603
    tick = time.ticks_ms()
    _grown += time.ticks_diff(tick, _last)
    _last = tick
    return _grown


def pause(us):
    """Wait so many microseconds; for what a chip needs, never for a person."""
    time.sleep_us(us)
