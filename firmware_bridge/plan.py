"""Which Pico a reader of a mat hangs on, and by which wires, in the order of the readers' numbers."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from companion.core.ids import ReaderId

Chip: TypeAlias = Literal["mfrc522", "pn532"]

CHANNELS: Final = 8
"""Of one multiplexer; there is one to each of a Pico's two I2C buses."""
EACH: Final[dict[Chip, int]] = {"mfrc522": 12, "pn532": 2 * CHANNELS}
"""Readers of one Pico."""
SELECTS: Final = (17, 20, 21, 26, 27, 28, 15, 14, 13, 12, 11, 10)
"""The GPIO at the SDA of each MFRC522."""
RESETS: Final = (8, 9)
"""The GPIO at the RST of each multiplexer."""
_SPI: Final = {"id": 0, "sck": 18, "mosi": 19, "miso": 16}
_I2C: Final = [{"id": 0, "scl": 5, "sda": 4}, {"id": 1, "scl": 7, "sda": 6}]
_MUXES: Final = [{"i2c": bus, "address": 0x70, "reset": pin} for bus, pin in enumerate(RESETS)]


class Wired(Struct, frozen=True):
    """One reader: its Pico, counted from 1, its chip, and its place there.

    That is the GPIO at its SDA, or its channel and, counted from 1, the multiplexer.
    """

    reader: ReaderId
    pico: int
    chip: Chip
    wire: int
    mux: int = 0


def wired(readers: tuple[ReaderId, ...], chip: Chip) -> tuple[Wired, ...]:
    """All readers of a table, of one chip."""
    return tuple(_wired(reader, chip, *divmod(number, EACH[chip])) for number, reader in enumerate(readers))


def _wired(reader: ReaderId, chip: Chip, pico: int, at: int) -> Wired:
    if chip == "mfrc522":
        return Wired(reader, 1 + pico, chip, SELECTS[at])
    return Wired(reader, 1 + pico, chip, at % CHANNELS, 1 + at // CHANNELS)


def configs(readers: tuple[ReaderId, ...], chip: Chip) -> tuple[str, ...]:
    """The config.py of each Pico, for `companion flash --config`."""
    plan = wired(readers, chip)
    numbers = dict.fromkeys(each.pico for each in plan)
    return tuple(config_of(tuple(each for each in plan if each.pico == pico)) for pico in numbers)


def config_of(wires: tuple[Wired, ...]) -> str:
    """A config.py for one Pico; its antennas are far enough apart to be on at the same time."""
    listed = "".join(f'    ("{each.reader}", "{each.chip}", {_how(each)}),\n' for each in wires)
    muxes = _MUXES[: max(each.mux for each in wires)]
    buses = f"SPI = {_SPI}\nRESET_PIN = 22\nI2C = {_I2C}\nMUXES = {muxes}\n"
    return f"{buses}READERS = [\n{listed}]\nNEIGHBOURS = []\n"


def _how(each: Wired) -> str:
    if each.chip == "mfrc522":
        return f'{{"cs": {each.wire}}}'
    return f'{{"mux": {each.mux - 1}, "channel": {each.wire}}}'
