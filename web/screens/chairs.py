"""People and their seats as screens list them: who has a phone, whose phone is away, for whom a bot plays."""

from __future__ import annotations

from msgspec import Struct

from companion.core import TABLE, SeatId
from companion.table.outside import Seen
from web.door import Phone


class ChairRow(Struct, frozen=True):
    """One seat. `waits`: the game is waiting for it, and its phone isn't listening."""

    seat: SeatId
    name: str
    taken: bool
    mine: bool
    away: bool = False
    bot: bool = False
    elsewhere: bool = False
    awaited: bool = False

    @property
    def waits(self) -> bool:
        return self.awaited and self.away and not self.bot


def chair_rows(seen: Seen, phone: Phone) -> tuple[ChairRow, ...]:
    awaited = seen.awaited if seen.result is None else ()
    return tuple(
        ChairRow(
            seat=SeatId(n),
            name=chair.name,
            taken=bool(chair.key),
            mine=phone.seat == n,
            away=n in seen.away,
            bot=chair.bot,
            elsewhere=chair.elsewhere,
            awaited=n in awaited and n != TABLE,
        )
        for n, chair in enumerate(seen.chairs)
    )
