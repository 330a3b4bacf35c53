"""The contract of every device file: opens and closes twice, survives a fault at any call, reports it once."""

from __future__ import annotations

import gc
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import hw
from companion.library import Speaker
from companion.table import Latest
from hw import box
from hw.display.oled import Oled
from hw.display.panel import Display
from hw.keys.buttons import Buttons
from hw.keys.dial import Dial
from hw.signals.buzzer import Buzzer
from hw.signals.lamp import Lamp
from hw.signals.seats import SeatLamps
from hw.voice.voice import Voice
from tests.hw.evening import Evening
from tests.hw.faults import CHOSEN, DEVICES, Faults, FaultyFactory, FaultyMouth, FaultyPanel, box_with, played
from tests.hw.room import Inbox, Log, moment, turn_of

GAME, ACTS = "actionworks", 24

Made = Callable[[str, Faults], Any]


@pytest.fixture
def make(english: Speaker, inbox: Inbox) -> Made:
    def made(device: str, faults: Faults) -> Any:
        factory = FaultyFactory(faults, device)
        latest = Latest(moment(signal="turn"))
        match device:
            case "display":
                return Oled(FaultyPanel(faults).open, latest, lambda _: english)
            case "buttons":
                return Buttons(inbox.put, factory, CHOSEN.buttons, CHOSEN.dial)
            case "dial":
                return Dial(inbox.put, factory, CHOSEN.dial)
            case "lamp":
                return Lamp(latest, factory, CHOSEN.lamp, CHOSEN.night)
            case "seat lamps":
                return SeatLamps(latest, factory, CHOSEN.lamps.pins, lambda _: None)
            case "voice":
                return Voice(latest, lambda _: english, FaultyMouth(faults), lambda _: None)
            case _:
                return Buzzer(latest, factory, CHOSEN.buzzer, CHOSEN.night)

    return made


@pytest.fixture(autouse=True)
def quiet_ends(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """gpiozero closes forgotten devices on garbage collection; a fault even then harms nobody."""
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    yield
    gc.collect()


@pytest.fixture(scope="module")
def without_faults() -> tuple[int, str, int]:
    return played(GAME, "display", Faults(), ACTS)


def test_every_device_file_is_held_to_the_contract() -> None:
    """A file with a class that opens and closes a device is one of those below."""
    folder = Path(hw.__file__).parent
    files = {
        path.stem
        for path in folder.rglob("*.py")
        if "(Follower)" in path.read_text() or "def open(self) -> None" in path.read_text()
    }
    assert files - {"follower", "box"} == {"oled", "buttons", "dial", "lamp", "seats", "buzzer", "voice"}
    assert len(DEVICES) == 7


@pytest.mark.parametrize("device", DEVICES)
def test_it_opens_and_closes_twice_and_leaves_no_thread(device: str, make: Made) -> None:
    made = make(device, Faults())
    made.close()
    again = make(device, Faults())
    for act in (again.open, again.open, again.close, again.close):
        act()
    with make(device, Faults()):
        pass
    assert not any(thread.name in (device, "oled") for thread in threading.enumerate())


@pytest.mark.parametrize("device", DEVICES)
def test_a_fault_at_any_call_of_opening_and_closing_is_survived(device: str, make: Made, heard: Log) -> None:
    whole = Faults()
    with make(device, whole):
        pass
    for at in range(1, whole.calls + 1):
        made = make(device, Faults(at))
        box._open(made)
        made.close()
    assert [line for line in heard.lines if "cannot be used" in line] == [], "the second try succeeds"


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("at", [1, 3, 7, 20, 33])
def test_a_fault_during_a_game_changes_nothing(device: str, at: int, without_faults: tuple[int, str, int]) -> None:
    """tests/campaigns/box_faults.py tries every single call."""
    assert played(GAME, device, Faults(at), ACTS) == without_faults


ENOUGH = 45


@pytest.mark.parametrize("device", ["display", "lamp", "seat lamps", "buzzer"])
def test_a_device_that_never_works_again_is_named_once(device: str, heard: Log) -> None:
    heard.setLevel(logging.WARNING)
    faults = Faults(30, for_ever=True)
    with Evening(GAME) as evening, box_with(evening, device, faults):
        for _ in evening.play():
            if faults.calls > ENOUGH:
                break
    faults.at = None  # what gpiozero closes late is closed without faults
    lost = [line for line in heard.lines if "did not close well" not in line]
    assert len(lost) == 1, heard.lines


def test_a_device_that_hangs_holds_up_nobody(english: Speaker) -> None:
    """The display's wire never answers: meanwhile the table takes a hundred acts, and closing doesn't wait for it."""
    let_go = threading.Event()

    def hangs() -> Display:
        let_go.wait()
        raise OSError("let go")

    with Evening(GAME) as evening:
        oled = Oled(hangs, evening.table.shown(), lambda _: english)
        oled.open()
        for _ in evening.play(40):
            pass
        oled.close(timeout=0.05)
        assert not let_go.is_set(), "it still hangs, and nobody waited for it"
    let_go.set()


class Careless(Oled):
    """Broken on purpose: lets a fault of the wire through."""

    def _turn(self, told: Any) -> None:
        super()._turn(told)
        display = self._panel._opens()
        display.contrast(1)


def test_a_device_that_lets_faults_through_is_caught(english: Speaker, heard: Log) -> None:
    faults, latest = Faults(1, for_ever=True), Latest(moment(turn_of("Ada")))
    with Careless(FaultyPanel(faults).open, latest, lambda _: english):
        latest.offer(moment(turn_of("Ben")))
        assert heard.line("could not follow")
