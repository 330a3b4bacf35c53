"""Picture the printed sheets: python docs/sheets.py (needs poppler-utils and the extra `print`).

Pictures of real pages, as `companion print` makes them, for tonight.md and the README.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from companion.app.printing.sheets import make, order_of
from companion.library import shelf

OUT = Path(__file__).parent / "pictures"
DPI = 72
PAGES = (
    ("us-patent", "en", 4, "sheet-cards"),
    ("us-patent", "fr", 9, "sheet-dock"),
    ("us-patent", "en", 18, "sheet-board"),
    ("timeline", "en", 2, "sheet-timeline"),
    ("one-false-step", "en", 12, "sheet-county"),
    ("actionworks", "fr", 2, "sheet-actionworks"),
)
"""A game, a language, a page of its sheets, and the name of the picture."""


def picture(pdf: bytes, page: int, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "sheets.pdf")
        file.write_bytes(pdf)
        one = ["-f", str(page), "-l", str(page), "-singlefile", "-r", str(DPI), "-png"]
        subprocess.run(["pdftoppm", *one, str(file), str(OUT / name)], check=True)


if __name__ == "__main__":
    for game_id, lang, page, name in PAGES:
        game = shelf.open(game_id)
        picture(make(order_of(game, shelf.pack(game), game.seats[1], lang)).pdf, page, name)
