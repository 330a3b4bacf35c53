"""A device that says more than anybody can listen to: it waits for the table, and the table waits for nobody."""

from __future__ import annotations

import itertools
import os
import threading
import tty
from collections.abc import Callable, Iterator

import pytest

from companion.core import ReaderId, ReaderLost, Tapped, Uid, say
from firmware_bridge import flood, wire
from firmware_bridge.flood import BURST, HEMMED_IN, PER_SECOND, WAITS, Flooding, Measure
from firmware_bridge.greeting import Down, LinkState, Up
from firmware_bridge.link import Link
from firmware_bridge.presence import Arrived, Connected, Lost, Presence, Sensed, observe
from firmware_bridge.senses import Senses
from tests.patience import PATIENCE

LEFT = ReaderId("left")
NONCE = "5EED0001"
CHUNK = b"x" * 4096


class Line:
    """A device that says what it is told to say, and the link that listens to it."""

    def __init__(self, has_room: Callable[[float], bool] = lambda _seconds: True) -> None:
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self.master, False)
        self.inputs: list[Sensed] = []
        self.states: list[LinkState] = []
        self.changed = threading.Condition()
        senses = Senses(self._note, has_room=has_room)
        self.link = Link(
            lambda: os.ttyname(self._slave),
            self._note,
            self._state,
            senses=senses,
            wait=lambda closing, seconds: closing.wait(seconds / 50),
            new_receiver=lambda: wire.Receiver(lambda: NONCE),
        )

    def _note(self, given: Sensed) -> None:
        with self.changed:
            self.inputs.append(given)
            self.changed.notify_all()

    def _state(self, state: LinkState) -> None:
        with self.changed:
            self.states.append(state)
            self.changed.notify_all()

    def wait_for(self, holds: Callable[[], bool]) -> None:
        with self.changed:
            assert self.changed.wait_for(holds, PATIENCE), (self.inputs[-3:], self.states)

    def say(self, words: bytes) -> None:
        """All of it, as fast as it is taken."""
        os.set_blocking(self.master, True)
        while words:
            words = words[os.write(self.master, words) :]

    def offer(self, words: bytes) -> None:
        """As much as there is room for."""
        os.set_blocking(self.master, False)
        try:
            os.write(self.master, words)
        except BlockingIOError:
            return

    def greet(self) -> None:
        self.link.start()
        while not self.states:
            self.offer(wire.encode("HELLO", str(wire.VERSION), "f", "b", "0001", "left"))
            with self.changed:
                self.changed.wait(0.05)

    def close(self) -> None:
        self.link.close()
        os.close(self.master)
        os.close(self._slave)


@pytest.fixture
def line() -> Iterator[Line]:
    line = Line()
    yield line
    line.close()


def arrivals(count: int) -> bytes:
    """This many tags, each laid and lifted."""
    numbers = itertools.count(1)
    return b"".join(
        wire.encode(verb, NONCE, str(next(numbers)), f"04F100{n:06X}", "left")
        for n in range(count)
        for verb in ("ARRIVE", "LEAVE")
    )


def test_a_table_that_is_busy_is_told_one_thing_and_no_more_until_it_has_room() -> None:
    room = threading.Event()
    room.set()
    line = Line(room.wait)
    line.greet()
    room.clear()
    line.say(arrivals(20))
    line.wait_for(lambda: line.inputs != [])
    assert line.inputs == [Tapped(Uid("04F100000000"), LEFT)]
    room.set()
    line.wait_for(lambda: len(line.inputs) == 40)
    assert [each.uid for each in line.inputs if isinstance(each, Tapped)] == [Uid(f"04F100{n:06X}") for n in range(20)]
    line.close()


def test_a_link_that_waits_for_the_table_can_be_closed_and_is_not_said_to_hang() -> None:
    room = threading.Event()
    room.set()
    line = Line(room.wait)
    line.greet()
    room.clear()
    line.say(arrivals(2))
    line.wait_for(lambda: len(line.inputs) == 1)
    assert line.link.is_alive(PATIENCE)
    line.close()
    assert not line.link.is_alive(PATIENCE)


def test_rubbish_without_end_is_a_sentence_and_the_device_is_heard_again_when_it_is_calm(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_bridge.link.QUARANTINE", 0.2)
    line.greet()
    while line.states[-1] != Down(say("trouble.flood")):
        line.offer(CHUNK)
    line.wait_for(lambda: line.inputs != [])
    assert line.inputs == [ReaderLost(LEFT)]
    while not isinstance(line.states[-1], Up):
        line.offer(b"\n" + wire.encode("HELLO", str(wire.VERSION), "f", "b", "0001", "left"))
        with line.changed:
            line.changed.wait(0.05)
    assert [type(state) for state in line.states] == [Up, Down, Up]


def test_arrivals_without_end_that_a_table_cannot_take_are_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flood, "HEMMED_IN", 0.05)
    monkeypatch.setattr(flood, "WAITS", 10)
    rooms = itertools.count()
    line = Line(lambda seconds: next(rooms) % 3 == 2 and not threading.Event().wait(seconds / 10))
    line.greet()
    line.say(arrivals(20))
    line.wait_for(lambda: line.states[-1] == Down(say("trouble.flood")))
    taps = [each.uid for each in line.inputs if isinstance(each, Tapped)]
    assert taps == [Uid(f"04F100{n:06X}") for n in range(len(taps))], "what was taken was told once and in order"
    line.close()


class Now:
    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


def test_a_device_may_tell_ten_times_what_a_full_table_tells_and_no_more() -> None:
    now = Now()
    measure = Measure(now)
    full = 16 * (wire.MAX_TAGS * 21 + 40)
    for _ in range(3600):
        measure.took(b"x" * full)
        now.at += 1.0
    measure.took(b"x" * BURST)
    now.at += 1.0
    with pytest.raises(Flooding):
        measure.took(b"x" * (PER_SECOND + 1))


def test_a_disk_that_hangs_under_a_table_that_is_swept_clean_is_not_the_device_s_fault() -> None:
    measure = Measure(Now())
    for _ in range(100):
        measure.waited(10 * HEMMED_IN)


def test_waiting_is_forgotten_at_each_pause_of_the_device() -> None:
    measure = Measure(Now())
    for _ in range(10):
        for _ in range(WAITS):
            measure.waited(HEMMED_IN)
        measure.took(b"")
    for _ in range(WAITS):
        measure.waited(HEMMED_IN)
    with pytest.raises(Flooding):
        measure.waited(HEMMED_IN)


def test_no_antenna_has_more_tags_than_it_can_tell_apart() -> None:
    presence = Presence((LEFT,))
    told = 0
    for n in range(1000):
        presence, sensed = observe(presence, Arrived(Uid(f"04F100{n:06X}"), LEFT))
        told += len(sensed)
    assert (len(presence.lying), told) == (wire.MAX_TAGS, wire.MAX_TAGS)


def test_a_reader_that_no_device_has_any_more_is_forgotten_with_what_lay_there() -> None:
    presence = Presence()
    for report in (Connected((LEFT,)), Arrived(Uid("04C0FFEE"), LEFT), Lost(LEFT)):
        presence, _ = observe(presence, report)
    presence, sensed = observe(presence, Connected((ReaderId("far"),), gone=(LEFT,)))
    assert presence == Presence((ReaderId("far"),), unheard=(ReaderId("far"),))
    assert [type(each).__name__ for each in sensed] == ["ReaderBack"], "nobody is told of it as lost for ever"
