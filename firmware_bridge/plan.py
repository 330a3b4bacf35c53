"""Which Pico each reader of a mat is on, and by which wires, in the order of the readers' numbers."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from companion.core import ReaderId

Chip: TypeAlias = Literal["mfrc522", "pn532"]

EACH: Final[dict[Chip, int]] = {"mfrc522": 12, "pn532": 8}
"""Readers per Pico: as many as share the bus, or as a multiplexer has channels. More would notice lifts too late."""
SELECTS: Final = (17, 20, 21, 26, 27, 28, 15, 14, 13, 12, 11, 10)
"""The GPIO at the SDA of each MFRC522."""
MUX_RESET: Final = 8
"""The GPIO at the RST of the multiplexer."""
_SPI: Final = {"id": 0, "sck": 18, "mosi": 19, "miso": 16}
_I2C: Final = [{"id": 0, "scl": 5, "sda": 4}, {"id": 1, "scl": 7, "sda": 6}]
_MUXES: Final = [{"i2c": 0, "address": 0x70, "reset": MUX_RESET}]


class Wired(Struct, frozen=True):
    """One reader: its Pico, counted from 1, its chip, and its wire there: the GPIO at its SDA, or its channel."""

    reader: ReaderId
    pico: int
    chip: Chip
    wire: int


def wired(readers: tuple[ReaderId, ...], chip: Chip) -> tuple[Wired, ...]:
    """All readers of a table, with one kind of chip."""
    places = (divmod(number, EACH[chip]) for number in range(len(readers)))
    return tuple(
        Wired(reader, 1 + pico, chip, SELECTS[at] if chip == "mfrc522" else at)
        for reader, (pico, at) in zip(readers, places, strict=True)
    )


def configs(readers: tuple[ReaderId, ...], chip: Chip) -> tuple[str, ...]:
    """The config.py of each Pico, for `companion flash --config`."""
    plan = wired(readers, chip)
    numbers = dict.fromkeys(each.pico for each in plan)
    return tuple(config_of(tuple(each for each in plan if each.pico == pico)) for pico in numbers)


def config_of(wires: tuple[Wired, ...]) -> str:
    """A config.py for one Pico; its antennas are far enough apart to be on at the same time."""
    listed = "".join(f'    ("{each.reader}", "{each.chip}", {_how(each)}),\n' for each in wires)
    muxes = _MUXES if wires[0].chip == "pn532" else []
    buses = f"SPI = {_SPI}\nRESET_PIN = 22\nI2C = {_I2C}\nMUXES = {muxes}\n"
    return f"{buses}READERS = [\n{listed}]\nNEIGHBOURS = []\n"


def _how(each: Wired) -> str:
    return f'{{"cs": {each.wire}}}' if each.chip == "mfrc522" else f'{{"mux": 0, "channel": {each.wire}}}'
