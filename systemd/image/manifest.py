"""What Raspberry Pi Imager must know of an image to offer it with its settings (name, user, Wi-Fi).

    python systemd/image/manifest.py IMAGE.img.xz https://where.it/lies/IMAGE.img.xz > os_list.json

Imager opens the list with `rpi-imager --repo os_list.json`, or from an address.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

DEVICES: Final = ("pi3-64bit", "pi4-64bit", "pi5-64bit")
BLOCK: Final = 1 << 20


def manifest(image: Path, url: str) -> dict[str, object]:
    """The list with this one image, which is unpacked once to get its size and hash."""
    digest, size = hashlib.sha256(), 0
    with lzma.open(image) as unpacked:
        while block := unpacked.read(BLOCK):
            digest.update(block)
            size += len(block)
    released = datetime.fromtimestamp(image.stat().st_mtime, UTC).date().isoformat()
    entry = {
        "name": "Table companion",
        "description": "A referee in a box for the game table",
        "icon": "icons/use_custom.png",
        "url": url,
        "extract_size": size,
        "extract_sha256": digest.hexdigest(),
        "image_download_size": image.stat().st_size,
        "release_date": released,
        "init_format": "cloudinit",
        "devices": list(DEVICES),
        "architecture": "armv8",
    }
    return {"os_list": [entry]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("image", type=Path)
    parser.add_argument("url")
    options = parser.parse_args()
    try:
        found = manifest(options.image, options.url)
    except (OSError, lzma.LZMAError) as error:
        sys.stderr.write(f"{options.image} is no image packed with xz: {error}. Pack it: xz -T0 IMAGE.img\n")
        return 1
    sys.stdout.write(json.dumps(found, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
