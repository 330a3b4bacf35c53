"""A reader that types: grabbed, understood in hex and in digits, lost and back.

Through uinput if the kernel has it, and everywhere through its own stream of events.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from companion.core import Found, Lifted, ReaderBack, ReaderId, ReaderLost, Tapped, Uid
from firmware_bridge.senses import Senses
from firmware_bridge.solo import NoReader
from firmware_bridge.wedge import PAUSE, Typing, WedgeReader, open_keyboard, uid_typed
from tests.firmware_bridge.pretend_keyboard import PretendKeyboard
from tests.firmware_bridge.told import Table
from tests.patience import PATIENCE

evdev = pytest.importorskip("evdev", reason="needs evdev: pip install evdev (or apt-get install python3-evdev)")

HAND = ReaderId("hand")
COIL, GEAR = "04A2B3C4D5E680", "04C0FFEE"


class Desk:
    """A table with one wedge, which is plugged in again and again."""

    def __init__(self) -> None:
        self.table = Table()
        self.plugged: list[PretendKeyboard] = []
        self.is_there = threading.Event()
        self.reader = WedgeReader("RFID", HAND, self.table.senses, opens=self._open, wait=lambda e, s: e.wait(s / 50))

    def _open(self, _name: str) -> PretendKeyboard:
        if not self.is_there.is_set():
            raise NoReader("not plugged in")
        self.plugged.append(PretendKeyboard())
        return self.plugged[-1]


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    desk.is_there.set()
    desk.reader.start()
    desk.table.waits_for(Found(HAND, ()))
    yield desk
    desk.reader.close()


def test_what_it_types_is_a_tap_and_it_is_grabbed(desk: Desk) -> None:
    (wedge,) = desk.plugged
    assert wedge.is_grabbed, "what it types must not reach a console"
    for uid in (COIL, GEAR, COIL, COIL):
        wedge.types(uid + "\n")
        desk.table.waits_for(Tapped(Uid(uid), HAND), Lifted(Uid(uid), HAND))
    assert desk.reader.is_alive(PATIENCE)


def test_pulled_it_is_lost_and_plugged_in_it_is_back(desk: Desk) -> None:
    desk.is_there.clear()
    desk.plugged[0].types("04A2")
    desk.plugged[0].pull()
    desk.table.waits_for(ReaderLost(HAND))
    desk.is_there.set()
    desk.table.waits_for(ReaderBack(HAND), Found(HAND, ()))
    desk.plugged[1].types(GEAR + "\n")
    desk.table.waits_for(Tapped(Uid(GEAR), HAND), Lifted(Uid(GEAR), HAND))


@pytest.mark.parametrize(
    ("text", "uid"),
    [
        (COIL, COIL),
        ("04C0FFEE", "04C0FFEE"),
        ("0079757294", "04C0FFEE"),
        ("01304792892040832", "04A2B3C4D5E680"),
        ("04C0FFE", None),
        ("04C0FFEEAA", None),
        ("4294967296", None),
        ("04C0FFEG", None),
        ("", None),
        ("9" * 40, None),
    ],
)
def test_numbers_in_hex_and_in_digits(text: str, uid: str | None) -> None:
    assert uid_typed(text) == uid


def test_some_type_the_last_byte_first() -> None:
    assert uid_typed("EEFFC004", reverse=True) == "04C0FFEE"
    assert uid_typed("4009738244", reverse=True) == "04C0FFEE"


def keys(typing: Typing, text: str, at: float, each: float = 0.0) -> list[Uid | None]:
    told = []
    for n, letter in enumerate(text):
        name = {"\n": "KEY_ENTER", " ": "KEY_SPACE"}.get(letter, f"KEY_{letter}")
        when = at + n * each
        event = evdev.InputEvent(int(when), int(when % 1 * 1e6), 1, getattr(evdev.ecodes, name), 1)
        told.append(typing.take(event))
    return told


def test_half_a_number_does_not_become_part_of_the_next() -> None:
    typing = Typing()
    keys(typing, "04C0", 10.0)
    assert keys(typing, GEAR + "\n", 10.5 + PAUSE)[-1] == GEAR


def test_other_keys_spoil_only_the_number_they_stand_in() -> None:
    typing = Typing()
    assert keys(typing, "04C0 FFEE\n", 10.0)[-1] is None
    assert keys(typing, "Z" * 500 + "\n", 10.0)[-1] is None
    assert keys(typing, GEAR + "\n", 10.1)[-1] == GEAR


def test_a_name_that_nothing_has_is_told_with_what_to_do() -> None:
    with pytest.raises(NoReader, match="/proc/bus/input/devices"):
        open_keyboard("a wedge that nobody owns")
    with pytest.raises(OSError, match="/dev/input/nothing"):
        open_keyboard("/dev/input/nothing")


@pytest.mark.skipif(not os.access("/dev/uinput", os.W_OK), reason="this kernel has no uinput, or not for us")
def test_through_the_kernel_nothing_of_it_is_typed_anywhere_else() -> None:
    table, name = Table(), "table companion test wedge"
    with evdev.UInput(name=name) as wedge:
        other = next(d for d in map(evdev.InputDevice, evdev.list_devices()) if d.name == name)
        reader = WedgeReader(name, HAND, Senses(table._put, tells_levels=True))
        reader.start()
        table.waits_for(Found(HAND, ()))
        for letter in (*GEAR, "ENTER"):
            code = getattr(evdev.ecodes, f"KEY_{letter}")
            for value in (1, 0):
                wedge.write(evdev.ecodes.EV_KEY, code, value)
                wedge.syn()
        table.waits_for(Tapped(Uid(GEAR), HAND), Lifted(Uid(GEAR), HAND))
        assert other.read_one() is None, "grabbed: no one else hears it"
        reader.close()
