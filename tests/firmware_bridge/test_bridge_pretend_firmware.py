"""The pretend table's Pico is the firmware itself, with a whole companion in front of it, and some bad luck."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.app.main import Options, Running, companion
from companion.core import ReaderId, TroublePage, Uid
from companion.table import Snapshot
from firmware_bridge import wire
from firmware_bridge.firmware import Body, bodies
from firmware_bridge.pretend import NoSuchReader, ReaderFull, UnreadableUid
from firmware_bridge.pretend_firmware import PretendFirmware
from tests.patience import PATIENCE, hear_out_slow_devices, laid

LEFT, RIGHT = ReaderId("left"), ReaderId("right")
STRANGE, OTHER = Uid("04A5A5A5A5A5A5"), Uid("04C0FFEE")


class Eye:
    """Waits for what the table publishes."""

    def __init__(self, running: Running) -> None:
        self._changed = threading.Condition()
        self._now = running.table.snapshot
        running.table.subscribe(self._look)

    def _look(self, snapshot: Snapshot) -> None:
        with self._changed:
            self._now = snapshot
            self._changed.notify_all()

    def sees(self, test: Callable[[Snapshot], bool]) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: test(self._now), PATIENCE)


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    hear_out_slow_devices(monkeypatch)
    options = Options(tmp_path, "actionworks", ("Ada", "Ben"), port=0, pretend=True, pico="firmware")
    with companion(options, tell=lambda _line: None) as running:
        yield running


def test_a_companion_plays_on_the_firmware_through_faults(running: Running) -> None:
    box, eye = running.pretend, Eye(running)
    assert box is not None
    begun = running.table.snapshot.seq
    laid(running.table, box, STRANGE, LEFT, lambda now: now.stranger == STRANGE)
    box.set_fault("cable", True)
    assert box.faults() == ("cable",)
    assert eye.sees(lambda now: any(said.key == "trouble.cable" for said in now.troubles))
    assert isinstance(running.table.snapshot.flash, TroublePage)
    box.set_fault("cable", False)
    assert eye.sees(lambda now: not now.troubles)
    box.set_fault("flicker", True)
    box.set_fault("noise", True)
    box.lay(OTHER, RIGHT)
    assert eye.sees(lambda now: now.stranger == OTHER)
    assert [reader.lying for reader in box.readers()] == [(STRANGE,), (OTHER,)]
    assert running.table.snapshot.seq == begun, "nothing was played"


def test_what_cannot_be_laid_is_named_and_watchers_are_told() -> None:
    pico, told = PretendFirmware(), list[int]()
    end = pico.watch(lambda: told.append(1))
    with pytest.raises(NoSuchReader, match="middle"):
        pico.lay(STRANGE, ReaderId("middle"))
    with pytest.raises(UnreadableUid, match="upper-case"):
        pico.lay(Uid("coil"), LEFT)
    assert told == []
    pico.lay(STRANGE, LEFT)
    for n in range(wire.MAX_TAGS - 1):
        pico.lay(Uid(f"04BEEF{n:02X}"), LEFT)
    with pytest.raises(ReaderFull, match="lift some"):
        pico.lay(OTHER, LEFT)
    end()
    many = len(told)
    pico.lift(STRANGE)
    pico.set_fault("display", True)
    assert (len(told), pico.faults()) == (many, ())
    pico.close()


HOST = """
from firmware_bridge.firmware import FirmwarePico
pico = FirmwarePico(body={body!r})
pico.start()
print(pico._program.pid, flush=True)
input()
"""


@pytest.mark.parametrize("body", bodies())
def test_a_firmware_whose_host_was_killed_ends_with_it(body: Body) -> None:
    """It holds the host's error stream open as long as it lives."""
    host = subprocess.Popen(
        [sys.executable, "-c", HOST.format(body=body)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert host.stdout is not None
    firmware = int(host.stdout.readline())
    host.kill()
    try:
        host.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.kill(firmware, signal.SIGKILL)
        host.communicate()
        raise
