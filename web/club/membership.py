"""What a table has of its club: how it gets to the broker, what it is called there, and whom it does not name."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from .pairing import Paired
from .telling import Guests

Why = Literal["unreachable", "untrusted", "refused", "silent"]
"""Nobody there; somebody else's certificate, or a wrong clock; a wrong password; there, and says nothing."""
Status = Literal["connecting", "here", "no-hub"] | Why
"""How it stands between a table and its club; `no-hub` is a broker on which no hub has said that it is there."""


class Membership(Struct, frozen=True):
    """`shown` is what people at the table want: without it the table says that it is here, and no more. `nobody` names
    no seat at all, `left_out` are those who asked for it, by the names that they use at the table. `first` is the game
    that was played when it came to be shown: what was played before is no business of the club."""

    paired: Paired
    name: str
    shown: bool = True
    nobody: bool = False
    left_out: tuple[str, ...] = ()
    first: str = ""

    @property
    def guests(self) -> Guests:
        return Guests(self.nobody, self.left_out)
