"""Several reader boxes at one table, through real links to pretend Picos."""

from __future__ import annotations

import os
import threading
import tty
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

from companion.core import Lifted, ReaderBack, ReaderId, ReaderLost, Said, Tapped, Uid, Word, reader_called, say
from firmware_bridge.greeting import Down, LinkState, Up
from firmware_bridge.link import Counter, find_pico, find_picos, read_health
from firmware_bridge.links import Links
from firmware_bridge.presence import Sensed
from firmware_bridge.pretend import PretendPico
from firmware_bridge.senses import Senses
from tests.patience import PATIENCE

LEFT, RIGHT, FAR = ReaderId("left"), ReaderId("right"), ReaderId("far")
COIL = Uid("04A2B3C4D5E680")
T = TypeVar("T")


class Table:
    """What a table with several boxes hears."""

    def __init__(self, **picos: PretendPico) -> None:
        self.picos = picos
        self.strangers: dict[str, str] = {}
        self.inputs: list[Sensed] = []
        self.states: list[LinkState] = []
        self.questions: list[Said | None] = []
        self.changed = threading.Condition()
        self.now = 0.0
        self.senses = Senses(self._into(self.inputs), self._into(self.questions), clock=lambda: self.now)
        self.links = Links(self.ports, self.senses, self._into(self.states), wait=lambda e, s: e.wait(s / 50))

    def _into(self, listed: list[T]) -> Callable[[T], None]:
        def put(given: T) -> None:
            with self.changed:
                listed.append(given)
                self.changed.notify_all()

        return put

    def ports(self) -> dict[str, str]:
        found = {board: pico.port for board, pico in self.picos.items()}
        return self.strangers | {board: port for board, port in found.items() if port is not None}

    def readers(self) -> set[ReaderId]:
        """The readers in the newest state; none while it is a trouble."""
        state = self.states[-1] if self.states else None
        return set(state.readers) if isinstance(state, Up) else set()

    def wait_for(self, holds: Callable[[], bool]) -> None:
        with self.changed:
            assert self.changed.wait_for(holds, PATIENCE), (self.inputs, self.states, self.questions)

    def start(self) -> None:
        for pico in self.picos.values():
            pico.start()
        self.links.start()

    def close(self) -> None:
        self.links.close()
        for pico in self.picos.values():
            pico.close()


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table(one=PretendPico((LEFT, RIGHT)), two=PretendPico((FAR,), seed=5))
    table.start()
    table.wait_for(lambda: table.readers() == {LEFT, RIGHT, FAR})
    assert all(pico.wait_heard() for pico in table.picos.values())
    yield table
    table.close()


def test_one_box_goes_and_comes_back_while_the_other_plays_on(table: Table) -> None:
    table.picos["two"].pull_cable(True)
    table.wait_for(lambda: table.states[-1] == Down(say("trouble.cable")))
    table.picos["one"].lay(COIL, LEFT)
    table.wait_for(lambda: table.inputs == [ReaderLost(FAR), Tapped(COIL, LEFT)])
    table.picos["two"].pull_cable(False)
    table.wait_for(lambda: table.readers() == {LEFT, RIGHT, FAR})
    table.wait_for(lambda: table.inputs[2:] == [ReaderBack(FAR)])


def test_a_card_moved_from_box_to_box_is_played_once_the_first_lets_go(table: Table) -> None:
    table.picos["one"].lay(COIL, LEFT)
    assert table.picos["one"].wait_heard()
    table.picos["two"].lay(COIL, FAR)
    assert table.picos["two"].wait_heard()
    table.picos["one"].lift(COIL)
    table.wait_for(lambda: table.inputs == [Tapped(COIL, LEFT), Lifted(COIL, LEFT), Tapped(COIL, FAR)])
    assert table.questions == []


def test_the_same_number_on_two_boxes_is_asked_once_and_settled_by_lifting(table: Table) -> None:
    table.picos["one"].lay(COIL, LEFT)
    table.wait_for(lambda: table.inputs == [Tapped(COIL, LEFT)])
    table.picos["two"].lay(COIL, FAR)
    assert table.picos["two"].wait_heard()
    table.now = 5.0
    asked = say("trouble.two-readers", one=Word("reader.left"), other=reader_called(FAR))
    table.wait_for(lambda: table.questions == [asked])
    table.picos["two"].lift(COIL)
    table.wait_for(lambda: table.questions == [asked, None])
    assert table.inputs == [Tapped(COIL, LEFT)]


def test_two_boxes_with_the_same_names_are_a_sentence() -> None:
    table = Table(one=PretendPico((LEFT, RIGHT)), two=PretendPico((LEFT,), seed=5))
    table.start()
    table.wait_for(lambda: table.states[-1:] == [Down(say("trouble.same-readers", reader=Word("reader.left")))])
    table.close()


def test_another_thing_with_the_same_usb_number_is_no_trouble() -> None:
    """A port that never says HELLO; its link gives up on it again and again, and nobody hears of it."""
    master, slave = os.openpty()
    tty.setraw(slave)
    table = Table(one=PretendPico((LEFT, RIGHT)))
    table.strangers = {"probe": os.ttyname(slave), "gone": "/dev/none"}
    table.start()
    table.wait_for(lambda: table.readers() == {LEFT, RIGHT})
    table.close()
    os.close(master)
    os.close(slave)
    assert isinstance(table.states[-1], Up)


def test_no_box_at_all_is_told_once() -> None:
    table = Table()
    table.start()
    table.wait_for(lambda: table.states == [Down(say("trouble.cable"))])
    table.close()
    assert table.links.state == Down(say("trouble.cable"))


class Port:
    def __init__(self, device: str, vid: int | None, serial_number: str | None, location: str | None = None) -> None:
        self.device, self.vid, self.serial_number, self.location = device, vid, serial_number, location


def test_boxes_are_found_by_their_usb_number_and_known_by_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    ports = [Port("/dev/ttyS0", None, None), Port("/dev/ttyACM1", 0x2E8A, "E66"), Port("/dev/ttyACM0", 0x2E8A, None)]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)
    assert find_picos() == {"E66": "/dev/ttyACM1", "/dev/ttyACM0": "/dev/ttyACM0"}
    assert find_pico() == "/dev/ttyACM1"


def test_two_boxes_with_the_same_number_are_both_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number is a flash chip's, and cheap ones share it."""
    ports = [Port("/dev/ttyACM1", 0x2E8A, "E66", "1-1.3"), Port("/dev/ttyACM0", 0x2E8A, "E66", "1-1.2")]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)
    assert find_picos() == {"E66": "/dev/ttyACM0", "E66@1-1.3": "/dev/ttyACM1"}


def test_counters_are_read_and_nonsense_is_passed_over() -> None:
    assert read_health("up=12,polls=3,=4,x,bad=-1,again=0") == (
        Counter("up", 12),
        Counter("polls", 3),
        Counter("again", 0),
    )
