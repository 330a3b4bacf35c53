"""Simulated time, in place of the Pico's clock: it passes only when someone spends it."""

_us = 0


def now():
    return _us // 1000


def spend(us):
    global _us  # noqa: PLW0603
    _us += us


pause = spend
