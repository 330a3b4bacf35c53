"""A pretend NTAG213, 215 or 216: pages of four bytes, locks, and the mirror of its number. Written from the data sheet.

It can be taken away between any two commands, or in the middle of a write, which leaves that page erased.
"""

import binascii

from air import IDLE, Tag, crc_a, to_bits

_PAGES = {213: (45, 0x0F, 0x12), 215: (135, 0x11, 0x3E), 216: (231, 0x13, 0x6D)}
_ACK, _NAK = [0, 1, 0, 1], [0, 0, 0, 0]
_WRITING = 4100  # µs


class NTAG(Tag):
    def __init__(self, uid, size):
        Tag.__init__(self, uid)
        pages, self._storage, capability = _PAGES[size]
        self._config = pages - 4
        self.memory = bytearray(4 * pages)
        self.memory[0:3], self.memory[4:8] = uid[:3], uid[3:]
        self.memory[3] = 0x88 ^ uid[0] ^ uid[1] ^ uid[2]
        self.memory[8] = uid[3] ^ uid[4] ^ uid[5] ^ uid[6]
        self.memory[12:16] = bytes((0xE1, 0x10, capability, 0))
        self.memory[16:24] = bytes((0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, 0x00, 0xFE))
        self.memory[4 * self._config : 4 * self._config + 4] = b"\x04\x00\x00\xff"
        self.memory[4 * self._config + 8 : 4 * self._config + 12] = b"\xff\xff\xff\xff"
        self._left = -1
        self._tears = False
        self._worn = -1
        self._has_password = False

    def forget(self):
        Tag.forget(self)
        self._has_password = False

    def meet(self):
        Tag.meet(self)
        self._has_password = False

    def cut(self, commands, tears):
        """Take it out of reach after this many more commands."""
        self._left = commands
        self._tears = tears
        self.is_dead = commands == 0

    def wear(self, page):
        """From now on this page silently ignores writes."""
        self._worn = page

    def set(self, at, value):
        """Set a byte of its memory to what somebody else left there."""
        self.memory[at] = value

    def hear(self, data, bits):
        self.delay = 0
        return Tag.hear(self, data, bits)

    def _told(self, command):
        is_last = self._left == 1
        self._left -= 1
        self.is_dead = is_last
        if command == b"\x60":
            return self._say(bytes((0x00, 0x04, 0x04, 0x02, 0x01, 0x00, self._storage, 0x03)))
        if command[0] == 0x30 and len(command) == 2 and command[1] < len(self.memory) // 4:
            return self._say(self._seen(command[1]))
        if command[0] == 0x1B and command[1:] == self.memory[4 * self._config + 8 : 4 * self._config + 12]:
            self._has_password = True
            return self._say(b"\x00\x00")
        if command[0] == 0xA2 and len(command) == 6 and self._may(command[1]):
            return self._write(command[1], command[2:], is_last and self._tears)
        self._state = IDLE
        return _NAK

    def _say(self, data):
        return to_bits(data + crc_a(data))

    def _seen(self, page):
        """Four pages as they are read: overlaid with the mirror, and wrapping around after the last page.

        The password cannot be read.
        """
        memory = bytearray(self.memory)
        memory[4 * self._config + 8 :] = bytes(8)
        mirror, at = self.memory[4 * self._config], self.memory[4 * self._config + 2]
        if mirror & 0xC0 == 0x40 and at > 3:
            start = 4 * at + (mirror >> 4 & 3)
            memory[start : start + 14] = binascii.hexlify(self.uid).upper()
        return bytes((memory + memory)[4 * page : 4 * page + 16])

    def _may(self, page):
        """Whether a page may be written. Pages 4 to 15 have a lock bit each; from AUTH0 on it takes a password."""
        locks = self.memory[10] | self.memory[11] << 8
        is_locked = 3 <= page < 16 and locks >> page & 1
        is_free = self._has_password or page < self.memory[4 * self._config + 3]
        return 2 <= page < len(self.memory) // 4 and not is_locked and is_free

    def _write(self, page, four, is_torn):
        self.delay = _WRITING
        if page == self._worn:
            return _ACK
        if page in (2, 3):  # bits can be set but not cleared
            four = bytes([self.memory[4 * page + n] | four[n] for n in range(4)])
        self.memory[4 * page : 4 * page + 4] = bytes(4) if is_torn else four
        return [] if is_torn else _ACK
