"""A TCA9548A: splits one I2C bus into eight channels, so that eight PN532 with the same address can share it."""

import clock

RESET = 10  # µs; the chip needs far less


class Mux:
    """Connects one channel at a time to the bus. `reset` is the pin at its RST wire."""

    def __init__(self, i2c, address, reset):
        self.i2c = i2c
        self._address = address
        self._reset = reset

    def join(self, channel):
        """OSError if the multiplexer does not answer."""
        try:
            self._write(channel)
        except OSError:
            # The chip behind the previous channel may be holding the wires down.
            self.part()
            self._write(channel)

    def part(self):
        """Take every channel off the bus, so that one that holds its wires down holds up nobody else."""
        self._reset(0)
        clock.pause(RESET)
        self._reset(1)

    def _write(self, channel):
        self.i2c.writeto(self._address, bytes([1 << channel]))


class Channel:
    """What the chip behind one channel has in place of a bus of its own."""

    def __init__(self, mux, number):
        self._mux = mux
        self._number = number

    def writeto(self, address, data):
        self._mux.join(self._number)
        try:
            self._mux.i2c.writeto(address, data)
        except OSError:
            self._mux.part()
            raise

    def readfrom(self, address, count):
        self._mux.join(self._number)
        try:
            return self._mux.i2c.readfrom(address, count)
        except OSError:
            self._mux.part()
            raise
