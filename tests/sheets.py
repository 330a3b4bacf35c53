"""Sheets as a printer would make them: which of their codes can be read, and what lies where printers don't print."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from PIL import Image
from zxingcpp import BarcodeFormat, BarcodeFormats, read_barcodes

from companion.app.printing.paper import EDGE
from companion.app.printing.sheets import Made, order_of
from companion.core import Game
from companion.library import Digits

DPI: Final = 150
_INCH: Final = 25.4
_PAPER_WHITE: Final = 250


def rendered(pdf: bytes, dpi: int = DPI, pages: tuple[int, int] | None = None) -> Iterator[Image.Image]:
    """Each page in shades of grey, as poppler draws it; pdftoppm is in Debian's poppler-utils."""
    program = shutil.which("pdftoppm")
    assert program, "pdftoppm is not there: apt-get install poppler-utils"
    some = [] if pages is None else ["-f", str(pages[0]), "-l", str(pages[1])]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "sheets.pdf")
        file.write_bytes(pdf)
        subprocess.run([program, "-gray", "-r", str(dpi), *some, file, file.with_suffix("")], check=True)
        for page in sorted(Path(folder).glob("*.pgm")):
            with Image.open(page) as image:
                image.load()
                yield image


def read(image: Image.Image) -> tuple[str, ...]:
    """The codes found anywhere on a page."""
    return tuple(sorted(found.text for found in read_barcodes(image, formats=BarcodeFormats(BarcodeFormat.DataMatrix))))


def unread(made: Made, images: list[Image.Image]) -> list[tuple[int, str]]:
    """The codes that should be on a page and aren't found there, and those that are found and shouldn't be."""
    wrong: list[tuple[int, str]] = []
    for number, image in enumerate(images, 1):
        due = {placed.digits for placed in made.codes if placed.page == number}
        wrong += [(number, digits) for digits in due ^ set(map(Digits, read(image)))]
    return wrong


def is_white_at_the_edge(image: Image.Image, dpi: int = DPI) -> bool:
    """Whether nothing lies where printers don't print."""
    edge = int(EDGE / _INCH * dpi) - 1
    w, h = image.size
    strips = ((0, 0, w, edge), (0, h - edge, w, h), (0, 0, edge, h), (w - edge, 0, w, h))
    return all(image.crop(strip).point(lambda shade: shade < _PAPER_WHITE).getbbox() is None for strip in strips)


def order(game: Game[Any, Any], **more: Any) -> Any:
    """An order for all seats, in English on A4 by default."""
    from companion.library import shelf

    return order_of(game, shelf.pack(game), game.seats[1], more.pop("lang", "en"), **more)
