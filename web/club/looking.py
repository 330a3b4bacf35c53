"""Checks the way from a table to its club, for the doctor: connects as the table would, and says nothing."""

from __future__ import annotations

import queue
import time
from typing import Literal

from .broker import Connection, Heard, News, Reached, Unreached
from .membership import Why
from .pairing import Paired
from .reading import says_here
from .topics import HUB

Seen = Literal["fine", "no-hub"] | Why


def look(to: Paired, patience: float, for_hub: float = 2.0) -> Seen:
    """How far one gets: to nobody, to a broker, to the hub on it. Takes at most `patience` and `for_hub` seconds."""
    news: queue.Queue[News] = queue.Queue()
    line = Connection(to, (HUB,), None, news.put)
    try:
        return _met(news, time.monotonic() + patience, for_hub)
    finally:
        line.close()


def _met(news: queue.Queue[News], ends: float, for_hub: float) -> Seen:
    is_up = False
    while True:
        try:
            match news.get(timeout=max(0.0, ends - time.monotonic())):
                case Reached():
                    is_up, ends = True, time.monotonic() + for_hub
                case Unreached(why=why):
                    return why
                case Heard(payload=payload) if says_here(payload):
                    return "fine"
        except queue.Empty:
            return "no-hub" if is_up else "silent"
