"""From config.py to antennas."""

import config
import machine
from antenna import Antenna
from mfrc522 import MFRC522
from pn532 import PN532


def antennas():
    """One for each reader of config.py."""
    machine.Pin(config.RESET_PIN, machine.Pin.OUT, value=1)
    pin = machine.Pin
    # All select pins must be high before anybody speaks on the bus they share.
    selects = {name: pin(how["cs"], pin.OUT, value=1) for name, chip, how in config.READERS if chip == "mfrc522"}
    bus = config.SPI
    spi = None
    if selects:
        spi = machine.SPI(
            bus["id"], baudrate=4000000, sck=pin(bus["sck"]), mosi=pin(bus["mosi"]), miso=pin(bus["miso"])
        )
    made = []
    for name, chip, how in config.READERS:
        driver = MFRC522(spi, selects[name]) if chip == "mfrc522" else PN532(_i2c(how["i2c"]))
        made.append(Antenna(name, driver, any([name in group for group in config.NEIGHBOURS])))
    return made


def _i2c(number):
    bus = config.I2C[number]
    return machine.I2C(bus["id"], scl=machine.Pin(bus["scl"]), sda=machine.Pin(bus["sda"]), freq=400000, timeout=20000)
