"""The firmware as flashed, in each body, on a real pty in front of the real link."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator

import pytest
import serial

from companion.core import Lifted, ReaderBack, ReaderId, ReaderLost, Tapped, Uid
from firmware_bridge import wire
from firmware_bridge.cable import BANNER, TRACEBACK, BadLine, Rates
from firmware_bridge.firmware import PICO, Body, FirmwarePico, NoMicroPython, bodies, command, config_text
from firmware_bridge.greeting import Down, LinkState, Up
from firmware_bridge.link import Link
from firmware_bridge.presence import Lying, Sensed
from tests.patience import PATIENCE

LEFT, RIGHT = ReaderId("left"), ReaderId("right")
COIL, PLANT, GEAR = Uid("04A2B3C4D5E680"), Uid("04C0FFEE"), Uid("08112233445566778899")
ROUGH = Rates(drop=0.1, flip=0.1, twice=0.2, swap=0.1, rubbish=0.1)


class Bench:
    def __init__(self, pico: FirmwarePico) -> None:
        self.pico = pico
        self.inputs: list[Sensed] = []
        self.states: list[LinkState] = []
        self.changed = threading.Condition()
        self.link = Link(lambda: pico.port, self._put, self._on_state)

    def _put(self, given: Sensed) -> None:
        with self.changed:
            self.inputs.append(given)
            self.changed.notify_all()

    def _on_state(self, state: LinkState) -> None:
        with self.changed:
            self.states.append(state)
            self.changed.notify_all()

    def wait_for(self, holds: Callable[[], bool]) -> None:
        with self.changed:
            assert self.changed.wait_for(holds, PATIENCE), (self.inputs, self.states)

    def wait_for_level(self, lying: tuple[Lying, ...]) -> None:
        """A level puts nothing into the inbox, so look again and again."""
        deadline = time.monotonic() + PATIENCE
        while self.link.presence.lying != lying or not self.link.health:
            assert time.monotonic() < deadline, self.link.presence
            with self.changed:
                self.changed.wait(0.01)


@pytest.fixture(params=bodies())
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    body: Body = request.param
    pico = FirmwarePico(body=body)
    pico.lay(COIL, LEFT)
    with pico:
        bench = Bench(pico)
        bench.link.start()
        bench.wait_for_level((Lying(LEFT, COIL),))
        yield bench
        bench.link.close()


@pytest.mark.parametrize("body", bodies())
def test_a_pretend_pico_has_the_readers_that_it_was_given(body: Body) -> None:
    with FirmwarePico(((ReaderId("far"), "pn532"),), body=body) as pico:
        bench = Bench(pico)
        bench.link.start()
        bench.wait_for(lambda: bool(bench.states) and isinstance(bench.states[-1], Up))
        up = bench.states[-1]
        bench.link.close()
    assert isinstance(up, Up)
    assert up.readers == (ReaderId("far"),)


def test_ada_lays_and_lifts_on_both_kinds_of_reader(bench: Bench) -> None:
    bench.pico.lay(PLANT, LEFT)
    bench.wait_for(lambda: bench.inputs == [Tapped(PLANT, LEFT)])
    bench.pico.lay(GEAR, RIGHT)
    bench.wait_for(lambda: bench.inputs[1:] == [Tapped(GEAR, RIGHT)])
    bench.pico.lift(PLANT)
    bench.wait_for(lambda: bench.inputs[2:] == [Lifted(PLANT, LEFT)])
    assert bench.link.presence.lying == (Lying(LEFT, COIL), Lying(RIGHT, GEAR))


def test_unplugged_and_replugged_it_tells_levels_and_plays_nothing(bench: Bench) -> None:
    bench.pico.unplug()
    bench.wait_for(lambda: bench.inputs == [ReaderLost(LEFT), ReaderLost(RIGHT)])
    bench.pico.lay(PLANT, RIGHT)
    bench.pico.start()
    bench.wait_for(lambda: len(bench.inputs) == 4)
    assert bench.inputs[2:] == [ReaderBack(LEFT), ReaderBack(RIGHT)]
    bench.wait_for_level((Lying(LEFT, COIL), Lying(RIGHT, PLANT)))
    assert [type(state) for state in bench.states] == [Up, Down, Up]


def test_a_reader_without_supply_is_lost_and_back_and_removes_nothing(bench: Bench) -> None:
    bench.pico.do("brown-out left")
    bench.pico.reader_lost(LEFT, True)
    bench.wait_for(lambda: bench.inputs == [ReaderLost(LEFT)])
    bench.pico.reader_lost(LEFT, False)
    bench.wait_for(lambda: bench.inputs == [ReaderLost(LEFT), ReaderBack(LEFT)])
    assert bench.link.presence.lying == (Lying(LEFT, COIL),)


def test_noise_last_words_and_a_dead_tag_play_nothing(bench: Bench) -> None:
    bench.pico.cable.is_noisy = True
    bench.pico.cable.write(BANNER + TRACEBACK)
    bench.pico.do("dead right 04DEAD00")
    for uid in (PLANT, GEAR):
        bench.pico.lay(uid, RIGHT)
        bench.wait_for(lambda uid=uid: Tapped(uid, RIGHT) in bench.inputs)  # type: ignore[misc]
    assert [each for each in bench.inputs if isinstance(each, Tapped)] == [Tapped(PLANT, RIGHT), Tapped(GEAR, RIGHT)]


def test_a_line_that_drops_flips_doubles_and_reorders_tells_each_card_once(bench: Bench) -> None:
    bench.pico.cable.bad_out, bench.pico.cable.bad_in = BadLine(1, ROUGH), BadLine(2, ROUGH)
    laid = [Uid(f"04BEEF{n:02X}") for n in range(8)]
    for uid in laid:
        bench.pico.lay(uid, LEFT)
        bench.wait_for(lambda uid=uid: Tapped(uid, LEFT) in bench.inputs)  # type: ignore[misc]
    assert [each.uid for each in bench.inputs if isinstance(each, Tapped)] == laid


def test_a_line_that_stalls_loses_nothing(bench: Bench) -> None:
    bench.pico.cable.is_stalled = True
    bench.pico.lay(PLANT, LEFT)
    with bench.changed:
        assert not bench.changed.wait_for(lambda: bench.inputs != [], 0.3)
    bench.pico.cable.is_stalled = False
    bench.wait_for(lambda: bench.inputs == [Tapped(PLANT, LEFT)])


def test_a_neighbour_that_reads_along_plays_nothing(bench: Bench) -> None:
    bench.pico.do(f"lay right {COIL}")
    bench.wait_for_level((Lying(LEFT, COIL), Lying(RIGHT, COIL)))
    bench.pico.do(f"lift right {COIL}")
    bench.wait_for_level((Lying(LEFT, COIL),))
    assert bench.inputs == []


@pytest.mark.parametrize("body", bodies())
@pytest.mark.parametrize("wish", wire.WISHES)
def test_a_wish_with_the_right_boot_word_ends_the_program(body: Body, wish: str) -> None:
    with FirmwarePico(body=body) as pico, serial.Serial(pico.port, timeout=0.1) as port:
        decoder, hello = wire.Decoder(), list[str]()
        while not hello:
            hello = next((words for words in decoder.feed(port.read(4096)) if words[0] == "HELLO"), [])
        port.write(wire.encode(wish, "0BADB007") + wire.encode(wish, hello[4]))
        assert pico.wait_ended(PATIENCE) == 0
        assert pico.is_staying == (wish == "STOP")


def test_without_micropython_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.firmware.micropython", lambda: None)
    assert bodies() == ("cpython",)
    with pytest.raises(NoMicroPython, match="use the body 'cpython'"):
        command("micropython", PICO / "main.py", (), dict(os.environ))


def test_a_config_for_any_readers_can_be_read() -> None:
    told: dict[str, object] = {}
    exec(config_text(((LEFT, "mfrc522"), (RIGHT, "pn532")), ((LEFT, RIGHT),)), told)
    assert told["READERS"] == [("left", "mfrc522", {"cs": 100}), ("right", "pn532", {"i2c": 1})]
    assert told["NEIGHBOURS"] == [["left", "right"]]
