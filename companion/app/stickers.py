"""The address on stickers: the box by the first of its names, so that it stays when the numbers of a network change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from companion.core import Uid
from companion.library import Settings

WritesLink: TypeAlias = Callable[[Uid, str], None]


class Stickers:
    """Who writes links, and what they say: both are there once readers and phones are served."""

    def __init__(self) -> None:
        self._text = ""
        self._writes: WritesLink | None = None

    def serve(self, writes: WritesLink, text: str) -> None:
        self._writes, self._text = writes, text

    def says(self) -> str:
        """What follows `http://`, up to the tag's number; "" before that."""
        return self._text

    def write(self, uid: Uid) -> None:
        """Have the link written on a tag; returns at once."""
        if self._writes is not None:
            self._writes(uid, self._text)


def sticker_text(chosen: Settings, own_address: str, port: int) -> str:
    """Without a name in the settings, the address of this machine: better than none, as long as it stays."""
    name = chosen.hosts[0] if chosen.hosts else own_address
    return f"{name}{'' if port == 80 else f':{port}'}/t/"
