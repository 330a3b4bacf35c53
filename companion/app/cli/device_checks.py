"""Checking what is around the program: fonts, reader box, display, pins, and the port of the dashboard."""

from __future__ import annotations

import os
import shutil
import socket
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from companion.app.first_light import is_pretend, is_raspberry_pi
from companion.app.serving import own_address
from companion.app.wear import Wear, wear
from companion.core import CheckPage, Name, say
from companion.library import SETTINGS, Settings
from companion.phones.photo.darkroom import can_read
from companion.table import Checkup, Found, absent, ailing, fine, wrong

from .doctor import chosen_in
from .reader_checks import is_ours, is_playing, mat_readers, own_devices, own_reader, reader_box

PINS: Final = Path("/dev/gpiochip0")
SOUND_CARDS: Final = Path("/proc/asound")
OLDEST_TIME: Final = 1_735_689_600
"""The start of 2025: a clock showing less was never set."""


def devices(data: Path) -> Iterator[Found]:
    chosen = chosen_in(data)
    yield letters()
    yield photos()
    is_real = not is_pretend(None, chosen)
    devices = own_devices(chosen)
    if chosen.mat or len(devices) < len(chosen.readers):
        yield reader_box(is_real)
    for reader, device in devices:
        yield own_reader(reader, device)
    yield from mat_readers(chosen, data, is_real)
    yield display(Path(f"/dev/i2c-{chosen.oled.port}"), is_real)
    yield pins(PINS, is_real)
    yield from buttons(chosen)
    yield seat_lamps(chosen)
    yield voice(chosen)
    yield from card(wear(data))
    yield clock(time.time())
    yield network(own_address())
    yield port(chosen.port, is_playing(data))


def letters() -> Found:
    from hw.display import spleen

    return absent("letters-absent") if spleen() is None else fine("letters")


def photos() -> Found:
    return fine("photos") if can_read() else absent("photos-absent")


def display(path: Path, is_real: bool) -> Found:
    where = Name(str(path))
    if not path.exists():
        return ailing("display-missing", path=where) if is_real else absent("display-absent")
    return fine("display", path=where) if is_ours(path) else ailing("display-locked", path=where)


def pins(path: Path, is_real: bool) -> Found:
    where = Name(str(path))
    if not path.exists():
        if not is_real:
            return absent("pins-absent")
        return wrong("pins-missing" if is_raspberry_pi() else "pins-nowhere", path=where)
    if is_real and not is_ours(path):
        return wrong("pins-locked", path=where)
    if is_real and find_spec("lgpio") is None:
        return wrong("pins-lgpio")
    return fine("pins", path=where)


def buttons(chosen: Settings) -> Iterator[Found]:
    """Which button stands in for which missing one."""
    from hw.keys import keys_of, undone

    for key in keys_of(chosen.buttons, chosen.dial):
        if key.also is not None:
            yield fine("button-held", button=Name(key.also.upper()), heir=Name(key.name.upper()))
    for button in undone(chosen.buttons, chosen.dial):
        yield ailing("button-lost", button=Name(button.upper()), path=Name(SETTINGS))


def seat_lamps(chosen: Settings) -> Found:
    """How many seats have a lamp; only eyes can tell whether it works."""
    many = len(chosen.lamps.pins)
    return fine("seat-lamps", n=many) if many else absent("seat-lamps-absent", path=Name(SETTINGS))


def voice(chosen: Settings, cards: Path = SOUND_CARDS) -> Found:
    """Whether the voice could be heard: its two programs, and a sound card."""
    if not chosen.voice.on:
        return absent("voice-off", path=Name(SETTINGS))
    for program in ("espeak-ng", "aplay"):
        if shutil.which(program) is None:
            return ailing("voice-program", program=Name(program))
    found = [*cards.glob("card*")]
    return fine("voice", path=Name(str(found[0]))) if found else ailing("voice-speaker")


def card(worn: Wear | None) -> Iterator[Found]:
    """How much was written since the machine started: that is what wears cards out."""
    if worn is None:
        return
    if worn.own is None:
        yield fine("wear", mb=_mb(worn.written), n=worn.syncs)
    else:
        yield fine("wear-own", mb=_mb(worn.written), n=worn.syncs, own=_mb(worn.own))


def _mb(size: int) -> Name:
    return Name(f"{size / 1e6:.1f}")


def clock(now: float) -> Found:
    """A Pi has no clock of its own; it dates games, nothing else depends on it."""
    return ailing("clock-wrong") if now < OLDEST_TIME else fine("clock")


def network(address: str) -> Found:
    return absent("network-absent") if address.startswith("127.") else fine("network", address=Name(address))


def port(number: int, playing: bool) -> Found:
    at = Name(str(number))
    try:
        socket.create_server(("0.0.0.0", number)).close()  # noqa: S104 - as the dashboard does
    except OSError as error:
        if playing:
            return fine("port-ours", port=at)
        return wrong("port-taken", port=at, why=Name(os.strerror(error.errno or 0)), path=Name(SETTINGS))
    return fine("port-other" if playing else "port", port=at)


def show(found: Checkup, data: Path) -> None:
    """Show the result on the box's display, the worst first; nothing happens if there is none, or it is in use."""
    chosen = chosen_in(data)
    if is_pretend(None, chosen) or is_playing(data):
        return
    from hw.starting import show_once

    bad = sorted((each for each in found if each.state == "wrong"), key=lambda each: not each.stops)
    said = bad[0].said if bad else say("doctor.all-fine")
    show_once(chosen.oled, CheckPage(said, 1, len(bad) or 1, is_problem=bool(bad)), chosen.language)
