"""A lamp at each seat: who is awaited, nobody when it is over or asleep, and faults are named."""

from __future__ import annotations

import errno
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import TABLE, Decision, Said, Seat, SeatId, say
from companion.table import Latest, Seen
from hw.box import PretendHardware
from hw.display.scene import SLEEP_AFTER
from hw.errors import PinsUnusable
from hw.pretend.pins import PretendFactory, PretendPin
from hw.signals.seats import BLINK, SeatLamps, awaited_seats
from tests.hw.evening import Evening
from tests.hw.room import Clock, moment
from tests.patience import PATIENCE

PINS = (12, 16, 20)
TROUBLE = say("trouble.seat-lamps")


def awaiting(*seats: int) -> Seen:
    return replace(moment(), decisions=(Decision("turn", tuple(SeatId(seat) for seat in seats)),))


class Broken(PretendPin):
    """A pin that can be torn off."""

    is_broken = False

    def _set_state(self, value: Any) -> None:
        if Broken.is_broken:
            raise OSError(errno.EIO, "Input/output error")
        super()._set_state(value)


class Told:
    """The troubles that were reported, and a way to wait for them."""

    def __init__(self) -> None:
        self.said: list[Said | None] = []
        self._changed = threading.Condition()

    def __call__(self, said: Said | None) -> None:
        with self._changed:
            self.said.append(said)
            self._changed.notify_all()

    def first(self, n: int) -> list[Said | None]:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.said) >= n, PATIENCE)
        return self.said


class Lamps:
    """Three lamps, looked at when they change."""

    def __init__(self) -> None:
        self.factory, self.clock, self.told = PretendFactory(Broken), Clock(), Told()
        self.latest: Latest[Seen] = Latest(awaiting())
        self.device = SeatLamps(self.latest, self.factory, PINS, self.told, clock=self.clock)
        self._changed = threading.Condition()
        self.device.watchers.add(self._looked)

    def _looked(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def lit(self) -> tuple[int, ...]:
        return tuple(seat for seat, pin in enumerate(PINS) if self.factory.pin(pin).state)

    def show(self, *seats: int) -> bool:
        """Whether exactly these are lit once the game waits for them."""
        with self._changed:
            self.latest.offer(awaiting(*seats))
            return self._changed.wait_for(lambda: self.lit() == seats, PATIENCE)


@pytest.fixture
def lamps(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lamps]:
    monkeypatch.setattr(Broken, "is_broken", False)
    made = Lamps()
    with made.device:
        yield made


def test_they_shine_at_whom_the_game_waits_for(lamps: Lamps) -> None:
    for seats in ((0,), (2,), (0, 1, 2), (1, 2), ()):
        assert lamps.show(*seats)
    assert lamps.told.said == []


def test_a_seat_without_a_lamp_is_waited_for_in_the_dark(lamps: Lamps) -> None:
    assert lamps.show(1)
    lamps.latest.offer(awaiting(1, 5))
    assert lamps.show(0)


def test_where_chance_is_awaited_it_is_whose_hands_draw_or_roll() -> None:
    drawing = Decision("draw", (TABLE,), facts=(("seat", Seat(SeatId(2))),))
    assert awaited_seats(replace(moment(), decisions=(drawing,))) == {2}
    assert awaited_seats(awaiting(TABLE)) == frozenset(), "anybody's"


def test_one_blinks_while_hands_have_to_do_something_for_its_seat(lamps: Lamps) -> None:
    with lamps._changed:
        lamps.latest.offer(replace(awaiting(0), served=SeatId(2)))
        assert lamps._changed.wait_for(lambda: lamps.lit() == (0, 2), PATIENCE)
    for lit in ((0,), (0, 2), (0,)):
        assert lamps.device._pause() == BLINK
        lamps.clock.now += BLINK
        lamps.device._turn(None)
        assert lamps.lit() == lit
    lamps.clock.now += SLEEP_AFTER
    lamps.device._turn(None)
    assert lamps.lit() == ()
    assert lamps.device._pause() is None
    assert lamps.show(0), "it is done"


def test_one_that_is_awaited_and_served_blinks_too(lamps: Lamps) -> None:
    with lamps._changed:
        lamps.latest.offer(replace(awaiting(1), served=SeatId(1)))
        assert lamps._changed.wait_for(lambda: lamps.lit() == (1,), PATIENCE)
    lamps.clock.now += BLINK
    lamps.device._turn(None)
    assert lamps.lit() == ()


def test_they_sleep_with_the_display(lamps: Lamps) -> None:
    assert lamps.show(1)
    pause = lamps.device._pause()
    assert pause == SLEEP_AFTER
    lamps.clock.now += SLEEP_AFTER
    lamps.device._turn(None)
    assert lamps.lit() == ()
    assert lamps.device._pause() is None, "nothing more happens by itself"
    assert lamps.show(1), "awake"


def test_they_are_dark_once_the_box_is_closed(lamps: Lamps) -> None:
    assert lamps.show(0, 1)
    lamps.device.close()
    assert lamps.lit() == ()


def test_a_fault_is_a_trouble_with_a_name_and_ends(lamps: Lamps, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lamps.show(0)
    monkeypatch.setattr(Broken, "is_broken", True)
    lamps.latest.offer(awaiting(1))
    assert lamps.told.first(1) == [TROUBLE]
    monkeypatch.setattr(Broken, "is_broken", False)
    assert lamps.show(2)
    assert lamps.told.first(2) == [TROUBLE, None]


def test_pins_that_cannot_be_used_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Broken, "is_broken", True)
    lamps = Lamps()
    with pytest.raises(PinsUnusable, match="seat lamps cannot be used on pin 12, 16, 20"):
        lamps.device.open()
    assert lamps.told.said == [TROUBLE]
    monkeypatch.setattr(Broken, "is_broken", False)
    lamps.device.open()
    lamps.device.close()
    assert lamps.told.said == [TROUBLE, None]


def test_without_pins_there_are_none() -> None:
    factory = PretendFactory()
    with SeatLamps(Latest(awaiting(0)), factory, (), lambda _: None) as device:
        assert device.now == ()
    assert not factory.pins


def test_they_follow_a_whole_game_on_the_pretend_box() -> None:
    seen = set[tuple[int, ...]]()
    with Evening("actionworks") as evening:
        changed = threading.Condition()

        def look() -> None:
            with changed:
                changed.notify_all()

        with PretendHardware(evening.table, lambda _: evening.speaker()) as box:
            box.watch(look)
            for _ in evening.play(12):
                awaited = tuple(sorted(awaited_seats(evening.table.moment.public)))
                with changed:
                    wanted = lambda who=awaited: lit_on(box) == who  # noqa: E731
                    assert changed.wait_for(wanted, PATIENCE)
                seen.add(awaited)
    assert len(seen) > 2


def lit_on(box: PretendHardware) -> tuple[int, ...]:
    return tuple(seat for seat, shines in enumerate(box.seat_lamps()) if shines)
