"""Who did what lately: each seat's acts together, with their dice."""

from __future__ import annotations

from companion.core import TABLE, Said, Seat, SeatId, Seq, say
from companion.table.outside import Told
from web.screens.tellings import tellings

ADA, BEN = SeatId(0), SeatId(1)


def did(seq: int, who: SeatId, *lines: Said) -> Told:
    return Told(Seq(seq), 0.0, who, lines, "did", undone=False)


def moves(seat: SeatId) -> Said:
    return say("event.moved-again", seat=Seat(seat))


def test_acts_and_dice_of_one_seat_are_one_telling() -> None:
    found = tellings([did(1, BEN, moves(BEN)), did(2, TABLE, moves(BEN)), did(3, BEN, moves(BEN)), did(4, ADA)])
    assert [(each.seq, each.who, each.acts, len(each.lines)) for each in found] == [(3, BEN, 3, 3), (4, ADA, 1, 0)]


def test_a_die_belongs_to_whom_it_fell_for_and_one_for_nobody_to_the_act_before_it() -> None:
    found = tellings([did(1, BEN), did(2, TABLE, moves(ADA)), did(3, TABLE, say("event.ran-out")), did(4, ADA)])
    assert [(each.who, each.acts) for each in found] == [(BEN, 1), (ADA, 3)]


def test_what_nobody_did_is_nobodys() -> None:
    assert [each.who for each in tellings([did(1, TABLE, say("event.ran-out"))])] == [TABLE]
