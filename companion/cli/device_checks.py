"""Looking at what is around the program: letters, reader box, display, pins, and the port of the dashboard."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from companion import settings
from companion.core.errors import CompanionError
from companion.core.facts import say
from companion.first_light import is_pretend, is_raspberry_pi
from companion.journal import JOURNAL, Journal, JournalError, JournalLocked
from companion.main import own_address
from companion.pages import CheckPage
from companion.settings import Settings

from .doctor import Line, absent, ailing, fine, wrong

PINS: Final = Path("/dev/gpiochip0")
OLDEST_TIME: Final = 1_735_689_600
"""The beginning of 2025: a clock that shows less was never set."""


def devices(data: Path) -> Iterator[Line]:
    try:
        chosen = settings.load(data)
    except CompanionError:
        chosen = Settings()  # what is wrong with them is told elsewhere
    yield letters()
    is_real = not is_pretend(None, chosen)
    yield reader_box(is_real)
    yield display(Path(f"/dev/i2c-{chosen.oled.port}"), is_real)
    yield pins(PINS, is_real)
    yield from buttons(chosen)
    yield clock(time.time())
    yield network(own_address())
    yield port(chosen.port, is_playing(data))


def letters() -> Line:
    from hw.faces import spleen

    if spleen() is None:
        cure = "sudo apt-get install fonts-spleen. Until then the display uses other letters, which are harder to read."
        return absent("The letters of the display, fonts-spleen", cure)
    return fine("Letters of the display, fonts-spleen")


def reader_box(is_real: bool) -> Line:
    from firmware_bridge.link import find_pico

    found = find_pico()
    if found is None:
        cure = "Plug in its USB cable, one that carries data. Phones can play without it."
        return ailing("The reader box is not found.", cure) if is_real else absent("Reader box")
    if not os.access(found, os.R_OK | os.W_OK):
        return ailing(f"The reader box at {found} may not be used by this user.", _group("dialout"))
    return fine(f"Reader box at {found}")


def display(path: Path, is_real: bool) -> Line:
    if not path.exists():
        cure = "Turn I2C on (sudo raspi-config, Interface Options) and restart. Phones can play without the display."
        return ailing(f"There is no I2C at {path} for the display.", cure) if is_real else absent("Display (I2C)")
    if not os.access(path, os.R_OK | os.W_OK):
        return ailing(f"The display at {path} may not be used by this user.", _group("i2c"))
    return fine(f"I2C for the display at {path}")


def pins(path: Path, is_real: bool) -> Line:
    if not is_real:
        return absent("Pins for buttons, lamp and buzzer") if not path.exists() else fine(f"Pins at {path}")
    if not path.exists():
        model = "" if is_raspberry_pi() else " This is no Raspberry Pi: play on the pretend table."
        return wrong(f"There are no pins at {path} for buttons, lamp and buzzer.", f"companion run --pretend.{model}")
    if not os.access(path, os.R_OK | os.W_OK):
        return wrong(f"The pins at {path} may not be used by this user.", _group("gpio"))
    if find_spec("lgpio") is None:
        return wrong("The package lgpio is missing, which moves the pins.", "sudo apt-get install python3-lgpio")
    return fine(f"Pins for buttons, lamp and buzzer at {path}")


def buttons(chosen: Settings) -> Iterator[Line]:
    """Which button has which job, where one is not there."""
    from hw.jobs import keys_of, undone

    for key in keys_of(chosen.buttons, chosen.dial):
        if key.also is not None:
            missing, heir = key.also.upper(), key.name.upper()
            yield fine(f"{missing} has no pin: hold {heir} for two seconds instead, four seconds for its hold")
    for button in undone(chosen.buttons, chosen.dial):
        cure = f"Give it a pin below [buttons] in {settings.FILE}. Phones can do what it does."
        yield ailing(f"{button.upper()} has no pin, and no other button is left to do its job.", cure)


def clock(now: float) -> Line:
    """A Pi has no clock of its own; games are dated by it, nothing else depends on it."""
    if now < OLDEST_TIME:
        return ailing(
            "The clock is wrong: it shows a time before this program was written.", "Connect it to a network once."
        )
    return fine("Clock")


def network(address: str) -> Line:
    if address.startswith("127."):
        cure = "Join a Wi-Fi, or open the box's own. Buttons and cards can play without it."
        return absent("An address on the local network, for phones", cure)
    return fine(f"Address for phones: {address}")


def show(lines: Iterable[Line], data: Path) -> None:
    """The result on the display of the box; silent where there is none, or where a companion uses it."""
    try:
        chosen = settings.load(data)
    except CompanionError:
        chosen = Settings()
    if is_pretend(None, chosen) or is_playing(data):
        return
    from hw.starting import show_once

    bad = [line for line in lines if line.state == "wrong"]
    said = say("doctor.wrong", n=len(bad)) if bad else say("doctor.fine")
    show_once(chosen.oled, CheckPage(said, 1, 1, is_problem=bool(bad)), chosen.language)


def is_playing(data: Path) -> bool:
    """Whether a companion has this data folder's journal open."""
    if not (data / JOURNAL).exists():
        return False
    try:
        Journal.open(data / JOURNAL).close()
    except JournalLocked:
        return True
    except JournalError:
        return False
    return False


def port(number: int, playing: bool) -> Line:
    try:
        socket.create_server(("0.0.0.0", number)).close()  # noqa: S104 - as the dashboard does
    except OSError as error:
        if playing:
            return fine(f"Port {number}: a companion is playing there now")
        cure = f"Stop the program that uses it, or choose another with --port or port = ... in {settings.FILE}."
        return wrong(f"The dashboard cannot have port {number} ({os.strerror(error.errno or 0)}).", cure)
    return fine(f"Port {number} is free{'; a companion plays on another' if playing else ''}")


def _group(name: str) -> str:
    return f"sudo usermod -aG {name} $USER, then log in again."
