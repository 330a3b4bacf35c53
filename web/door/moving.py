"""Seats on their way: to another phone, which reads a code that the seat's own phone shows; or with their own phone
to another address of the box, where it has no cookie yet.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec import Struct

from companion.core import SeatId

from .asking import key_of, new_secret
from .session import Cookie

PATIENCE: Final = 180.0
"""Seconds in which the other phone must read the code."""
FOLLOWING: Final = 900.0
"""Seconds in which a phone must have followed the box to another Wi-Fi, which its owner has to choose."""
MOST: Final = 64

Likes: TypeAlias = tuple[tuple[Cookie, str], ...]
"""A phone's other cookies."""


class Move(Struct, frozen=True):
    """A seat offered to whoever holds the token; it is valid while that seat's phone is still the one that offered
    it.
    """

    seat: SeatId
    key: str
    secret: str
    until: float
    follows: Likes | None = None
    """If the seat's own phone follows the box, the cookies it kept; None for another phone."""


class Moves:
    """Open offers by the hash of their token. Each stays until it expires, so that a lost answer can be repeated."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._by_token: OrderedDict[str, Move] = OrderedDict()
        self._takers: dict[str, str] = {}
        self._following: dict[SeatId, str] = {}
        self._lock = threading.Lock()

    def offer(self, seat: SeatId, key: str) -> str:
        """A new token for a seat whose phone is known by `key`; older ones for that seat become invalid."""
        with self._lock:
            return self._open(Move(seat, key, new_secret(), self._clock() + PATIENCE))

    def follow(self, seat: SeatId, key: str, likes: Likes) -> str:
        """A token for the seat's own phone; the same one every time its page is drawn, as long as it is fresh."""
        with self._lock:
            token, until = self._following.get(seat, ""), self._clock() + FOLLOWING
            made = self._by_token.get(key_of(token))
            if made is None or (made.key, made.follows) != (key, likes) or until - made.until > PATIENCE:
                token = self._following[seat] = self._open(Move(seat, key, new_secret(), until, likes))
            return token

    def _open(self, move: Move) -> str:
        token = new_secret()
        for old in [t for t, other in self._by_token.items() if other.seat == move.seat and t not in self._takers]:
            del self._by_token[old]  # one that was taken stays: its answer may have been lost
        self._by_token[key_of(token)] = move
        while len(self._by_token) > MOST:
            self._by_token.popitem(last=False)
        self._takers = {t: command for t, command in self._takers.items() if t in self._by_token}
        return token

    def find(self, token: str) -> Move | None:
        with self._lock:
            move = self._by_token.get(key_of(token))
            return move if move is not None and move.until > self._clock() else None

    def take(self, token: str, command: str) -> Move | None:
        """The offer, for the first command that takes it and only that one, however often it is sent."""
        move = self.find(token)
        if move is None:
            return None
        with self._lock:
            return move if self._takers.setdefault(key_of(token), command) == command else None
