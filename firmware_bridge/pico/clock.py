"""The Pico's clock and its short pauses; the only file that knows how to tell the time there."""

import time

_last = time.ticks_ms()
_grown = 0


def now():
    """Whole milliseconds since the start. They only grow, unlike the Pico's own ticks, which wrap every twelve days."""
    global _last, _grown  # noqa: PLW0603
    tick = time.ticks_ms()
    _grown += time.ticks_diff(tick, _last)
    _last = tick
    return _grown


def pause(us):
    """Wait this many microseconds; for what a chip needs, never for a person."""
    time.sleep_us(us)
