"""The link: keeps a port to the device open, whatever happens to the cable, and puts its reports into the inbox."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import select
import termios
import threading
import time
from collections.abc import Callable
from typing import Final, TypeAlias

import serial
from msgspec import Struct
from serial.tools import list_ports

from companion.core import CompanionError, LinkOutcome, ReaderId, Said, Uid, say

from . import wire
from .flood import QUARANTINE, Flooding, Measure
from .greeting import Down, LinkState, Up, believed, writes_links
from .linking import Linking, OnLink
from .presence import Arrived, Back, Connected, Disconnected, Heard, Left, Lies, Lost, Presence, Sensed
from .senses import Senses

log = logging.getLogger(__name__)

SHORTEST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 1.6
"""Doubling from the shortest, with at least one HELLO within two seconds of the port's return."""

READ_TIMEOUT: Final = 0.1
REST: Final = 0.4
"""Seconds to wait for more from a device that is sending, and for one that has just fallen silent."""
CHUNK: Final = 4096
SILENCE: Final = 4.0
"""A device that reports its levels every second and was not heard for this long is lost, even if its port is open."""

PICO_USB: Final = 0x2E8A
BAUD: Final = 115_200

TROUBLE_CABLE: Final = say("trouble.cable")
TROUBLE_UNREADABLE: Final = say("trouble.unreadable")
TROUBLE_FLOOD: Final = say("trouble.flood")
TROUBLE_CHANGING: Final = say("trouble.changing")

LOGGED: Final = 200
"""Letters logged of what a device says about itself."""
MINDS: Final = 4
"""How often a device may change what it says about itself before its port has to be reopened."""

_BROKEN: Final = (serial.SerialException, OSError, termios.error)


class Counter(Struct, frozen=True):
    """How often something happened on the device since it started (`up` is in seconds)."""

    name: str
    count: int


Wait: TypeAlias = Callable[[threading.Event, float], bool]


class Silent(CompanionError, OSError):
    """Nothing came from an open port for too long."""


class Unreadable(CompanionError, OSError):
    """Much came from an open port, but nothing that we understand."""


def find_pico() -> str | None:
    """The port of the first Pico on USB, found by its vendor id, or None."""
    return next(iter(find_picos().values()), None)


def find_picos() -> dict[str, str]:
    """The port of every Pico on USB, by the board's serial number, since port names change when cables do.

    Of boards with the same number, all but one are known by the socket they are in.
    """
    ports: dict[str, str] = {}
    for each in sorted(list_ports.comports(), key=lambda port: port.location or ""):
        if each.vid == PICO_USB:
            own = each.serial_number or each.device
            ports[f"{own}@{each.location or each.device}" if own in ports else own] = each.device
    return ports


def read_report(words: list[str]) -> Heard | None:
    """The report in a numbered message; None if a device of our version would not say that."""
    match words:
        case ["ARRIVE", uid, reader] if wire.is_uid(uid) and wire.is_reader(reader):
            return Arrived(Uid(uid), ReaderId(reader))
        case ["LEAVE", uid, reader] if wire.is_uid(uid) and wire.is_reader(reader):
            return Left(Uid(uid), ReaderId(reader))
        case ["LIES", reader, listed] if wire.is_reader(reader):
            uids = [] if listed == wire.NOTHING else listed.split(",")
            return Lies(ReaderId(reader), tuple(map(Uid, uids))) if all(map(wire.is_uid, uids)) else None
        case ["LOST", reader] if wire.is_reader(reader):
            return Lost(ReaderId(reader))
        case ["BACK", reader] if wire.is_reader(reader):
            return Back(ReaderId(reader))
        case _:
            return None


def read_health(listed: str) -> tuple[Counter, ...]:
    """The counters in a HEALTH message; anything else in it is ignored."""
    pairs = (each.partition("=") for each in listed.split(","))
    return tuple(Counter(name, wire.number(count)) for name, _, count in pairs if name and wire.number(count) >= 0)


def _nobody(_uid: Uid, _outcome: LinkOutcome) -> None: ...


def _new_nonce() -> str:
    return secrets.token_hex(4).upper()


