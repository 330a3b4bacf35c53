"""A reader with an MFRC522 on SPI."""

import clock
import iso14443a
import ntag
from iso14443a import COLLIDED, GARBLED, HERE, SILENT

_COMMAND, _COM_IRQ, _ERROR, _FIFO, _LEVEL, _CONTROL, _FRAMING, _COLL = 0x01, 0x04, 0x06, 0x09, 0x0A, 0x0C, 0x0D, 0x0E
_MODE, _TX_CONTROL, _TX_ASK, _GAIN, _T_MODE, _T_PRESCALER, _T_HIGH, _T_LOW = (
    0x11,
    0x14,
    0x15,
    0x26,
    0x2A,
    0x2B,
    0x2C,
    0x2D,
)
_VERSION = 0x37
_IDLE, _TRANSCEIVE, _SOFT_RESET = 0x00, 0x0C, 0x0F
_VERSIONS = (0x88, 0x90, 0x91, 0x92, 0xB2, 0x12)  # NXP's own and its common copies
_AUTO_TIMER = 0x80

TAGS = 8  # how many new tags are told apart in one poll; the rest wait for the next
TRIES = 3
TAG_START = 5000  # µs until a tag in a new field can answer
ANSWERS = 40  # steps of 25 µs that a tag has to answer
WRITES = 400  # and to write a page
_ACK = 0x0A


class MFRC522:
    """`spi` is shared; `cs` is this chip's own select pin."""

    def __init__(self, spi, cs):
        self._spi = spi
        self._cs = cs
        self._field = True
        self._out = bytearray(2)
        self._in = bytearray(2)
        self.restarts = 0
        self.crowds = 0

    def begin(self):
        """Set the chip up; OSError if there is none."""
        self._write(_COMMAND, _SOFT_RESET)
        clock.pause(1000)
        self._check_version()
        # The timer starts with each transmission and ends the wait for an answer.
        for register, value in ((_T_MODE, _AUTO_TIMER), (_T_PRESCALER, 0xA9)):
            self._write(register, value)
        self._wait_for(ANSWERS)
        self._write(_TX_ASK, 0x40)
        self._write(_MODE, 0x3D)
        self._write(_GAIN, 0x70)
        self._write(_COLL, 0x00)  # bits after a collision are reported as 0
        self.field(self._field)

    def field(self, on):
        """Switch the antenna; without a field, tags forget that they were parked."""
        self._field = on
        self._write(_TX_CONTROL, 0x83 if on else 0x80)
        if on:
            clock.pause(TAG_START)

    def poll(self, known):
        """(uids that answered, whether anything was garbled); OSError if the chip does not work.

        Known tags are parked, so that only new ones answer the first question; then each known one is woken.
        """
        self._check()
        seen, garbled = self._new_tags()
        for uid in known:
            if uid not in seen:
                answer = self._try_wake(uid)
                if answer == HERE:
                    seen.append(uid)
                garbled = garbled or answer == GARBLED
        return seen, garbled

    def _new_tags(self):
        seen, garbled, tries = [], False, 0
        while tries < TRIES and len(seen) < TAGS:
            answer, uid = iso14443a.find(self)
            if answer == SILENT:
                break
            if answer == HERE:
                iso14443a.park(self)
            if answer == HERE and uid not in seen:
                seen.append(uid)
            else:
                garbled = garbled or answer == GARBLED
                tries += 1
        return seen, garbled

    def _try_wake(self, uid):
        worst = SILENT
        for _ in range(TRIES):
            answer = iso14443a.wake(self, uid)
            if answer == HERE:
                iso14443a.park(self)
                return HERE
            if answer == GARBLED:
                worst = GARBLED
            elif worst == SILENT:
                break  # a second silence would only cost time: the next poll asks again
        return worst

    def meet(self, uid):
        """Whether this very tag is here; from now on it is selected, and has time to write (see ntag)."""
        self._wait_for(ANSWERS)
        for _ in range(TRIES):
            if iso14443a.wake(self, uid) == HERE:
                self._wait_for(WRITES)
                return True
        return False

    def ask(self, data):
        answer, got, bits, _ = self.exchange(data + iso14443a.crc_a(data), 0, 0)
        if answer == HERE and bits == 4:
            raise ntag.Refused(got)
        if answer != HERE or len(got) < 3 or iso14443a.crc_a(got[:-2]) != got[-2:]:
            raise ntag.Gone(answer)
        return got[:-2]

    def put(self, data):
        answer, got, bits, _ = self.exchange(data + iso14443a.crc_a(data), 0, 0)
        if answer != HERE or bits != 4:
            raise ntag.Gone(answer)
        if got[0] & 0x0F != _ACK:
            raise ntag.Refused(got)

    def part(self):
        self._wait_for(ANSWERS)
        iso14443a.park(self)

    def _wait_for(self, steps):
        self._write(_T_HIGH, steps >> 8)
        self._write(_T_LOW, steps & 0xFF)

    def _check(self):
        self._check_version()
        # If the supply dips, the chip resets: it answers, but with its field off.
        if self._read(_T_MODE) != _AUTO_TIMER:
            self.restarts += 1
            self.begin()

    def _check_version(self):
        version = self._read(_VERSION)
        if version not in _VERSIONS:
            raise OSError("no MFRC522 answers (version %02X): look at its wires and its 3.3 V" % version)

    def exchange(self, data, bits, align):
        """Send a frame and take the answer; see iso14443a."""
        self._write(_COMMAND, _IDLE)
        self._write(_COM_IRQ, 0x7F)
        self._write(_LEVEL, 0x80)
        for byte in data:
            self._write(_FIFO, byte)
        self._write(_COMMAND, _TRANSCEIVE)
        self._write(_FRAMING, 0x80 | align << 4 | bits)
        if not self._wait():
            return SILENT, b"", 0, 0
        error = self._read(_ERROR)
        if error & 0x13:
            return GARBLED, b"", 0, 0
        got = self._read_fifo(self._read(_LEVEL))
        last = self._read(_CONTROL) & 0x07
        if not error & 0x08:
            return HERE, got, last, 0
        self.crowds += 1
        coll = self._read(_COLL)
        if coll & 0x20:
            return GARBLED, b"", 0, 0
        return COLLIDED, got, last, (coll & 0x1F) or 32

    def _wait(self):
        """Whether an answer came before the chip's timer ran out."""
        for _ in range(1000):
            irq = self._read(_COM_IRQ)
            if irq & 0x30:
                return True
            if irq & 0x01:
                return False
        raise OSError("an MFRC522 began and never ended: take its supply away for a second")

    def _write(self, register, value):
        self._out[0], self._out[1] = register << 1, value
        self._cs(0)
        self._spi.write(self._out)
        self._cs(1)

    def _read(self, register):
        self._out[0], self._out[1] = register << 1 | 0x80, 0
        self._cs(0)
        self._spi.write_readinto(self._out, self._in)
        self._cs(1)
        return self._in[1]

    def _read_fifo(self, count):
        ask, got = bytearray([_FIFO << 1 | 0x80] * count + [0]), bytearray(count + 1)
        self._cs(0)
        self._spi.write_readinto(ask, got)
        self._cs(1)
        return bytes(got[1:])
