"""Which readers are connected to this Pico. The one file to change for your box; docs/flash-and-wiring.md has the pins.

Each reader: its name (a-z, 0-9, `-`), its chip, and its wires. Names must differ among all Picos of one table.
"""

# Wires that all MFRC522 share: number of the bus, then the pins. One reset wire serves them all.
SPI = {"id": 0, "sck": 18, "mosi": 19, "miso": 16}
RESET_PIN = 22

# A PN532 cannot change its address, so there is one per I2C bus, or eight behind a multiplexer.
I2C = [{"id": 0, "scl": 5, "sda": 4}, {"id": 1, "scl": 7, "sda": 6}]

# TCA9548A: its bus, its address, and the pin at its RST. A reader behind one: {"mux": 0, "channel": 3}.
MUXES = []

READERS = [
    ("left", "mfrc522", {"cs": 17}),
    ("right", "mfrc522", {"cs": 20}),
]

# Readers closer than about 10 cm: only one of them has its field on at a time.
NEIGHBOURS = []
