"""What a table knows of its club: how it reaches the broker, its name there, and whom it leaves out."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from .pairing import Paired
from .telling import Guests

Why = Literal["unreachable", "untrusted", "refused", "silent"]
"""Nobody there; somebody else's certificate, or a wrong clock; a wrong password; there, but silent."""
Status = Literal["connecting", "here", "no-hub"] | Why
"""How things stand between a table and its club; `no-hub` is a broker on which no hub has announced itself."""


class Membership(Struct, frozen=True):
    """`shown` is what people at the table want: without it the table says only that it is here.

    `nobody` names no seat at all; `left_out` are those who asked for it, by the names they use at the table.
    `first` is the game that was being played when the table was first shown: earlier games are none of the club's
    business.
    """

    paired: Paired
    name: str
    shown: bool = True
    nobody: bool = False
    left_out: tuple[str, ...] = ()
    first: str = ""

    @property
    def guests(self) -> Guests:
        return Guests(self.nobody, self.left_out)
