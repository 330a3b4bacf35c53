"""A pretend Pico: real frames over a real pty, and it misbehaves on command."""

from __future__ import annotations

import contextlib
import os
import random
import select
import threading
import time
from collections.abc import Callable
from typing import Final

from companion.core import CompanionError, ReaderId, Uid, reader_said
from companion.table import Fault, PretendReader

from . import wire
from .cable import PretendCable

READERS: Final = (ReaderId("left"), ReaderId("right"))
FIRMWARE: Final = "pretend"
POLL_EVERY: Final = 0.02
SILENT_POLLS: Final = 10
"""After this many polls in a row without any answer a tag has left; a garbled answer is an answer."""


class NoSuchReader(CompanionError, LookupError):
    """This pretend Pico has no such reader."""


class UnreadableUid(CompanionError, ValueError):
    """No tag can have this UID."""


class ReaderFull(CompanionError, ValueError):
    """More tags on one antenna than it can tell apart."""


class PretendPico:
    """Lives on a pty from `start` to `close`; every method may be called from any thread.

    `port` is what a real Pico's port would be: None while the cable is out, and a different one once it is back.
    `silent_polls` and `version` make a firmware that is wrong on purpose.
    """

    def __init__(
        self,
        readers: tuple[ReaderId, ...] = READERS,
        *,
        seed: int = 1,
        silent_polls: int = SILENT_POLLS,
        version: int = wire.VERSION,
    ) -> None:
        self._names = readers
        self._rng = random.Random(seed)  # noqa: S311  noise, no secret
        self._cable = PretendCable(seed)
        self._silent_polls = silent_polls
        self._version = version
        self._lying: dict[Uid, ReaderId] = {}
        self._misses: dict[Uid, int] = {}
        self._lost: set[ReaderId] = set()
        self.links: dict[Uid, str] = {}
        """The link text of each tag that has one."""
        self._faults: set[Fault] = set()
        self._watchers: list[Callable[[], None]] = []
        self._changed = threading.Condition(threading.RLock())
        self._closing = False
        self._boots = 0
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        self._boot()
        self._thread = threading.Thread(target=self._run, name="pretend pico", daemon=True)

    # What hands and the pretend-table page do

    def readers(self) -> tuple[PretendReader, ...]:
        """What really lies where, reported or not."""
        with self._changed:
            lying = dict(self._lying)
        return tuple(
            PretendReader(name, reader_said(name), tuple(uid for uid, on in lying.items() if on == name))
            for name in self._names
        )

    def lay(self, uid: Uid, reader: ReaderId) -> None:
        """Put a tag on a reader; if it lies elsewhere, it is lifted there first."""
        self._check(reader)
        if not wire.is_uid(uid):
            raise UnreadableUid(f"{uid!r} is not a UID; give 8 to 20 upper-case hex digits, such as 04A2B3C4D5E680")
        with self._changed:
            if self._lying.get(uid) == reader:
                return
            if sum(on == reader for on in self._lying.values()) >= wire.MAX_TAGS:
                raise ReaderFull(f"{reader!r} already holds {wire.MAX_TAGS} tags; lift some before laying {uid}")
            self._take_off(uid)
            self._lying[uid] = reader
            if reader not in self._lost:
                self._sender.tell("ARRIVE", uid, reader)
            self._pump()
        self._told_watchers()

    def lift(self, uid: Uid) -> None:
        """Take a tag off whatever reader it is on; harmless if it is on none."""
        with self._changed:
            self._take_off(uid)
            self._pump()
        self._told_watchers()

    @property
    def cable(self) -> PretendCable:
        return self._cable

    def reader_lost(self, reader: ReaderId, on: bool) -> None:
        """Make one antenna fail, or work again; what lies there stays, and is reported as a level once it works."""
        self._check(reader)
        with self._changed:
            if on and reader not in self._lost:
                self._lost.add(reader)
                self._sender.tell("LOST", reader)
            elif not on and reader in self._lost:
                self._lost.remove(reader)
                self._sender.tell("BACK", reader)
                self._sender.tell("LIES", reader, ",".join(self._on(reader)) or wire.NOTHING)
            self._pump()
        self._told_watchers()

    def set_fault(self, fault: Fault, on: bool) -> None:
        """`cable`, `noise` or `flicker`; `display` is ignored, because the Pico has none."""
        match fault:
            case "cable":
                self.pull_cable(on)
            case "noise":
                self.noise(on)
            case "flicker":
                self.flicker(on)
            case "display":
                pass

    def faults(self) -> tuple[Fault, ...]:
        """The faults that are switched on."""
        with self._changed:
            return tuple(sorted(self._faults))

    def pull_cable(self, on: bool, after: int = 0) -> None:
        """Pull the cable out, or put it back; a Pico without a cable has no power and starts afresh.

        With `after`, the cable goes in the middle of what is said next, once this many bytes have got through.
        """
        with self._changed:
            if on and after:
                self._cable.tear_after(after)
                return
            self._switch("cable", on)
            self._wake()
            if self._thread.is_alive():
                self._changed.wait_for(lambda: self._cable.is_plugged != on or self._closing, timeout=5)
        self._told_watchers()

    def noise(self, on: bool) -> None:
        """Flip, drop and invent bytes in both directions."""
        with self._changed:
            self._switch("noise", on)
            self._cable.is_noisy = on
        self._told_watchers()

    def flicker(self, on: bool) -> None:
        """Make every tag answer badly: one poll in five garbled, one in ten silent."""
        with self._changed:
            self._switch("flicker", on)
            self._misses.clear()
            self._wake()
        self._told_watchers()

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        """Call `fn`, from any thread, whenever tags or faults change; the result ends that."""
        with self._changed:
            self._watchers.append(fn)

        def end() -> None:
            with self._changed:
                if fn in self._watchers:
                    self._watchers.remove(fn)

        return end

    # What a port finder and a patient test see

    @property
    def port(self) -> str | None:
        with self._changed:
            return None if "cable" in self._faults else self._cable.port

    def ports(self) -> dict[str, str]:
        """As `find_picos` would report it."""
        port = self.port
        return {} if port is None else {FIRMWARE: port}

    def wait_heard(self, timeout: float = 10.0) -> bool:
        """Wait until the host has acknowledged everything, levels included; False if it has not by then."""
        with self._changed:
            return self._changed.wait_for(self._sender_is_heard, timeout)

    def _sender_is_heard(self) -> bool:
        return self._cable.is_plugged and self._sender.is_heard()

    def start(self) -> None:
        self._thread.start()
        with self._changed:
            self._changed.wait_for(lambda: self._cable.is_plugged or self._closing, timeout=5)

    def close(self) -> None:
        """Unplug for good. A pretend Pico can be used only once."""
        with self._changed:
            self._closing = True
            self._wake()
        if self._thread.ident is not None:
            self._thread.join()
        os.close(self._wake_read)
        os.close(self._wake_write)

    # The Pico itself; everything below holds the lock, except _run

    def _check(self, reader: ReaderId) -> None:
        if reader not in self._names:
            raise NoSuchReader(f"no reader {reader!r} on this pretend Pico; it has {', '.join(self._names)}")

    def _switch(self, fault: Fault, on: bool) -> None:
        (self._faults.add if on else self._faults.discard)(fault)

    def _told_watchers(self) -> None:
        with self._changed:
            watchers = tuple(self._watchers)
        for fn in watchers:
            fn()

    def _on(self, reader: ReaderId) -> list[str]:
        return [uid for uid, on in self._lying.items() if on == reader and not self._is_gone(uid)]

    def _take_off(self, uid: Uid) -> None:
        reader = self._lying.pop(uid, None)
        was_gone = self._is_gone(uid)
        self._misses.pop(uid, None)
        if reader is not None and reader not in self._lost and not was_gone:
            self._sender.tell("LEAVE", uid, reader)

    def _is_gone(self, uid: Uid) -> bool:
        return self._misses.get(uid, 0) >= self._silent_polls

    def _poll_flickering(self) -> None:
        """Poll every tag once: only silence, and only enough of it in a row, counts towards leaving."""
        for uid, reader in self._lying.items():
            if reader in self._lost:
                continue
            was_gone = self._is_gone(uid)
            is_silent = self._rng.random() < 0.1
            self._misses[uid] = self._misses.get(uid, 0) + 1 if is_silent else 0
            if self._is_gone(uid) and not was_gone:
                self._sender.tell("LEAVE", uid, reader)
            elif was_gone and not is_silent:
                self._sender.tell("ARRIVE", uid, reader)

    def _boot(self) -> None:
        self._boots += 1
        self._decoder = wire.Decoder()
        self._sender = wire.Sender(FIRMWARE, "pretend", f"{self._boots:04X}", list(self._names), self._version)

    def _wake(self) -> None:
        with contextlib.suppress(BlockingIOError):  # full: woken often enough already
            os.write(self._wake_write, b"!")

    def _pump(self) -> None:
        """Send what is due."""
        if not self._cable.is_plugged:
            return
        now = _now()
        if self._sender.wants_levels(now):
            levels = [(str(name), None if name in self._lost else self._on(name)) for name in self._names]
            self._sender.tell_levels(now, levels)
        self._cable.write(self._sender.due(now))
        if self._cable.is_torn:
            self._switch("cable", True)
            self._wake()

    def _hear(self) -> None:
        for words in self._decoder.feed(self._cable.read()):
            self._sender.hear(words)
        if self._sender.job is not None:
            self._write(*self._sender.job)

    def _write(self, job: str, reader: str, uid: str, text: str) -> None:
        """Write a link on a tag; these tags have no memory, so only its text is kept."""
        self._sender.job = None
        is_there = uid in self._on(ReaderId(reader))
        outcome = "same" if self.links.get(Uid(uid)) == text else "new"
        if is_there:
            self.links[Uid(uid)] = text
        self._sender.tell("WROTE", job, uid, reader, outcome if is_there else "gone")

    def _run(self) -> None:
        """Only this thread opens and closes the pty, so that nobody waits on a closed descriptor."""
        while True:
            with self._changed:
                self._follow_cable()
                if self._closing:
                    return
                self._pump()
                self._changed.notify_all()
                ears = (self._wake_read, *self._cable.ears)
                pause = self._pause()
            ready, _, _ = select.select(ears, [], [], pause)
            if self._wake_read in ready:
                os.read(self._wake_read, 4096)
            with self._changed:
                if "flicker" in self._faults:
                    self._poll_flickering()
                self._hear()

    def _follow_cable(self) -> None:
        is_wanted = not self._closing and "cable" not in self._faults
        if is_wanted and not self._cable.is_plugged:
            self._cable.plug()
            self._boot()
        elif not is_wanted:
            self._cable.unplug()

    def _pause(self) -> float | None:
        if not self._cable.is_plugged:
            return None
        pause = self._sender.pause(_now()) / 1000
        return min(pause, POLL_EVERY) if "flicker" in self._faults else pause


def _now() -> int:
    return time.monotonic_ns() // 1_000_000
