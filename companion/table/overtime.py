"""What happens to a seat whose time is up: it is told, or skipped by the same wish as any other skip."""

from __future__ import annotations

from msgspec import Struct

from companion.core import Seat, SeatId, Skip, TroublePage, say

from .desk import Desk
from .granting import grant
from .wishes import By, No


class Late(Struct, frozen=True):
    """A seat's time is up for the question with this number (see `Snapshot.asked`)."""

    seat: SeatId
    asked: int


def ran_out(desk: Desk, news: Late) -> None:
    """Nothing happens to a seat that has answered meanwhile, or whose clock has stopped."""
    clock, at = desk.ticking(), desk.referee.at
    if clock is None or news.seat not in clock.over(desk.clock()) or at.asked[news.seat] != news.asked:
        return
    if clock.wanted.kind == "strict":
        answer = grant(desk, Skip(news.seat), By(None, None))
        if not isinstance(answer, No):
            return
    key = "clock.up" if clock.wanted.kind == "soft" else "clock.cannot-skip"
    desk.show(TroublePage(say(key, seat=Seat(news.seat))), "check-problem")
