"""Picos' readers and solo readers at one table, as the settings name them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from companion.app import readers
from companion.app.cli import enrol
from companion.core import ReaderId, Said, Tapped, Uid
from companion.library import Tagbook, settings
from firmware_bridge import link, wedge
from firmware_bridge.pretend import PretendPico
from tests.firmware_bridge.pretend_keyboard import PretendKeyboard
from tests.patience import PATIENCE

pytest.importorskip("evdev", reason="needs evdev: pip install evdev (or apt-get install python3-evdev)")
COIL, GEAR = Uid("04A2B3C4D5E680"), Uid("04C0FFEE")
LEFT, HAND = ReaderId("left"), ReaderId("hand")
WEDGE = '[readers.hand]\nkind = "wand"\nwedge = "RFID"\n'
PICO = '[readers.left]\nkind = "wand"\n'


class Told:
    """As much of a table as readers talk to."""

    has_mat = False

    def __init__(self) -> None:
        self.inputs: list[Any] = []
        self.troubles: dict[str, Said | None] = {}
        self.changed = threading.Condition()

    def put(self, given: Any) -> None:
        with self.changed:
            self.inputs.append(given)
            self.changed.notify_all()

    def trouble(self, source: str, said: Said | None) -> None:
        self.troubles[source] = said

    def question(self, said: Said | None) -> None:
        raise AssertionError(f"nobody asks {said}")

    def linked(self, *_: Any) -> None:
        raise AssertionError("nobody writes links")

    def has_room(self, _seconds: float) -> bool:
        return True

    def waits_for(self, given: Any) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: given in self.inputs, PATIENCE), self.inputs


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[PretendKeyboard]:
    keyboard = PretendKeyboard()
    monkeypatch.setattr(wedge, "open_keyboard", lambda _name: keyboard)
    yield keyboard
    keyboard.pull()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], tuple[Told, readers.Readers]]]:
    with ExitStack() as stack:

        def open_with(text: str) -> tuple[Told, readers.Readers]:
            (tmp_path / settings.SETTINGS).write_text(text)
            told: Any = Told()
            _, all_readers = readers.read(stack, settings.load_settings(tmp_path), told, Tagbook(), None)
            return told, all_readers

        yield open_with


def test_a_pico_and_a_wedge_tell_the_same_table(
    opened: Callable[[str], tuple[Told, readers.Readers]], typed: PretendKeyboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    pico = PretendPico((LEFT,))
    pico.start()
    monkeypatch.setattr(link, "find_picos", pico.ports)
    told, all_readers = opened(PICO + WEDGE)
    assert pico.wait_heard(PATIENCE)
    pico.lay(COIL, LEFT)
    told.waits_for(Tapped(COIL, LEFT))
    typed.types(f"{GEAR}\n")
    told.waits_for(Tapped(GEAR, HAND))
    assert all_readers.is_alive(PATIENCE)
    pico.close()


def test_where_no_reader_is_a_picos_nobody_misses_one(
    opened: Callable[[str], tuple[Told, readers.Readers]], typed: PretendKeyboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_one_looks() -> dict[str, str]:
        raise AssertionError("a Pico was looked for")

    monkeypatch.setattr(link, "find_picos", no_one_looks)
    told, all_readers = opened(WEDGE)
    typed.types(f"{GEAR}\n")
    told.waits_for(Tapped(GEAR, HAND))
    assert (told.troubles, all_readers.is_alive(PATIENCE)) == ({}, True)


def test_tags_are_given_from_the_command_line_with_a_reader_of_ones_own(
    typed: PretendKeyboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / settings.SETTINGS).write_text(WEDGE)
    monkeypatch.setattr(enrol, "_typed_lines", lambda: iter(threading.Event().wait, True))
    speaker: Any = None
    with enrol._happenings(speaker, settings.load_settings(tmp_path)) as happenings:
        typed.types(f"{GEAR}\n")
        assert next(happenings) == Tapped(GEAR, HAND)
