"""Pretend tags in the field of one antenna, bit by bit (ISO/IEC 14443-3 type A). Written from the tag's point of view.

It computes CRC_A on its own, bit by bit, so that a mistake in the firmware's cannot agree with itself.
"""

from dice import Dice

IDLE, READY, ACTIVE = 0, 1, 2
_SELECT = (0x93, 0x95, 0x97)


def crc_a(data):
    crc = 0x6363
    for byte in data:
        for n in range(8):
            bit = (crc ^ byte >> n) & 1
            crc >>= 1
            if bit:
                crc ^= 0x8408
    return bytes((crc & 0xFF, crc >> 8))


def to_bits(data):
    return [byte >> n & 1 for byte in data for n in range(8)]


def to_bytes(bits):
    out = bytearray((len(bits) + 7) // 8)
    for n in range(len(bits)):
        out[n // 8] |= bits[n] << (n % 8)
    return bytes(out)


class Tag:
    """One chip with a UID of 4, 7 or 10 bytes. `is_dead`: it never answers."""

    def __init__(self, uid, is_dead=False):
        self.uid = uid
        self.is_dead = is_dead
        rest, self._parts = uid, []
        while len(rest) > 4:
            self._parts.append(b"\x88" + rest[:3])
            rest = rest[3:]
        self._parts.append(rest)
        self.forget()

    delay = 0
    """How many µs longer than usual the last answer took."""

    def forget(self):
        """Without a field a tag forgets everything, even that it was parked."""
        self._state = IDLE
        self._is_parked = False
        self._level = 0

    def hear(self, data, bits):
        """The bits with which this tag answers a frame; none if it stays silent."""
        if self.is_dead:
            return []
        if bits == 7 and len(data) == 1:
            return self._called(data[0])
        if self._state == READY and len(data) >= 2 and data[0] == _SELECT[self._level]:
            return self._asked(data, bits)
        if self._state == ACTIVE and data == b"\x50\x00" + crc_a(b"\x50\x00"):
            self._is_parked = True
        elif self._state == ACTIVE and data[-2:] == crc_a(data[:-2]):
            return self._told(data[:-2])
        self._state = IDLE
        return []

    def _told(self, command):
        """The answer to a command for the selected tag only; this tag knows none."""
        self._state = IDLE
        return []

    def selected_by(self):
        """Its number as a chip is told to look for it, with a mark before each part but the last."""
        return b"".join(self._parts)

    def meet(self):
        """A chip has selected this tag on its own."""
        self._state = ACTIVE

    def _called(self, command):
        is_meant = command == 0x52 or (command == 0x26 and not self._is_parked)
        if self._state != IDLE or not is_meant:
            self._state = IDLE
            return []
        self._state = READY
        self._level = 0
        return to_bits(bytes((0x04 | (len(self._parts) - 1) << 6, 0x00)))

    def _asked(self, data, bits):
        part = self._parts[self._level]
        mine = part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],))
        if data[1] == 0x70:
            return self._selected(data, mine)
        known = (data[1] >> 4) * 8 + (data[1] & 0x0F) - 16
        said = to_bits(data[2:])[:known]
        whole = to_bits(mine)
        if known < 0 or known >= 40 or (data[1] & 0x0F) != bits or said != whole[:known]:
            return []
        return whole[known:]

    def _selected(self, data, mine):
        if data[2:7] != mine or data[7:] != crc_a(data[:7]):
            self._state = IDLE
            return []
        self._level += 1
        is_whole = self._level == len(self._parts)
        self._state = ACTIVE if is_whole else READY
        sak = b"\x08" if is_whole else b"\x04"
        return to_bits(sak + crc_a(sak))


FIELDS = [0, 0]
"""How many antennas have their field on now, and the most that ever did."""


class Air:
    """What one antenna reaches. `garble` and `silence` are the odds per answer, out of 1000."""

    def __init__(self, seed):
        self.tags = []
        self.garble = 0
        self.silence = 0
        self.is_on = False
        self.delay = 0
        self.dice = Dice(seed)

    def switch(self, on):
        if self.is_on and not on:
            for tag in self.tags:
                tag.forget()
        FIELDS[0] += int(on) - int(self.is_on)
        FIELDS[1] = max(FIELDS)
        self.is_on = on

    def lay(self, tag):
        tag.forget()
        self.tags.append(tag)

    def lift(self, uid):
        self.tags = [tag for tag in self.tags if tag.uid != uid]

    def exchange(self, data, bits):
        """(bits of the answer, first bit on which tags differ or -1, whether it is garbled)."""
        if not self.is_on:
            return [], -1, False
        answers = [answer for answer in [tag.hear(data, bits) for tag in self.tags] if answer]
        self.delay = max([0] + [tag.delay for tag in self.tags])
        if not answers or self.dice.one_in(self.silence):
            return [], -1, False
        longest = max([len(answer) for answer in answers])
        for n in range(longest):
            if len({answer[n] for answer in answers if n < len(answer)}) > 1:
                return answers[0][:n] + [0] * (longest - n), n, False
        return answers[0], -1, self.dice.one_in(self.garble)
