"""Finds results in the journal that never reached the outbox, because the power failed first."""

from __future__ import annotations

from typing import Final, Protocol

from companion.core import Seq
from companion.table.outside import Seen

from .membership import Membership
from .outbox import Outbox
from .telling import game_over

LOOKED_BACK: Final = 8
"""At most this many games: each is read whole, and every start looks again."""


class Records(Protocol):
    """The games of a table, as its journal has them."""

    def since(self, record: str) -> tuple[tuple[str, Seq], ...]:
        """The games from this one on, in the order in which they were opened, with the number of their last entry."""
        ...

    def seen(self, record: str) -> Seen | None:
        """What everybody sees of it now; None if it can't be read."""
        ...


def recall(records: Records, member: Membership, outbox: Outbox) -> None:
    """Put into the outbox the ends of those games that it doesn't know, or has wrong."""
    if not member.shown or not member.first:
        return
    table = member.paired.table
    for record, last in records.since(member.first)[-LOOKED_BACK:]:
        before = outbox.last(f"{table}/{record}")
        if before is not None and before.seq == last:
            continue
        seen = records.seen(record)
        over = None if seen is None else game_over(table, seen, member.guests, before)
        if over is not None and (before is None or (before.seq, before.stands) != (over.seq, over.stands)):
            outbox.put(over)
