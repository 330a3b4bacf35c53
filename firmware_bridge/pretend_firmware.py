"""The firmware itself as the Pico of the pretend table: driven like `PretendPico`, and as slow as the real one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from companion.core import ReaderId, Uid, reader_said
from companion.table import Fault, PretendReader

from . import wire
from .cable import PretendCable
from .firmware import Body, FirmwarePico
from .pretend import READERS, NoSuchReader, ReaderFull, UnreadableUid

CHIP: Final = "mfrc522"
BOARD: Final = "pretend firmware"
GARBLED, SILENT = 200, 100
"""Out of a thousand polls of a flickering antenna."""


class PretendFirmware:
    """Runs from `start` to `close`; every method may be called from any thread.

    `do` takes every misbehaviour that chips/room.py knows, on top of the faults of the pretend table.
    """

    def __init__(self, readers: tuple[ReaderId, ...] = READERS, *, body: Body = "cpython", seed: int = 1) -> None:
        self._names = readers
        self._pico = FirmwarePico(tuple((reader, CHIP) for reader in readers), body=body, seed=seed)
        self._lock = threading.RLock()
        self._lying: dict[Uid, ReaderId] = {}
        self._faults: set[Fault] = set()
        self._watchers: list[Callable[[], None]] = []

    def start(self) -> None:
        self._pico.start()

    def close(self) -> None:
        self._pico.close()

    def ports(self) -> dict[str, str]:
        """As `find_picos` would report it."""
        port = self._pico.port
        return {} if port is None else {BOARD: port}

    def readers(self) -> tuple[PretendReader, ...]:
        """What really lies where, reported or not."""
        with self._lock:
            lying = dict(self._lying)
        return tuple(
            PretendReader(name, reader_said(name), tuple(uid for uid, on in lying.items() if on == name))
            for name in self._names
        )

    def lay(self, uid: Uid, reader: ReaderId) -> None:
        """Put a tag on a reader; if it lies elsewhere, it is lifted there first."""
        if reader not in self._names:
            raise NoSuchReader(f"no reader {reader!r} on this pretend Pico; it has {', '.join(self._names)}")
        if not wire.is_uid(uid):
            raise UnreadableUid(f"{uid!r} is not a UID; give 8, 14 or 20 upper-case hex digits, such as 04A2B3C4D5E680")
        with self._lock:
            if sum(on == reader for on in self._lying.values()) >= wire.MAX_TAGS:
                raise ReaderFull(f"{reader!r} already holds {wire.MAX_TAGS} tags; lift some before laying {uid}")
            self._pico.lift(uid)
            self._lying[uid] = reader
            self._pico.lay(uid, reader)
        self._tell()

    def lift(self, uid: Uid) -> None:
        """Take a tag off whatever reader it is on; harmless if it is on none."""
        with self._lock:
            self._lying.pop(uid, None)
            self._pico.lift(uid)
        self._tell()

    def reader_lost(self, reader: ReaderId, on: bool) -> None:
        """Make one antenna fail, or work again."""
        self._pico.reader_lost(reader, on)

    @property
    def cable(self) -> PretendCable:
        return self._pico.cable

    def do(self, line: str) -> None:
        """Anything else that hands and fate can do to chips and tags; listed in chips/room.py."""
        self._pico.do(line)

    def set_fault(self, fault: Fault, on: bool) -> None:
        """`cable`, `noise` or `flicker`; `display` is ignored, because the Pico has none."""
        if fault == "display":
            return
        with self._lock:
            if on == (fault in self._faults):
                return
            (self._faults.add if on else self._faults.discard)(fault)
            match fault:
                case "cable":
                    self._plug(not on)
                case "noise":
                    self._pico.cable.is_noisy = on
                case "flicker":
                    self._flicker(on)
        self._tell()

    def faults(self) -> tuple[Fault, ...]:
        """The faults that are switched on."""
        with self._lock:
            return tuple(sorted(self._faults))

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        """Call `fn`, from any thread, whenever tags or faults change; the result ends that."""
        with self._lock:
            self._watchers.append(fn)

        def end() -> None:
            with self._lock:
                if fn in self._watchers:
                    self._watchers.remove(fn)

        return end

    def _plug(self, on: bool) -> None:
        """Without a cable there is no power; the firmware starts afresh, with antennas as bad as before."""
        if not on:
            self._pico.unplug()
            return
        self._pico.start()
        if "flicker" in self._faults:
            self._flicker(True)

    def _flicker(self, on: bool) -> None:
        for reader in self._names:
            self._pico.do(f"garble {reader} {GARBLED if on else 0}")
            self._pico.do(f"silence {reader} {SILENT if on else 0}")

    def _tell(self) -> None:
        with self._lock:
            watchers = tuple(self._watchers)
        for fn in watchers:
            fn()
