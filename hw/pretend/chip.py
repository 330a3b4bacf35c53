"""A display chip, byte by byte, as in its data sheet: what comes over the wire in, what an eye sees out.

It forgives nothing: what the sender forgets to set stays as it was, and a power cut loses everything.
"""

from __future__ import annotations

from typing import Final

from PIL import Image

from hw.display import HEIGHT, STRIPS, WIDTH, Chip

COMMANDS: Final = 0x00
DATA: Final = 0x40
_RAM_COLUMNS: Final = {"ssd1306": 128, "sh1106": 132}
_FIRST_SEEN: Final = {"ssd1306": 0, "sh1106": 2}
_TOP_FIRST: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))

_ARGUMENTS: Final[dict[str, dict[int, int]]] = {
    "ssd1306": {
        0x20: 1, 0x21: 2, 0x22: 2, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x81: 1, 0x8D: 1, 0xA3: 2, 0xA8: 1,
        0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
    },
    "sh1106": {0x81: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1},
}  # fmt: skip
"""How many bytes follow a command; one that isn't listed has none."""


class PretendChip:
    """The memory and registers of one chip.

    The data sheets don't say what half a column address completes: the place where the last data ended or, if it
    `latches`, the address that was set last.
    """

    def __init__(self, kind: Chip = "ssd1306", *, latches: bool = False) -> None:
        self.kind = kind
        self._latches = latches
        self.taken = 0
        """Bytes that came over the wire, including each message's address byte."""
        self.lose_power()

    def lose_power(self) -> None:
        """Off and on again: registers as in the data sheet, memory random."""
        wide = _RAM_COLUMNS[self.kind]
        self._ram = bytearray((x * 37 + 11) & 0xFF for x in range(wide * STRIPS))
        self._column = self._column_set = self._strip = 0
        self._columns, self._strips = (0, wide - 1), (0, STRIPS - 1)
        self._is_paged = True
        self._start_line = 0
        self._is_mirrored = self._is_upside_down = True
        self._is_inverted = self._is_all_on = False
        self._has_pump = self.kind == "sh1106"
        self.is_on = False
        self.contrast = 0x7F if self.kind == "ssd1306" else 0x80

    def take(self, message: bytes) -> None:
        """One message, without its address: a control byte, then commands or data."""
        self.taken += 1 + len(message)
        kind, rest = message[0], message[1:]
        if kind == DATA:
            self._fill(rest)
        elif kind == COMMANDS:
            self._obey(rest)

    def image(self) -> Image.Image:
        """What an eye sees."""
        if not self.is_on or not self._has_pump:
            return Image.new("1", (WIDTH, HEIGHT))
        if self._is_all_on:
            return Image.new("1", (WIDTH, HEIGHT), 1)
        image = Image.frombytes("1", (HEIGHT, WIDTH), self._seen()).transpose(Image.Transpose.TRANSPOSE)
        if self._start_line:
            image = _rolled(image, self._start_line)
        if self._is_mirrored:
            image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        if self._is_upside_down:
            image = image.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
        return image.point(lambda dot: 0 if dot else 255) if self._is_inverted else image

    def _seen(self) -> bytes:
        """Column after column, eight bytes each, the top pixel in the highest bit."""
        wide, first = _RAM_COLUMNS[self.kind], _FIRST_SEEN[self.kind]
        columns = bytearray(WIDTH * STRIPS)
        for strip in range(STRIPS):
            start = wide * strip + first
            columns[strip::STRIPS] = self._ram[start : start + WIDTH].translate(_TOP_FIRST)
        return bytes(columns)

    def _fill(self, data: bytes) -> None:
        wide = _RAM_COLUMNS[self.kind]
        for byte in data:
            if self._column < wide:
                self._ram[wide * self._strip + self._column] = byte
            self._step()

    def _step(self) -> None:
        """Where the next byte goes: SH1106 stops at the end of its strip, SSD1306 wraps."""
        if self.kind == "sh1106":
            self._column = min(self._column + 1, _RAM_COLUMNS["sh1106"])
        elif self._is_paged:
            self._column = (self._column + 1) % WIDTH
        elif self._column == self._columns[1]:
            self._column = self._columns[0]
            self._strip = self._strips[0] if self._strip == self._strips[1] else (self._strip + 1) % STRIPS
        else:
            self._column = (self._column + 1) % WIDTH

    def _obey(self, commands: bytes) -> None:
        at = 0
        while at < len(commands):
            word, many = commands[at], _ARGUMENTS[self.kind].get(commands[at], 0)
            given = commands[at + 1 : at + 1 + many]
            if len(given) == many:
                self._do(word, given)
            at += 1 + many

    def _do(self, word: int, given: bytes) -> None:
        if word <= 0x1F:
            self._move_column(word)
        elif 0xB0 <= word <= 0xB7:
            self._strip = word - 0xB0 if self._is_paged else self._strip
        elif 0x40 <= word <= 0x7F:
            self._start_line = word - 0x40
        elif word in (0x20, 0x21, 0x22, 0x8D) and self.kind == "ssd1306":
            self._do_as_ssd1306(word, given)
        else:
            self._set(word, given)

    def _move_column(self, word: int) -> None:
        if self._is_paged:
            half = self._column_set if self._latches else self._column
            self._column = half & 0xF0 | word if word <= 0x0F else ((word & 0x0F) << 4) | half & 0x0F
            self._column_set = self._column

    def _do_as_ssd1306(self, word: int, given: bytes) -> None:
        match word:
            case 0x20:
                self._is_paged = given[0] & 3 == 2
            case 0x21:
                self._columns = (given[0] & 0x7F, given[1] & 0x7F)
                self._column = self._columns[0] if not self._is_paged else self._column
            case 0x22:
                self._strips = (given[0] & 7, given[1] & 7)
                self._strip = self._strips[0] if not self._is_paged else self._strip
            case 0x8D:
                self._has_pump = bool(given[0] & 4)

    def _set(self, word: int, given: bytes) -> None:
        match word:
            case 0x81:
                self.contrast = given[0]
            case 0xA0 | 0xA1:
                self._is_mirrored = word == 0xA0
            case 0xC0 | 0xC8:
                self._is_upside_down = word == 0xC0
            case 0xA4 | 0xA5:
                self._is_all_on = word == 0xA5
            case 0xA6 | 0xA7:
                self._is_inverted = word == 0xA7
            case 0xAE | 0xAF:
                self.is_on = word == 0xAF
            case _:
                pass  # timing and voltages, which no eye sees


def _rolled(image: Image.Image, lines: int) -> Image.Image:
    out = Image.new("1", image.size)
    out.paste(image.crop((0, lines, WIDTH, HEIGHT)), (0, 0))
    out.paste(image.crop((0, 0, WIDTH, lines)), (0, HEIGHT - lines))
    return out
