"""Real frames over a real pty through a real link: what pretend hands do is what the inbox gets."""

from __future__ import annotations

import itertools
import logging
import os
import random
import threading
import tty
from collections.abc import Callable, Iterator

import pytest

from companion.core import Lifted, ReaderBack, ReaderId, ReaderLost, Tapped, Uid, say
from firmware_bridge import wire
from firmware_bridge.greeting import Down, LinkState, Up
from firmware_bridge.link import LONGEST_WAIT, SHORTEST_WAIT, Link
from firmware_bridge.presence import Lying, Sensed
from firmware_bridge.pretend import PretendPico
from tests.patience import PATIENCE

LEFT, RIGHT = ReaderId("left"), ReaderId("right")
COIL, PLANT = Uid("04A2B3C4D5E680"), Uid("04C0FFEE")


def soon(closing: threading.Event, seconds: float) -> bool:
    """Back-off for impatient tests."""
    return closing.wait(seconds / 50)


class Forgetful(wire.Receiver):
    """A broken build: no duplicate filter."""

    def _take(self, words: list[str]) -> list[list[str]]:
        self._next = max(self._next, wire.number(words[2]) + 1)
        return [[words[0], *words[3:]]]


class Bench:
    """A pretend Pico, a link, and everything that came out of it."""

    def __init__(self, pico: PretendPico, new_receiver: Callable[[], wire.Receiver] | None = None) -> None:
        numbers = itertools.count(1)
        self.pico = pico
        self.inputs: list[Sensed] = []
        self.states: list[LinkState] = []
        self.changed = threading.Condition()
        self.link = Link(
            lambda: pico.port,
            self.put,
            self.on_state,
            wait=soon,
            new_receiver=new_receiver or (lambda: wire.Receiver(lambda: f"{next(numbers):08X}")),
        )

    def put(self, given: Sensed) -> None:
        with self.changed:
            self.inputs.append(given)
            self.changed.notify_all()

    def on_state(self, state: LinkState) -> None:
        with self.changed:
            self.states.append(state)
            self.changed.notify_all()

    def wait_for(self, holds: Callable[[], bool]) -> bool:
        with self.changed:
            return self.changed.wait_for(holds, PATIENCE)

    def lies(self) -> set[Lying]:
        return {Lying(reader.id, uid) for reader in self.pico.readers() for uid in reader.lying}

    def taps(self) -> list[Uid]:
        return [each.uid for each in self.inputs if isinstance(each, Tapped)]


@pytest.fixture
def pico() -> Iterator[PretendPico]:
    pico = PretendPico()
    pico.start()
    yield pico
    pico.close()


@pytest.fixture
def bench(pico: PretendPico) -> Iterator[Bench]:
    bench = Bench(pico)
    pico.lay(COIL, LEFT)
    bench.link.start()
    assert pico.wait_heard()
    yield bench
    bench.link.close()


def test_ada_lays_plant_and_lifts_it_while_coil_lay_there_all_along(bench: Bench) -> None:
    bench.pico.lay(PLANT, RIGHT)
    bench.pico.lift(PLANT)
    assert bench.pico.wait_heard()
    assert bench.inputs == [Tapped(PLANT, RIGHT), Lifted(PLANT, RIGHT)]
    assert bench.link.presence.lying == (Lying(LEFT, COIL),)
    assert bench.states == [Up("pretend", "pretend", (LEFT, RIGHT))]


