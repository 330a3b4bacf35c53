"""A link on an NTAG213, 215 or 216: an NDEF record with an address that ends in the tag's own number.

A tag may be taken away between any two commands. So the length of its content is zeroed first and set last: in between
a phone finds an empty tag, never half an address. The number is written, and the tag is also told to mirror it there,
so that it gives its own number even if its memory was copied from another.

A `chip` has meet(uid) → whether that very tag answers; ask(data) → its answer; put(data) for a command that it only
acknowledges, both raising Refused or Gone if that fails; and part(), when done.
"""

import binascii

NEW = "new"
SAME = "same"
GONE = "gone"
AGAIN = "again"
OTHER = "other"
LOCKED = "locked"
LONG = "long"
"""Written; there already; nothing was changed; begun but not finished; not a tag that we can write; write-protected;
too long for it."""

TRIES = 3
_VERSION, _READ, _WRITE, _PASSWORD = 0x60, 0x30, 0xA2, 0x1B
_HTTP = 0x03  # the prefix "http://", as abbreviated in a record of type U
_KINDS = {0x0F: (0x27, 0x29, 0x12), 0x11: (0x81, 0x83, 0x3E), 0x13: (0xE1, 0xE3, 0x6D)}
"""By the size that a tag reports: its last user page, its first configuration page, and its capability."""
_FIRST = 4
_EMPTY = b"\x03\x00\xfe\x00"
_ERASED = bytes(4)  # a torn configuration wants a password for everything
_USUAL = b"\x04\x00\x00\xff"


class Gone(Exception):
    """The tag does not answer, or not intelligibly."""


class Refused(Exception):
    """The tag says no."""


def message(text, uid):
    """(everything written from page 4 on, the position of the number in it); the text goes on after http://."""
    number = binascii.hexlify(uid).upper()
    payload = bytes((_HTTP,)) + text.encode() + number
    record = bytes((0xD1, 0x01, len(payload) & 0xFF, 0x55)) + payload
    whole = bytes((0x03, len(record) & 0xFF)) + record + b"\xfe"
    at = len(whole) - 1 - len(number)
    return whole + bytes(-len(whole) % 4), at


def write(chip, uid, text):
    """Write the link and read it back; always returns one of the words above."""
    writing = _Writing(chip, uid)
    try:
        return writing.run(text)
    except Refused:
        return AGAIN if writing.is_begun else LOCKED
    except (Gone, OSError):
        return AGAIN if writing.is_begun else GONE
    finally:
        chip.part()


class _Writing:
    def __init__(self, chip, uid):
        self._chip = chip
        self._uid = uid
        self.is_begun = False

    def run(self, text):
        whole, at = message(text, self._uid)
        kind = self._kind()
        if kind is None:
            return OTHER
        last, config, size = kind
        if len(whole) > 4 * (last + 1 - _FIRST) or len(whole) > 0xF0:
            return LONG
        head, settings = self._read(0), self._read(config)
        no = self._no(head, settings, config)
        if no:
            return no
        mirrors = self._mirrors(_USUAL if settings[:4] == _ERASED else settings, at)
        if settings[:4] == mirrors and self._holds(_FIRST, whole):
            return SAME
        self._put(_FIRST, _EMPTY)
        if head[12] == 0:
            self._put(3, bytes((0xE1, 0x10, size, 0)))
        if settings[:4] != mirrors:
            self._put(config, mirrors)
        for n in range(4, len(whole), 4):
            self._put(_FIRST + n // 4, whole[n : n + 4])
        if not self._holds(_FIRST + 1, whole[4:]) or self._read(config)[:4] != mirrors:
            return AGAIN
        self._put(_FIRST, whole[:4])
        return NEW if self._holds(_FIRST, whole) else AGAIN

    def _kind(self):
        """None for a tag that is there but is none of these."""
        try:
            version = self._try(self._chip.ask, bytes((_VERSION,)))
        except (Refused, Gone):
            if self._chip.meet(self._uid):
                return None
            raise Gone("the tag")  # noqa: B904  MicroPython has no from
        is_ntag = len(version) == 8 and version[1:3] == b"\x04\x04"
        return _KINDS.get(version[6]) if is_ntag else None

    def _no(self, head, settings, config):
        """Why this tag must not be written; "" if it may."""
        if head[:3] + head[4:8] != self._uid:
            return GONE
        if head[12] not in (0, 0xE1):
            return OTHER
        locks = self._read(config - 1)
        is_locked = head[10] & 0xF8 or head[11] or locks[0] or locks[1] or head[15] & 0x0F
        # A locked configuration cannot be told to mirror; from page AUTH0 on it takes a password.
        if is_locked or settings[4] & 0x40 or (settings[3] <= config and not self._passes()):
            return LOCKED
        return ""

    def _passes(self):
        """Whether the tag still has its factory password, which protects nothing."""
        try:
            return len(self._chip.ask(bytes((_PASSWORD, 0xFF, 0xFF, 0xFF, 0xFF)))) == 2
        except (Refused, Gone):
            return False

    def _mirrors(self, settings, at):
        """The configuration with its mirror at byte `at` of what is written, and everything else unchanged."""
        page, byte = _FIRST + at // 4, at % 4
        return bytes((0x40 | byte << 4 | settings[0] & 0x0F, settings[1], page, settings[3]))

    def _holds(self, page, wanted):
        for n in range(0, len(wanted), 16):
            part = wanted[n : n + 16]
            if self._read(page + n // 4)[: len(part)] != part:
                return False
        return True

    def _read(self, page):
        got = self._try(self._chip.ask, bytes((_READ, page)))
        if len(got) != 16:
            raise Gone("a page")
        return got

    def _put(self, page, four):
        self.is_begun = True
        self._try(self._chip.put, bytes((_WRITE, page)) + four)

    def _try(self, do, data):
        """Commands may be repeated: doing one twice changes nothing."""
        for _ in range(TRIES - 1):
            try:
                return do(data)
            except (Refused, Gone):
                if not self._chip.meet(self._uid):
                    raise Gone("the tag")  # noqa: B904  MicroPython has no from
        return do(data)
