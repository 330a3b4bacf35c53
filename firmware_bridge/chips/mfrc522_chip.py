"""A pretend MFRC522, register by register, on its SPI wires. Written from the data sheet, not from our driver."""

from air import to_bytes

_RESET = {0x01: 0x20, 0x0A: 0x00, 0x0C: 0x10, 0x0E: 0x80, 0x14: 0x80, 0x37: 0x92}
_TIMER_STEP = 25  # µs, with the usual prescaler
_ANSWER = 400  # µs


class Chip:
    """Faults: `dead` (no supply: the wire reads 0), `stuck` (the wire reads 1), `hang` (a transmission never ends)."""

    def __init__(self, air, spend):
        self._air = air
        self._spend = spend
        self.fault = ""
        self.brown_out()

    def brown_out(self):
        """The supply dips: all registers are as after power-up, the field is off."""
        self._registers = dict(_RESET)
        self._fifo = bytearray()
        self._air.switch(False)

    def transfer(self, out):
        """Select the chip once: what it answers to these bytes."""
        self._spend(len(out) * 2)
        if self.fault in ("dead", "stuck"):
            return bytes([0x00 if self.fault == "dead" else 0xFF] * len(out))
        answer = bytearray(len(out))
        if out[0] & 0x80:
            for n in range(1, len(out)):
                answer[n] = self._read(out[n - 1] >> 1 & 0x3F)
        else:
            for byte in out[1:]:
                self._write(out[0] >> 1 & 0x3F, byte)
        return bytes(answer)

    def _read(self, register):
        if register == 0x09:
            if not self._fifo:
                return 0
            byte = self._fifo[0]
            self._fifo = self._fifo[1:]
            return byte
        if register == 0x0A:
            return len(self._fifo)
        return self._registers.get(register, 0)

    def _write(self, register, value):
        if register == 0x09:
            self._fifo.append(value)
        elif register == 0x0A and value & 0x80:
            self._fifo = bytearray()
        elif register == 0x04:
            self._registers[4] = self._registers.get(4, 0) & ~value & 0x7F
        elif register == 0x01 and value & 0x0F == 0x0F:
            self.brown_out()
        elif register != 0x37:
            self._registers[register] = value
            if register == 0x14:
                self._air.switch(value & 0x03 == 0x03)
            if register == 0x0D and value & 0x80 and self._registers[1] & 0x0F == 0x0C:
                self._send(value)

    def _send(self, framing):
        if self.fault == "hang":
            return
        bits, align = framing & 0x07, framing >> 4 & 0x07
        answer, differ, is_garbled = self._air.exchange(bytes(self._fifo), bits)
        self._fifo = bytearray()
        self._registers[0x06] = 0
        timer = (self._registers.get(0x2C, 0) << 8 | self._registers.get(0x2D, 0)) * _TIMER_STEP
        if not answer or _ANSWER + self._air.delay > timer:
            self._spend(timer)
            self._registers[4] = self._registers.get(4, 0) | 0x01
            return
        self._spend(_ANSWER + self._air.delay)
        self._fifo = bytearray(to_bytes([0] * align + answer))
        self._registers[0x0C] = 0x10 | (align + len(answer)) % 8
        self._registers[4] = self._registers.get(4, 0) | 0x30
        if is_garbled:
            self._registers[0x06] = 0x02
        elif differ >= 0:
            self._registers[0x06] = 0x08
            at = align + differ + 1
            self._registers[0x0E] = 0x20 if at > 32 else at & 0x1F
