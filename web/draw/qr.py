"""An address as a QR code, drawn inline."""

from __future__ import annotations

from typing import Final

import segno
from msgspec import Struct

QUIET: Final = 2


class Code(Struct, frozen=True):
    """The address as text, and as one path in a square of `size` modules."""

    address: str
    size: int
    path: str


def code_of(address: str) -> Code | None:
    """The code of an address; None if there is none to show."""
    if not address:
        return None
    rows = [list(row) for row in segno.make(address, error="m", micro=False).matrix]
    path = "".join(
        f"M{x + QUIET} {y + QUIET}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark
    )
    return Code(address, len(rows) + 2 * QUIET, path)
