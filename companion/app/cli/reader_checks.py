"""What the doctor checks about readers: those of Picos, those that people own, and those of a mat."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from companion.app import opening
from companion.core import CompanionError, Name, ReaderId
from companion.journal import JOURNAL, Journal, JournalError, JournalLocked, is_there
from companion.library import TAGS, OwnReader, Settings, Tagbook, own_of, shelf
from companion.table import Found, absent, ailing, fine


def reader_box(is_real: bool) -> Found:
    from firmware_bridge.link import find_pico

    found = find_pico()
    if found is None:
        return ailing("readers-missing") if is_real else absent("readers-absent")
    return fine("readers", path=Name(found)) if is_ours(found) else ailing("readers-locked", path=Name(found))


def own_devices(chosen: Settings) -> list[tuple[ReaderId, OwnReader]]:
    """The readers that are not a Pico's."""
    found = ((reader, own_of(antenna)) for reader, antenna in chosen.readers.items())
    return [(reader, device) for reader, device in found if device is not None]


def own_reader(reader: ReaderId, device: OwnReader) -> Found:
    """A reader that its owner had already: whether the system knows it and lets us use it."""
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
    """Whether the Picos have every reader of the mat; during a game, the table itself names a silent one."""
    from firmware_bridge.link import find_picos
    from firmware_bridge.roll_call import announced

    if chosen.mat is None or not is_real or is_playing(data):
        return
    ports = find_picos()
    with suppress(CompanionError):  # an unreadable journal or tagbook is reported separately
        if ports:
            named = Tagbook.load(data / TAGS).reader
            yield roll_call(chosen.mat, _of_mat(chosen, data), {named(reader) for reader in announced(ports)})


def roll_call(mat: str, due: Collection[ReaderId], there: Collection[ReaderId]) -> Found:
    """Which of the expected readers are missing."""
    missing = sorted(set(due) - set(there))
    if not missing:
        return fine("mat", mat=Name(mat), n=len(due))
    return ailing("mat-lacks", mat=Name(mat), n=len(missing), readers=Name(", ".join(missing)))


def _of_mat(chosen: Settings, data: Path) -> tuple[ReaderId, ...]:
    """The mat's readers in the game played last, with as many seats; before the first game, all that any game has."""
    if is_there(data / JOURNAL):
        with Journal.open(data / JOURNAL) as journal:
            last = [row for row in journal.games() if row.game in shelf.games()][-1:]
        for row in last:
            return tuple(opening.wired(chosen)(shelf.open(row.game), len(row.names)))
    return tuple(chosen.antennas(opening.all_wands(chosen)))


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


def is_ours(path: Path | str) -> bool:
    """Whether this user may use a device."""
    return os.access(path, os.R_OK | os.W_OK)
