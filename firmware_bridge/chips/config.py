"""The readers of the conformance suite: two chips of one kind on a shared bus, and one of the other kind."""

SPI = {"id": 0, "sck": 18, "mosi": 19, "miso": 16}
RESET_PIN = 22
I2C = [{"id": 0, "scl": 5, "sda": 4}]
READERS = [
    ("left", "mfrc522", {"cs": 17}),
    ("right", "mfrc522", {"cs": 20}),
    ("wand", "pn532", {"i2c": 0}),
]
NEIGHBOURS = []
