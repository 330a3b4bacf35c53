"""python -m hw.display.gallery OUTDIR"""

from __future__ import annotations

import sys
from pathlib import Path

from . import gallery_sheet


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    gallery_sheet().save(out / "oled.png", optimize=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case [out]:
            main(Path(out))
        case _:
            sys.exit("usage: python -m hw.display.gallery OUTDIR")
