"""Phones that ask for a seat, between asking and being let in."""

from __future__ import annotations

import hashlib
import secrets
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Collection
from typing import Final

from msgspec import Struct

from companion.core import SeatId

MOST: Final = 64
"""Phones remembered; the longest-waiting one is forgotten first and can simply ask again."""

LONGEST_NAME: Final = 24
_LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"


class Asker(Struct, frozen=True):
    """What one phone asked for, the code it shows, and the secret it gets when let in.

    The secret is made here, once, so that a claim can be repeated if its answer was lost.
    """

    seat: SeatId
    name: str
    code: str
    secret: str
    card: str = ""
    """The tag that it wants to see once it has a seat."""


class Askers:
    """Who asked with which secret, so that nobody claims a seat by reading another's code off the display."""

    def __init__(self) -> None:
        self._by_key: OrderedDict[str, Asker] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, key: str, asker: Asker) -> None:
        with self._lock:
            self._by_key[key] = asker
            while len(self._by_key) > MOST:
                self._by_key.popitem(last=False)

    def find(self, key: str) -> Asker | None:
        with self._lock:
            return self._by_key.get(key)


def new_secret() -> str:
    """128 bits known to only one phone."""
    return secrets.token_hex(16)


def new_code(taken: Collection[str] = ()) -> str:
    """Three consonants: short enough to compare by eye, never a word, and different from those of other phones."""
    while (code := "".join(secrets.choice(_LETTERS) for _ in range(3))) in taken:
        pass
    return code


def key_of(secret: str) -> str:
    """The hash by which the journal knows a phone; "" for none."""
    return hashlib.sha256(secret.encode()).hexdigest() if secret else ""


def clean_name(text: str, longest: int = LONGEST_NAME) -> str:
    """A name safe to show anywhere: normalised, one line, no control or direction characters; "" if nothing is left."""
    plain = unicodedata.normalize("NFKC", text[: longest * 8])
    kept = "".join(c if _is_shown(c) else " " if c.isspace() else "" for c in plain)
    return " ".join(kept.split())[:longest].strip()


def _is_shown(char: str) -> bool:
    """Letters, marks, numbers, punctuation, symbols and the plain space; no control, format or line characters."""
    return unicodedata.category(char)[0] in "LMNPS" or char == " "
