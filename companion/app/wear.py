"""What was written to the card since the machine started, according to the kernel; finding out writes nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from msgspec import Struct

from companion.journal import JOURNAL

_SECTOR: Final = 512
_WRITTEN, _FLUSHES = 6, 15
"""Where /sys/block/…/stat has the number of sectors written, and how often the disk was told to flush."""


class Wear(Struct, frozen=True):
    """`own` is the companion's share of the bytes, None if it is not running or may not be asked."""

    written: int
    syncs: int
    own: int | None


def wear(data: Path, system: Path = Path("/sys"), processes: Path = Path("/proc")) -> Wear | None:
    """For the disk that holds `data`; None if that is not a disk, or one that does not count."""
    number = data.stat().st_dev
    disk = (system / "dev" / "block" / f"{os.major(number)}:{os.minor(number)}").resolve()
    if (disk / "partition").exists():
        disk = disk.parent  # syncs are counted for the whole disk
    try:
        counts = [int(word) for word in (disk / "stat").read_text().split()]
        return Wear(counts[_WRITTEN] * _SECTOR, counts[_FLUSHES], _own(data, processes))
    except (OSError, ValueError, IndexError):
        return None


def _own(data: Path, processes: Path) -> int | None:
    """What the process that holds the journal has written."""
    try:
        holder = int((data / f"{JOURNAL}.lock").read_text())
        lines = (processes / str(holder) / "io").read_text().splitlines()
    except (OSError, ValueError):
        return None
    found = dict(line.split(": ", 1) for line in lines if ": " in line)
    return int(found["write_bytes"]) if found.get("write_bytes", "").isdecimal() else None
