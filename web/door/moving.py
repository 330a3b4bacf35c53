"""Seats on their way from one phone to another: the phone that holds the seat shows a code, the other one reads it."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from companion.core import SeatId

from .asking import key_of, new_secret

PATIENCE: Final = 180.0
"""Seconds in which the other phone must read the code."""
MOST: Final = 64


class Move(Struct, frozen=True):
    """A seat offered to whoever holds the token; it counts while that seat's phone is still the one that offered it."""

    seat: SeatId
    key: str
    secret: str
    until: float


class Moves:
    """Open offers by the hash of their token. Each stays until it runs out, so that a lost answer can be repeated."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._by_token: OrderedDict[str, Move] = OrderedDict()
        self._takers: dict[str, str] = {}
        self._lock = threading.Lock()

    def offer(self, seat: SeatId, key: str) -> str:
        """A new token for a seat whose phone is known by `key`; older ones of that seat no longer count."""
        token = new_secret()
        with self._lock:
            for old in [t for t, move in self._by_token.items() if move.seat == seat]:
                del self._by_token[old]
            self._by_token[key_of(token)] = Move(seat, key, new_secret(), self._clock() + PATIENCE)
            while len(self._by_token) > MOST:
                self._by_token.popitem(last=False)
            self._takers = {t: command for t, command in self._takers.items() if t in self._by_token}
        return token

    def find(self, token: str) -> Move | None:
        with self._lock:
            move = self._by_token.get(key_of(token))
            return move if move is not None and move.until > self._clock() else None

    def take(self, token: str, command: str) -> Move | None:
        """The offer for the first command that takes it, and for that command alone, however often it is sent."""
        move = self.find(token)
        if move is None:
            return None
        with self._lock:
            return move if self._takers.setdefault(key_of(token), command) == command else None
