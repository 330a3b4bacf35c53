"""The web address on the display: as a QR code for cameras, and as text to type."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from .sheet import HEIGHT, Box, Sheet, wrap

_QR_ROOM: Final = 62


def as_typed(sheet: Sheet, address: str, room: int) -> str:
    """The address as text, on one line or two; nothing if it doesn't fit."""
    host = _parts(address)[0].lower()
    for words in (host, host.replace(":", " :"), ". ".join(host.rsplit(".", 1))):
        lines = wrap(sheet.faces[8], words, room)
        if lines is not None and len(lines) <= 2:
            return words
    return ""


def _parts(address: str) -> tuple[str, str]:
    """Host and path."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "", address
    return parts.netloc, parts.path


def draw_code(sheet: Sheet, address: str) -> int:
    """The code on its white field at the left; returns the field's width (0 without a code)."""
    # Capitals make a smaller code; scheme and host are case-insensitive, the path isn't.
    path = _parts(address)[1]
    return draw_text_code(sheet, address.upper() if path == path.upper() else address)


def draw_text_code(sheet: Sheet, words: str) -> int:
    """Any text as a code, in the same place."""
    if not words:
        return 0
    import segno  # only these pages need it, and the first page should appear quickly

    try:
        rows = segno.make(words, micro=False, error="l", boost_error=False).matrix
    except segno.DataOverflowError:
        return 0
    dot = 2 if 2 * len(rows) <= HEIGHT - 2 else 1
    wide = min(max(dot * (len(rows) + 8), _QR_ROOM), HEIGHT)
    if dot * len(rows) > wide:
        return 0
    sheet.fill(Box(0, 0, wide, HEIGHT), 1)
    x, y = (wide - dot * len(rows)) // 2, (HEIGHT - dot * len(rows)) // 2
    for down, row in enumerate(rows):
        for along, dark in enumerate(row):
            if dark:
                sheet.fill(Box(x + dot * along, y + dot * down, dot, dot), 0)
    return wide
