"""Make pictures/hands.png: what the display says to the mistakes of an evening: python docs/hands.py

The evening is companion/games/us_patent/playthroughs/hands-and-mistakes.txt; the numbers are its lines.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image

HERE: Final = Path(__file__).parent
EVENING: Final = HERE.parent / "companion" / "games" / "us_patent" / "playthroughs" / "hands-and-mistakes.txt"
LINES: Final = (15, 32, 41, 46, 62, 64, 70, 81)
"""A wrong Market, a misread die, a wrong mat and the right one, a bumped table and after, two swapped cards, a
payment.
"""
COLUMNS, SCALE, GAP = 4, 2, 8


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).with_name("companion")), "script", "--save-oled", folder, str(EVENING)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        shown = [Image.open(Path(folder) / f"{EVENING.stem}-{line:04}.png").convert("L") for line in LINES]
        width, height = (SCALE * size for size in shown[0].size)
        rows = -(-len(shown) // COLUMNS)
        sheet = Image.new("L", (COLUMNS * (width + GAP) + GAP, rows * (height + GAP) + GAP), 90)
        for at, image in enumerate(shown):
            place = (GAP + at % COLUMNS * (width + GAP), GAP + at // COLUMNS * (height + GAP))
            sheet.paste(image.resize((width, height), Image.Resampling.NEAREST), place)
    sheet.save(HERE / "pictures" / "hands.png", optimize=True)


if __name__ == "__main__":
    main()
