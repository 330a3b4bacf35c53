"""How to talk to tags (ISO/IEC 14443-3 type A): wake, tell apart, select, park.

A `chip` has exchange(data, bits, align) → (answer, bytes, bits, at): `bits` of the last byte count (0 means all eight),
`at` is the number, from 1, of the first bit on which two tags differed.
"""

SILENT = 0
HERE = 1
GARBLED = 2
COLLIDED = 3

_REQA = b"\x26"  # everybody except those that are parked
_WUPA = b"\x52"  # to everybody
_HLTA = b"\x50\x00\x57\xcd"
_LEVELS = (0x93, 0x95, 0x97)
_MORE = 0x88  # first byte of a UID part that continues on the next level


def crc_a(data):
    """The checksum of a frame, as the two bytes that follow it."""
    crc = 0x6363
    for byte in data:
        byte ^= crc & 0xFF
        byte = (byte ^ (byte << 4)) & 0xFF
        crc = (crc >> 8) ^ (byte << 8) ^ (byte << 3) ^ (byte >> 4)
    return bytes((crc & 0xFF, (crc >> 8) & 0xFF))


def parts(uid):
    """The four bytes at each level of a UID of 4, 7 or 10 bytes."""
    if len(uid) == 4:
        return [uid]
    more = bytes((_MORE,))
    if len(uid) == 7:
        return [more + uid[:3], uid[3:]]
    return [more + uid[:3], more + uid[3:6], uid[6:]]


def find(chip):
    """(HERE, uid) of a tag that was not parked and is now selected; (GARBLED, b"") or (SILENT, b"")."""
    answer = chip.exchange(_REQA, 7, 0)[0]
    if answer == SILENT or answer == GARBLED:
        return answer, b""
    uid = b""
    for level in _LEVELS:
        part = _one(chip, level)
        sak = _select(chip, level, part) if part else -1
        if sak < 0:
            return GARBLED, b""
        if not sak & 0x04:
            return HERE, uid + part
        uid += part[1:]
    return GARBLED, b""


def wake(chip, uid):
    """Whether this very tag is HERE, SILENT or GARBLED; if here, it is now selected."""
    answer = chip.exchange(_WUPA, 7, 0)[0]
    if answer == SILENT or answer == GARBLED:
        return answer
    for level, part in zip(_LEVELS, parts(uid)):  # noqa: B905  MicroPython has no strict
        sak = _select(chip, level, part)
        if sak < 0:
            return SILENT if sak == -1 else GARBLED
    return HERE


def park(chip):
    """Put the selected tag to sleep: it answers again only when everybody is woken. Silence means yes."""
    chip.exchange(_HLTA, 0, 0)


def _select(chip, level, part):
    """The tag's SAK, -1 if nobody answered, -2 if the answer was unreadable."""
    frame = bytes((level, 0x70)) + part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],))
    answer, data, _, _ = chip.exchange(frame + crc_a(frame), 0, 0)
    if answer == SILENT:
        return -1
    if answer != HERE or len(data) != 3 or crc_a(data[:1]) != data[1:]:
        return -2
    return data[0]


def _one(chip, level):
    """The four bytes of one tag at this level, b"" if they were unreadable.

    Where tags differ, the branch with a 1 is taken. The first collision is jumped to at once, later ones are walked bit
    by bit, because only the first one's place is reported reliably by the chip.
    """
    known, count, tries = bytearray(5), 0, 2
    for _ in range(36):
        answer, at = _ask(chip, level, known, count)
        if answer == HERE:
            good = known[0] ^ known[1] ^ known[2] ^ known[3] == known[4]
            return bytes(known[:4]) if good else b""
        if answer == COLLIDED and count < 32:
            count = at if count == 0 else count + 1
            _keep(known, count, 1)
        elif answer == SILENT and count and _bit(known, count):
            _keep(known, count, 0)  # nobody has a 1 there
        elif answer == GARBLED and tries:
            tries -= 1  # the same question may be asked again here, and only here
        else:
            return b""
    return b""


def _ask(chip, level, known, count):
    """Ask all tags whose first `count` bits are these for the rest, and fill that in."""
    whole, rest = count // 8, count % 8
    frame = bytes((level, 0x20 + 16 * whole + rest)) + bytes(known[: whole + (1 if rest else 0)])
    answer, data, _, at = chip.exchange(frame, rest, rest)
    if answer == SILENT or answer == GARBLED:
        return answer, 0
    if answer == HERE and len(data) != 5 - whole:
        return GARBLED, 0
    if answer == COLLIDED and count:
        return answer, 0
    for n in range(len(data)):
        if whole + n < 5:
            mine = known[whole] & ((1 << rest) - 1) if n == 0 else 0
            known[whole + n] = data[n] | mine
    return answer, at


def _bit(known, count):
    return known[(count - 1) // 8] >> ((count - 1) % 8) & 1


def _keep(known, count, last):
    """Keep only the first `count` bits, the last of them set to `last`."""
    at = count - 1
    known[at // 8] &= (1 << (at % 8)) - 1
    known[at // 8] |= last << (at % 8)
    for n in range(at // 8 + 1, 5):
        known[n] = 0
