"""The Pico's `machine` with pretend chips at its pins; first on the path, so it hides the real one."""

import sys

import room


class Pin:
    IN, OUT = 0, 1

    def __init__(self, number, mode=0, value=0):
        self.number = number
        self._value = value

    def __call__(self, value):
        self._value = value
        room.selected(self.number, value == 0)


class SPI:
    def __init__(self, number, **how):
        self.number = number

    def write(self, out):
        room.spi().transfer(out)

    def write_readinto(self, out, into):
        into[:] = room.spi().transfer(bytes(out))


class I2C:
    def __init__(self, number, **how):
        self.number = number

    def writeto(self, address, data):
        room.i2c(self.number, address).write(data)

    def readfrom(self, address, count):
        return room.i2c(self.number, address).read(count)


class WDT:
    def __init__(self, timeout):
        pass

    def feed(self):
        """Called on every turn of the loop: a good moment for what hands do."""
        room.follow_hands()


def unique_id():
    return b"\xbe\x11\xc4\x00"


def reset():
    sys.exit(0)
