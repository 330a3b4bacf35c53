"""A reader with a PN532 on I2C. The chip tells tags apart by itself, two at most."""

import clock
import iso14443a
import ntag

ADDRESS = 0x24
_ACK = b"\x00\x00\xff\x00\xff\x00"
_LONGEST = 56
_FIRMWARE, _SAM, _RF, _LIST, _RELEASE = 0x02, 0x14, 0x32, 0x4A, 0x52
_EXCHANGE, _THROUGH = 0x40, 0x42
_SAID_NO = (0x13, 0x14)

STEP = 500  # µs between two looks at whether the chip is ready
PATIENCE = 60  # such steps
SILENT_POLLS = 3  # in a row where tags lay; then the chip may have lost power for a moment


class Garbled(Exception):
    """An unintelligible answer."""


def frame(data):
    """A command as the chip wants it: wrapped in lengths and sums."""
    body = bytes([0xD4]) + data
    return bytes([0, 0, 0xFF, len(body), -len(body) & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0])


def unframe(raw, command):
    """What the chip answers to `command`; Garbled if a length, a sum or the answer's name is wrong."""
    start = raw.find(b"\x00\xff")
    if start < 0 or start + 4 > len(raw):
        raise Garbled("no frame")
    length = raw[start + 2]
    body = raw[start + 4 : start + 4 + length]
    if (length + raw[start + 3]) & 0xFF or len(body) != length or start + 4 + length >= len(raw):
        raise Garbled("length")
    if (sum(body) + raw[start + 4 + length]) & 0xFF or body[:2] != bytes([0xD5, command + 1]):
        raise Garbled("sum")
    return body[2:]


def targets(body):
    """The UIDs in an answer to InListPassiveTarget."""
    uids, at = [], 1
    for _ in range(body[0] if body else 0):
        if at + 5 > len(body):
            raise Garbled("targets")
        length, goes_on = body[at + 4], body[at + 3] & 0x20
        uid = body[at + 5 : at + 5 + length]
        if length not in (4, 7, 10) or len(uid) != length:
            raise Garbled("uid")
        uids.append(uid)
        at += 5 + length
        if goes_on:  # a tag that speaks 14443-4 has said more about itself
            at += body[at] if at < len(body) else 0
    return uids


class PN532:
    def __init__(self, i2c):
        self._i2c = i2c
        self._field = True
        self._silent = 0
        self.restarts = 0
        self.crowds = 0

    def begin(self):
        """Set the chip up; OSError if there is none."""
        try:
            self._ask(bytes([_FIRMWARE]))
            self._ask(bytes([_SAM, 1, 0, 0]))
            self._ask(bytes([_RF, 5, 0, 0, 0]))  # look for tags once, do not wait for one
        except Garbled as garbled:
            raise OSError("a PN532 answers nonsense (%s): look at its wires and switches" % garbled)  # noqa: B904
        self.field(self._field)

    def field(self, on):
        self._field = on
        try:
            self._ask(bytes([_RF, 1, 1 if on else 0]))
        except Garbled:
            pass  # the next poll will tell whether it works

    def poll(self, known):
        """(uids that answered, whether anything was garbled); OSError if the chip does not work."""
        if self._silent >= SILENT_POLLS:
            self._silent = 0
            self.restarts += 1
            self.begin()
        try:
            uids = targets(self._ask(bytes([_LIST, 2, 0])))
            if uids:
                self._ask(bytes([_RELEASE, 0]))
        except Garbled:
            return [], True
        self._silent = self._silent + 1 if known and not uids else 0
        if len(uids) > 1:
            self.crowds += 1
        return uids, False

    def meet(self, uid):
        """Whether this very tag is here; from now on it is selected (see ntag)."""
        self.part()
        try:
            return targets(self._ask(bytes([_LIST, 1, 0]) + b"".join(iso14443a.parts(uid)))) == [uid]
        except Garbled:
            return False

    def ask(self, data):
        return self._exchanged(bytes([_THROUGH]) + data)

    def put(self, data):
        self._exchanged(bytes([_EXCHANGE, 1]) + data)

    def part(self):
        try:
            self._ask(bytes([_RELEASE, 0]))
        except Garbled:
            pass  # the next poll will tell whether it works

    def _exchanged(self, data):
        """What the tag answers; the chip itself adds and checks the checksums, and understands acknowledgements."""
        try:
            body = self._ask(data)
        except Garbled:
            raise ntag.Gone("garbled")  # noqa: B904  MicroPython has no from
        status = body[0] & 0x3F if body else 1
        if status in _SAID_NO:
            raise ntag.Refused(status)
        if status:
            raise ntag.Gone(status)
        return body[1:]

    def _ask(self, data):
        self._i2c.writeto(ADDRESS, frame(data))
        if self._ready(1 + len(_ACK))[1:] != _ACK:
            raise Garbled("ack")
        return unframe(self._ready(_LONGEST), data[0])

    def _ready(self, count):
        """Read once the chip is ready; OSError if it never is."""
        for _ in range(PATIENCE):
            got = self._i2c.readfrom(ADDRESS, count)
            if got[0] & 1:
                return got
            clock.pause(STEP)
        raise OSError("a PN532 does not become ready: take its supply away for a second")
