"""A pretend PN532, frame by frame, on its I2C wires."""

from air import crc_a, to_bytes

_ACK = b"\x00\x00\xff\x00\xff\x00"


class Chip:
    """Faults: `dead` (nobody acknowledges), `stuck` (the bus hangs), `hang` (never ready)."""

    def __init__(self, air, spend):
        self._air = air
        self._spend = spend
        self.fault = ""
        self.brown_out()

    def brown_out(self):
        self._waiting = []
        self._looks = 0
        self._met = None
        self._air.switch(False)

    def write(self, data):
        self._bus(len(data))
        answer = self._answer(data)
        self._waiting = [] if answer is None else [_ACK, answer]
        self._looks = 0

    def read(self, count):
        """The first byte says whether the chip is ready; a frame must be read whole or again."""
        self._bus(count)
        self._looks += 1
        if not self._waiting or self._looks < 2 or self.fault == "hang":
            return bytes(count)
        self._looks = 0
        frame = b"\x01" + self._waiting.pop(0)
        return frame[:count] + bytes(max(0, count - len(frame)))

    def _bus(self, count):
        self._spend(25 * count)
        if self.fault in ("dead", "stuck"):
            raise OSError(5 if self.fault == "dead" else 110)

    def _answer(self, data):
        if data[:3] != b"\x00\x00\xff" or (data[3] + data[4]) & 0xFF:
            return None
        body = data[5 : 5 + data[3]]
        if len(body) < 2 or body[0] != 0xD4 or (sum(body) + data[5 + data[3]]) & 0xFF:
            return None
        said = self._do(body[1], body[2:])
        if said is None:
            return b"\x00\x00\xff\x01\xff\x7f\x81\x00"
        reply = bytes((0xD5, body[1] + 1)) + said
        is_garbled = body[1] in (0x40, 0x42, 0x4A) and self._air.dice.one_in(self._air.garble)
        total = -sum(reply) & 0xFF
        return (
            bytes((0, 0, 0xFF, len(reply), -len(reply) & 0xFF))
            + reply
            + bytes((total ^ 0x10 if is_garbled else total, 0))
        )

    def _do(self, command, how):
        if command == 0x02:
            return b"\x32\x01\x06\x07"
        if command == 0x32 and how[:1] == b"\x01":
            self._air.switch(bool(how[1] & 1))
            return b""
        if command in (0x14, 0x32):
            return b""
        if command == 0x52:
            self._met = None
            return b"\x00"
        if command == 0x4A:
            return self._list(how[0], how[2:])
        if command == 0x40 and how[:1] == b"\x01":
            return self._exchange(how[1:], True)
        if command == 0x42:
            return self._exchange(how, False)
        return None

    def _exchange(self, data, knows_ack):
        """The first byte of an answer is 0 or an error: 1 is silence, 5 a frame of odd bits, 0x14 a refusal."""
        if self._met is None or self._met not in self._air.tags or not self._air.is_on:
            return b"\x01"
        bits = self._met.hear(data + crc_a(data), 0)
        self._spend(1000 + self._met.delay)
        if not bits or self._air.dice.one_in(self._air.silence):
            return b"\x01"
        if len(bits) == 4:
            return (b"\x00" if to_bytes(bits) == b"\x0a" else b"\x14") if knows_ack else b"\x05"
        return b"\x00" + to_bytes(bits)[:-2]

    def _list(self, most, wanted):
        self._spend(3000)
        if not self._air.is_on:
            return b"\x00"
        there = [tag for tag in self._air.tags if not tag.is_dead and not self._air.dice.one_in(self._air.silence)]
        if wanted:
            there = [tag for tag in there if tag.selected_by() == wanted]
        found = there[:most]
        if len(found) == 1:
            self._met = found[0]
            self._met.meet()
        out = bytes((len(found),))
        for n in range(len(found)):
            uid = found[n].uid
            out += bytes((n + 1, 0x00, 0x04, 0x08, len(uid))) + uid
        return out
