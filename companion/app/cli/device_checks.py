"""Looking at what is around the program: letters, reader box, display, pins, and the port of the dashboard."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from companion.app import opening
from companion.app.first_light import is_pretend, is_raspberry_pi
from companion.app.serving import own_address
from companion.core import CheckPage, CompanionError, Name, ReaderId, say
from companion.journal import JOURNAL, Journal, JournalError, JournalLocked, is_there
from companion.library import SETTINGS, TAGS, OwnReader, Settings, Tagbook, own_of, shelf
from companion.phones.photo.darkroom import can_read
from companion.table import Checkup, Found, absent, ailing, fine, wrong

from .doctor import chosen_in

PINS: Final = Path("/dev/gpiochip0")
OLDEST_TIME: Final = 1_735_689_600
"""The beginning of 2025: a clock that shows less was never set."""


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
    yield clock(time.time())
    yield network(own_address())
    yield port(chosen.port, is_playing(data))


def letters() -> Found:
    from hw.display.faces import spleen

    return absent("letters-absent") if spleen() is None else fine("letters")


def photos() -> Found:
    return fine("photos") if can_read() else absent("photos-absent")


def reader_box(is_real: bool) -> Found:
    from firmware_bridge.link import find_pico

    found = find_pico()
    if found is None:
        return ailing("readers-missing") if is_real else absent("readers-absent")
    return fine("readers", path=Name(found)) if _is_ours(found) else ailing("readers-locked", path=Name(found))


def own_devices(chosen: Settings) -> list[tuple[ReaderId, OwnReader]]:
    """The readers that are no Pico's."""
    found = ((reader, own_of(antenna)) for reader, antenna in chosen.readers.items())
    return [(reader, device) for reader, device in found if device is not None]


def own_reader(reader: ReaderId, device: OwnReader) -> Found:
    """A reader that its owner had already: whether the system knows it, and lets us use it."""
    from firmware_bridge.solo import NoPcscd, NotInstalled

    facts, is_pcsc = {"reader": Name(reader), "device": Name(device.name)}, device.kind == "pcsc"
    try:
        is_there = _is_there(device)
    except NotInstalled:
        return ailing("own-pcsc-library" if is_pcsc else "own-wedge-library", **facts)
    except NoPcscd:
        return ailing("own-pcsc-service", **facts)
    except PermissionError:
        return ailing("own-reader-locked", **facts)
    except OSError:
        is_there = False
    return fine("own-reader", **facts) if is_there else ailing("own-reader-missing", **facts)


def _is_there(device: OwnReader) -> bool:
    from firmware_bridge import pcsc, wedge

    if device.kind == "pcsc":
        return pcsc.found(device.name, pcsc.reader_names()) is not None
    wedge.open_keyboard(device.name).close()
    return True


def mat_readers(chosen: Settings, data: Path, is_real: bool) -> Iterator[Found]:
    """Whether the Picos have every reader of the mat; while somebody plays, the table itself names a silent one."""
    from firmware_bridge.link import find_picos
    from firmware_bridge.roll_call import announced

    if chosen.mat is None or not is_real or is_playing(data):
        return
    ports = find_picos()
    with suppress(CompanionError):  # a journal or a tagbook that cannot be read is named by itself
        if ports:
            named = Tagbook.load(data / TAGS).reader
            yield roll_call(chosen.mat, _of_mat(chosen, data), {named(reader) for reader in announced(ports)})


def roll_call(mat: str, due: Collection[ReaderId], there: Collection[ReaderId]) -> Found:
    """What is missing of the readers that are due."""
    missing = sorted(set(due) - set(there))
    if not missing:
        return fine("mat", mat=Name(mat), n=len(due))
    return ailing("mat-lacks", mat=Name(mat), n=len(missing), readers=Name(", ".join(missing)))


def _of_mat(chosen: Settings, data: Path) -> tuple[ReaderId, ...]:
    """The readers that the game played last has, with as many seats; before the first game, all that any game has."""
    if is_there(data / JOURNAL):
        with Journal.open(data / JOURNAL) as journal:
            last = [row for row in journal.games() if row.game in shelf.games()][-1:]
        for row in last:
            return tuple(opening.wired(chosen)(shelf.open(row.game), len(row.names)))
    return tuple(chosen.antennas(opening.all_wands(chosen)))


def display(path: Path, is_real: bool) -> Found:
    where = Name(str(path))
    if not path.exists():
        return ailing("display-missing", path=where) if is_real else absent("display-absent")
    return fine("display", path=where) if _is_ours(path) else ailing("display-locked", path=where)


def pins(path: Path, is_real: bool) -> Found:
    where = Name(str(path))
    if not path.exists():
        if not is_real:
            return absent("pins-absent")
        return wrong("pins-missing" if is_raspberry_pi() else "pins-nowhere", path=where)
    if is_real and not _is_ours(path):
        return wrong("pins-locked", path=where)
    if is_real and find_spec("lgpio") is None:
        return wrong("pins-lgpio")
    return fine("pins", path=where)


def buttons(chosen: Settings) -> Iterator[Found]:
    """Which button has which job, where one is not there."""
    from hw.keys.jobs import keys_of, undone

    for key in keys_of(chosen.buttons, chosen.dial):
        if key.also is not None:
            yield fine("button-held", button=Name(key.also.upper()), heir=Name(key.name.upper()))
    for button in undone(chosen.buttons, chosen.dial):
        yield ailing("button-lost", button=Name(button.upper()), path=Name(SETTINGS))


def seat_lamps(chosen: Settings) -> Found:
    """How many seats have a lamp; whether one shines, only eyes can tell."""
    many = len(chosen.lamps.pins)
    return fine("seat-lamps", n=many) if many else absent("seat-lamps-absent", path=Name(SETTINGS))


def clock(now: float) -> Found:
    """A Pi has no clock of its own; games are dated by it, nothing else depends on it."""
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
    """The result on the display of the box, the worst first; silent where there is none, or a companion uses it."""
    chosen = chosen_in(data)
    if is_pretend(None, chosen) or is_playing(data):
        return
    from hw.starting import show_once

    bad = sorted((each for each in found if each.state == "wrong"), key=lambda each: not each.stops)
    said = bad[0].said if bad else say("doctor.all-fine")
    show_once(chosen.oled, CheckPage(said, 1, len(bad) or 1, is_problem=bool(bad)), chosen.language)


def is_playing(data: Path) -> bool:
    """Whether a companion has this data folder's journal open."""
    if not is_there(data / JOURNAL):
        return False
    try:
        Journal.open(data / JOURNAL).close()
    except JournalLocked:
        return True
    except JournalError:
        return False
    return False


def _is_ours(path: Path | str) -> bool:
    """Whether this user may use a device."""
    return os.access(path, os.R_OK | os.W_OK)
