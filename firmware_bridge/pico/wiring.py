"""From config.py to antennas."""

import config
import machine
from antenna import Antenna
from mfrc522 import MFRC522
from pn532 import PN532
from tca9548a import Channel, Mux


def antennas():
    """One for each reader in config.py."""
    machine.Pin(config.RESET_PIN, machine.Pin.OUT, value=1)
    # All select pins must be high before anybody speaks on the shared bus.
    selects = {name: _pin_high(how["cs"]) for name, chip, how in config.READERS if chip == "mfrc522"}
    spi = _spi() if selects else None
    muxes = [Mux(_i2c(how["i2c"]), how["address"], _pin_high(how["reset"])) for how in getattr(config, "MUXES", [])]
    made = []
    for name, chip, how in config.READERS:
        driver = MFRC522(spi, selects[name]) if chip == "mfrc522" else PN532(_bus(how, muxes))
        made.append(Antenna(name, driver, any([name in group for group in config.NEIGHBOURS])))
    return made


def _bus(how, muxes):
    """What a PN532 is connected to: a bus of its own, or a channel of a multiplexer."""
    return Channel(muxes[how["mux"]], how["channel"]) if "mux" in how else _i2c(how["i2c"])


def _pin_high(number):
    return machine.Pin(number, machine.Pin.OUT, value=1)


def _spi():
    bus, pin = config.SPI, machine.Pin
    return machine.SPI(bus["id"], baudrate=4000000, sck=pin(bus["sck"]), mosi=pin(bus["mosi"]), miso=pin(bus["miso"]))


def _i2c(number):
    bus = config.I2C[number]
    return machine.I2C(bus["id"], scl=machine.Pin(bus["scl"]), sda=machine.Pin(bus["sda"]), freq=400000, timeout=20000)