def test_the_cable_goes_and_comes_back_with_one_word_each(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    bench.pico.pull_cable(True)
    assert bench.wait_for(lambda: bench.inputs == [ReaderLost(LEFT), ReaderLost(RIGHT)])
    assert bench.link.presence.lying == (Lying(LEFT, COIL),)
    bench.pico.lift(COIL)
    bench.pico.lay(PLANT, RIGHT)
    bench.pico.pull_cable(False)
    assert bench.pico.wait_heard()
    assert bench.inputs[2:] == [ReaderBack(LEFT), Lifted(COIL, LEFT), ReaderBack(RIGHT)]
    assert bench.link.presence.lying == (Lying(RIGHT, PLANT),)
    assert bench.states[1:] == [Down(say("trouble.cable")), bench.states[0]]
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


def test_one_lost_reader_removes_nothing_and_what_changed_there_is_no_play(bench: Bench) -> None:
    bench.pico.reader_lost(LEFT, True)
    bench.pico.lay(PLANT, LEFT)
    bench.pico.lift(COIL)
    bench.pico.reader_lost(LEFT, False)
    assert bench.pico.wait_heard()
    assert bench.inputs == [ReaderLost(LEFT), ReaderBack(LEFT), Lifted(COIL, LEFT)]
    assert bench.link.presence.lying == (Lying(LEFT, PLANT),)


def lay_and_lift(pico: PretendPico, count: int) -> list[Uid]:
    """Lay and lift a few tags again and again, so that a duplicated message shows as a play that never happened."""
    uids = [Uid(f"04BEEF{n % 5:02X}") for n in range(count)]
    for uid in uids:
        pico.lay(uid, RIGHT)
        pico.lift(uid)
    return uids


def test_taps_arrive_once_and_in_order_through_noise(bench: Bench) -> None:
    bench.pico.noise(True)
    made = []
    for _ in range(10):
        made += lay_and_lift(bench.pico, 20)
        assert bench.pico.wait_heard(PATIENCE)
    assert bench.taps() == made
    assert set(bench.link.presence.lying) == bench.lies()


def test_control_a_link_without_the_duplicate_filter_is_caught(pico: PretendPico) -> None:
    bench = Bench(pico, lambda: Forgetful(lambda: "5EED0001"))
    bench.link.start()
    assert pico.wait_heard()
    pico.noise(True)
    made = []
    for _ in range(10):
        made += lay_and_lift(pico, 20)
        pico.wait_heard(PATIENCE)
    bench.link.close()
    assert bench.taps() != made


@pytest.mark.parametrize("seed", range(6))
def test_a_cable_torn_anywhere_leaves_the_truth_and_no_play_that_was_not_made(bench: Bench, seed: int) -> None:
    rng = random.Random(seed)
    numbers = itertools.count()
    for _ in range(5):
        before = len(bench.taps())
        bench.pico.pull_cable(True, after=rng.randint(1, 400))
        torn = [Uid(f"04FACE{next(numbers):02X}") for _ in range(8)]
        for uid in torn:
            bench.pico.lay(uid, rng.choice((LEFT, RIGHT)))
        bench.pico.pull_cable(True)
        bench.pico.lift(rng.choice(torn))
        bench.pico.lay(Uid(f"04DEAD{next(numbers):02X}"), LEFT)
        assert bench.wait_for(lambda: isinstance(bench.link.state, Down))
        heard = bench.taps()[before:]
        assert heard == torn[: len(heard)]
        bench.pico.pull_cable(False)
        assert bench.pico.wait_heard(PATIENCE)
        assert bench.taps()[before:] == heard, "a level was played"
        assert set(bench.link.presence.lying) == bench.lies()
        bench.pico.lay(Uid(f"04ADDA{next(numbers):02X}"), RIGHT)
        assert bench.pico.wait_heard(PATIENCE)
        assert len(bench.taps()) == before + len(heard) + 1


def test_a_device_of_another_version_is_a_sentence_and_no_reader() -> None:
    pico = PretendPico(version=7)
    pico.start()
    bench = Bench(pico)
    bench.link.start()
    assert bench.wait_for(lambda: bench.states != [])
    bench.link.close()
    pico.close()
    assert bench.states == [Down(say("trouble.wire-version", theirs=7, ours=wire.VERSION))]
    assert bench.inputs == []


def test_without_a_device_the_pauses_double_up_to_the_longest() -> None:
    pauses: list[float] = []
    enough = threading.Event()

    def wait(closing: threading.Event, seconds: float) -> bool:
        pauses.append(seconds)
        if len(pauses) < 7:
            return False
        enough.set()
        return closing.wait(PATIENCE)

    states: list[LinkState] = []
    link = Link(lambda: None, lambda _: None, states.append, wait=wait)
    link.start()
    assert enough.wait(PATIENCE)
    link.close()
    assert pauses == [SHORTEST_WAIT, 0.2, 0.4, 0.8, LONGEST_WAIT, LONGEST_WAIT, LONGEST_WAIT]
    assert states == [Down(say("trouble.cable"))]


def test_a_port_that_stays_open_and_says_nothing_is_lost(pico: PretendPico) -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    clock = itertools.count(0, 3)
    bench = Bench(pico)
    bench.link = Link(lambda: os.ttyname(slave), bench.put, bench.on_state, clock=lambda: float(next(clock)), wait=soon)
    bench.link.start()
    assert bench.wait_for(lambda: bench.states == [Down(say("trouble.cable"))])
    bench.link.close()
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize("is_plugged", [True, False])
def test_closing_ends_the_thread_and_waits_for_nothing(bench: Bench, is_plugged: bool) -> None:
    if not is_plugged:
        bench.pico.pull_cable(True)
        assert bench.wait_for(lambda: isinstance(bench.link.state, Down))
    bench.link.close()
    assert not bench.link.is_alive(PATIENCE)


def test_rubbish_on_the_line_puts_nothing_into_the_inbox(pico: PretendPico) -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    bench = Bench(pico)
    bench.link = Link(lambda: os.ttyname(slave), bench.put, bench.on_state, wait=soon)
    bench.link.start()
    while not bench.states:
        os.write(master, wire.encode("HELLO", "1", "f", "first", "0001", "left"))
        with bench.changed:
            bench.changed.wait(0.05)
    # The line keeps the order of bytes: by the time we hear of the second board, all the rubbish has been read.
    os.write(master, b"MicroPython v1.24 on Pico\r\n>>> " + random.Random(1).randbytes(3000) + b"\n")
    os.write(master, wire.encode("HELLO", "1", "f", "second", "0002", "left"))
    assert bench.wait_for(lambda: bench.states == [Up("first", "f", (LEFT,)), Up("second", "f", (LEFT,))])
    bench.link.close()
    os.close(master)
    os.close(slave)
    assert bench.inputs == []
