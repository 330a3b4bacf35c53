"""A Raspberry Pi without a clock of its own: a jump is reported, and the game goes on."""

from __future__ import annotations

from companion.app.clock import JUMPED, LEAP, Clock
from companion.core import Said

EVENING = 1_760_000_000.0


class Pretend:
    """A wall clock that can be set, and a steady one that can't."""

    def __init__(self, wall: float) -> None:
        self.wall, self.steady = wall, 50.0
        self.told: list[Said | None] = []

    def clock(self, newest: float = 0.0) -> Clock:
        clock = Clock(newest, lambda: self.wall, lambda: self.steady)
        clock.tells(self.told.append)
        return clock

    def passes(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds


def test_an_evening_with_a_right_clock_tells_nothing() -> None:
    room = Pretend(EVENING)
    clock = room.clock(EVENING - 3600)
    for _ in range(5):
        room.passes(300)
        assert clock() == room.wall
    assert room.told == []


def test_a_jump_in_either_direction_is_told_once_and_over_with_the_next_entry() -> None:
    room = Pretend(EVENING)
    clock = room.clock()
    for leap in (-86_400.0, 86_400.0):
        room.wall += leap
        room.told.clear()
        assert clock() == room.wall, "the game goes on with the time as it is"
        assert room.told == [JUMPED]
        room.passes(60)
        clock()
        assert room.told == [JUMPED, None]
        room.passes(60)
        clock()
        assert room.told == [JUMPED, None]


def test_a_box_that_was_off_and_lost_the_time_says_so_with_its_first_entry() -> None:
    room = Pretend(EVENING - 86_400)
    clock = room.clock(EVENING)
    clock()
    assert room.told == [JUMPED]


def test_what_was_told_before_anybody_listened_is_told_then() -> None:
    room = Pretend(EVENING - 86_400)
    clock = Clock(EVENING, lambda: room.wall, lambda: room.steady)
    clock()
    clock.tells(room.told.append)
    assert room.told == [JUMPED]


def test_a_clock_being_set_right_by_seconds_is_no_news() -> None:
    room = Pretend(EVENING)
    clock = room.clock()
    room.wall += LEAP - 1
    clock()
    assert room.told == []