def _new_receiver() -> wire.Receiver:
    return wire.Receiver(_new_nonce)


def _reads(port: serial.Serial) -> Callable[[], bytes]:
    """A function that reads a chunk, empty if nothing came for `READ_TIMEOUT`, and from then on for `REST`.

    pyserial's own read asks how much is waiting, waits, and reads: three system calls. A tap needs only two.
    """
    fd = port.fileno()
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    short, long = int(READ_TIMEOUT * 1000), int(REST * 1000)
    patience = short

    def read() -> bytes:
        nonlocal patience
        if not poll.poll(patience):
            patience = long
            return b""
        patience = short
        chunk = os.read(fd, CHUNK)
        if not chunk:
            raise Silent("the port is at its end; the cable was pulled")
        return chunk

    return read


def _understood(receiver: wire.Receiver) -> int:
    """How many lines were ours: lines of other sessions prove nothing."""
    return receiver.decoder.accepted - receiver.strays


def _write(port: serial.Serial, answers: bytes) -> None:
    # A device that does not read gets no answers: it asks again, and SILENCE tells whether it is still alive.
    with contextlib.suppress(BlockingIOError):
        os.write(port.fileno(), answers)


class Link:
    """One device, listened to from a thread of its own between `start` and `close`.

    `find_port` is asked again before every attempt. `put` gets each input once, `on_state` each change of state; both
    are called on the link's thread and must return at once. Links of one table share their `senses`, which then get
    what `put` would; `on_link` is told what came of each link that `write_link` asked for. `clock`, `wait` and
    `new_receiver` are for tests.
    """

    def __init__(
        self,
        find_port: Callable[[], str | None],
        put: Callable[[Sensed], None],
        on_state: Callable[[LinkState], None],
        *,
        senses: Senses | None = None,
        on_link: OnLink = _nobody,
        clock: Callable[[], float] = time.monotonic,
        wait: Wait = threading.Event.wait,
        new_receiver: Callable[[], wire.Receiver] = _new_receiver,
    ) -> None:
        self._find_port = find_port
        self._senses = senses or Senses(put)
        self._on_state = on_state
        self._on_link = on_link
        self._linking = Linking(on_link)
        self._clock = clock
        self._wait = wait
        self._new_receiver = new_receiver
        self._readers: tuple[ReaderId, ...] = ()
        self._health: tuple[Counter, ...] = ()
        self._state: LinkState | None = None
        self._greeted: list[LinkState] = []
        """Everything different that the device has said about itself since its port was opened."""
        self._is_odd = False
        self._turned = clock()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="link", daemon=True)

    @property
    def presence(self) -> Presence:
        """What lies where, as last reported; safe to read from any thread."""
        return self._senses.presence

    @property
    def health(self) -> tuple[Counter, ...]:
        """The device's latest counters since its start."""
        return self._health

    @property
    def state(self) -> LinkState | None:
        """The current state; None until the first attempt has ended."""
        return self._state

    def has(self, reader: ReaderId) -> bool:
        """Whether this is one of the device's readers."""
        return reader in self._readers

    def write_link(self, uid: Uid, reader: ReaderId, text: str) -> None:
        """Have the device write an address that ends in the tag's number on a tag; returns at once."""
        match self._state:
            case Up(firmware=firmware) if writes_links(firmware):
                self._linking.wish(uid, reader, text)
            case Up():
                self._on_link(uid, "old")
            case _:
                self._on_link(uid, "gone")

    def is_alive(self, patience: float) -> bool:
        """Whether the thread got somewhere within this many seconds; an unplugged cable does not stop it."""
        return self._thread.is_alive() and self._clock() - self._turned < patience

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End the thread; returns within half a second. A link can be used only once."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        pause = SHORTEST_WAIT
        while not self._closing.is_set():
            self._turned = self._clock()
            if self._attempt():
                pause = SHORTEST_WAIT
            if self._closing.is_set():
                return
            self._wait(self._closing, pause)
            pause = min(2 * pause, LONGEST_WAIT)

    def _stay_away(self) -> None:
        """Long enough that a flooding device takes next to nothing from anybody, but without seeming to hang."""
        until = self._clock() + QUARANTINE
        while self._clock() < until and not self._closing.is_set():
            self._turned = self._clock()
            self._wait(self._closing, SHORTEST_WAIT)

    def _attempt(self) -> bool:
        """Find, open and listen until it breaks; returns whether the device ever answered."""
        port = self._find_port()
        if port is None:
            self._lose("no port found")
            return False
        receiver = self._new_receiver()
        self._greeted, self._is_odd = [], False
        try:
            with serial.Serial(port, BAUD, timeout=READ_TIMEOUT) as opened:
                self._listen(opened, receiver)
        except Flooding as flooding:
            self._lose(f"{port}: {flooding}", TROUBLE_FLOOD)
            self._stay_away()
        except _BROKEN as broken:
            self._lose(f"{port}: {broken}", TROUBLE_UNREADABLE if isinstance(broken, Unreadable) else TROUBLE_CABLE)
        return _understood(receiver) > 0

    def _listen(self, port: serial.Serial, receiver: wire.Receiver) -> None:
        heard_at, understood, came = self._clock(), 0, 0
        read, measure = _reads(port), Measure(self._clock)
        while not self._closing.is_set():
            self._turned = self._clock()
            chunk = read()
            measure.took(chunk)
            came += len(chunk)
            for words in receiver.feed(chunk):
                self._take(words)
                self._wait_for_room(measure)
            self._senses.look()
            answers = receiver.answers() + self._linking.due(receiver, self._clock())
            if answers:
                _write(port, answers)
            if _understood(receiver) != understood:
                heard_at, understood, came = self._clock(), _understood(receiver), 0
            elif self._clock() - heard_at > SILENCE:
                error = Unreadable if came else Silent
                raise error(f"nothing readable for {SILENCE:g} s; the port is opened anew")

    def _wait_for_room(self, measure: Measure) -> None:
        """The device waits for us while we wait for the table, which waits for nobody, so its inbox stays short."""
        if self._senses.has_room(0.0):
            return
        begun = self._clock()
        while not self._senses.has_room(READ_TIMEOUT) and not self._closing.is_set():
            self._turned = self._clock()
        measure.waited(self._clock() - begun)

    def _take(self, words: list[str]) -> None:
        if words[0] == "HELLO":
            self._greet(words)
            return
        if words[0] == "HEALTH":
            self._health = read_health(words[1])
            return
        if words[0] == "WROTE":
            self._linking.heard(words)
            return
        report = read_report(words)
        if report is not None and report.reader in self._readers and isinstance(self._state, Up):
            self._senses.take(report)
        elif not self._is_odd:
            self._is_odd = True
            log.warning("ignored a message that the device should not send: %s; further ones are not logged", words[0])

    def _greet(self, words: list[str]) -> None:
        state = believed(words)
        if len(self._greeted) <= MINDS and state not in self._greeted[-1:]:
            self._greeted.append(state)
        if len(self._greeted) > MINDS:
            state = Down(TROUBLE_CHANGING)
        self._tell(state, " ".join(words[1:4]) + f", readers {words[5]}")
        if isinstance(state, Down):
            self._senses.take(Disconnected(self._readers))
            return
        gone = tuple(reader for reader in self._readers if reader not in state.readers)
        self._readers = state.readers
        self._senses.take(Connected(state.readers, gone))

    def _lose(self, why: str, trouble: Said = TROUBLE_CABLE) -> None:
        # A port that vanishes after a version mismatch is still the same outage, but the cure is now the cable.
        self._tell(Down(trouble), why)
        self._linking.fail()
        self._senses.take(Disconnected(self._readers))

    def _tell(self, state: LinkState, why: str) -> None:
        """Once per change: a log line and a call, never one for each failed attempt."""
        if state == self._state:
            return
        self._state = state
        if isinstance(state, Up):
            log.info("reader box is there: %s", why[:LOGGED])
        else:
            log.warning("reader box is lost: %s (%s)", why[:LOGGED], state.trouble.key)
        self._on_state(state)
