"""Four readers behind a multiplexer, one on the other I2C bus, one on SPI."""

SPI = {"id": 0, "sck": 18, "mosi": 19, "miso": 16}
RESET_PIN = 22
I2C = [{"id": 0, "scl": 5, "sda": 4}, {"id": 1, "scl": 7, "sda": 6}]
MUXES = [{"i2c": 0, "address": 0x70, "reset": 8}]
READERS = [
    ("r01", "pn532", {"mux": 0, "channel": 0}),
    ("r02", "pn532", {"mux": 0, "channel": 1}),
    ("r03", "pn532", {"mux": 0, "channel": 2}),
    ("r04", "pn532", {"mux": 0, "channel": 7}),
    ("wand", "pn532", {"i2c": 1}),
    ("left", "mfrc522", {"cs": 17}),
]
NEIGHBOURS: list[list[str]] = []
