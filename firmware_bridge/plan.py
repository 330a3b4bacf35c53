"""Which Pico a reader of a mat hangs on, and on which pins: eight readers to a Pico, in the order of their numbers."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from companion.core.ids import ReaderId

Chip: TypeAlias = Literal["mfrc522", "pn532"]

EACH: Final = 8
"""Readers of one Pico: the channels of a multiplexer, and as many as one box has room for."""
SELECTS: Final = (17, 20, 21, 26, 27, 28, 15, 14)
"""The GPIO at the SDA of each MFRC522."""
MUX_RESET: Final = 8
_SPI: Final = {"id": 0, "sck": 18, "mosi": 19, "miso": 16}
_I2C: Final = [{"id": 0, "scl": 5, "sda": 4}, {"id": 1, "scl": 7, "sda": 6}]
_MUXES: Final = [{"i2c": 0, "address": 0x70, "reset": MUX_RESET}]


class Wired(Struct, frozen=True):
    """One reader: its Pico, counted from 1, its chip, and its own wire there (a GPIO, or a channel)."""

    reader: ReaderId
    pico: int
    chip: Chip
    wire: int


def wired(readers: tuple[ReaderId, ...], chip: Chip) -> tuple[Wired, ...]:
    """All readers of a table, of one chip."""
    return tuple(
        Wired(reader, 1 + at // EACH, chip, SELECTS[at % EACH] if chip == "mfrc522" else at % EACH)
        for at, reader in enumerate(readers)
    )


def configs(readers: tuple[ReaderId, ...], chip: Chip) -> tuple[str, ...]:
    """The config.py of each Pico, for `companion flash --config`."""
    plan = wired(readers, chip)
    return tuple(
        config_of(tuple(each for each in plan if each.pico == pico)) for pico in range(1, 1 + -(-len(plan) // EACH))
    )


def config_of(wires: tuple[Wired, ...]) -> str:
    """A config.py for one Pico; its antennas are far enough apart to be on at the same time."""
    listed = "".join(f'    ("{each.reader}", "{each.chip}", {_how(each)}),\n' for each in wires)
    buses = f"SPI = {_SPI}\nRESET_PIN = 22\nI2C = {_I2C}\nMUXES = {_MUXES}\n"
    return f"{buses}READERS = [\n{listed}]\nNEIGHBOURS = []\n"


def _how(each: Wired) -> str:
    return f'{{"cs": {each.wire}}}' if each.chip == "mfrc522" else f'{{"mux": 0, "channel": {each.wire}}}'
