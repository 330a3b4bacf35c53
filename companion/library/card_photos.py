"""The photos that owners took of their cards: small JPEG files beside the pack they belong to, passed on with it."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from companion.core import PieceId

from .whole_files import write_whole

TABLE: Final = "photos"
"""The table of a pack's file that holds its photos, and the folder they are in."""
LARGEST: Final = 24 * 1024
"""Bytes per photo; those taken here have about half of that."""
MOST: Final = 400
_CARD: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_JPEG: Final = b"\xff\xd8\xff"


def find(folder: Path, card: str) -> bytes | None:
    """The photo of a card of the pack in `folder`."""
    path = _path(folder, card)
    return path.read_bytes() if path is not None and path.is_file() else None


def keep(folder: Path, card: PieceId, photo: bytes) -> None:
    """Save the photo of a card, replacing any other; raises NotSaved."""
    path = _path(folder, card)
    assert path is not None, "cards have plain ids"
    write_whole(path, photo)


def copy(of: Path, to: Path) -> None:
    """Copy the photos of one pack to another."""
    if (of / TABLE).is_dir():
        import shutil

        shutil.copytree(of / TABLE, to / TABLE, dirs_exist_ok=True)


def lines(folder: Path) -> str:
    """The photos of a pack as the last part of its file; "" if there are none."""
    found = sorted((folder / TABLE).glob("*.jpg")) if (folder / TABLE).is_dir() else []
    rows = "".join(f'{path.stem} = "{base64.b64encode(path.read_bytes()).decode()}"\n' for path in found)
    return f"\n[{TABLE}]\n{rows}" if rows else ""


def parsed(table: Any) -> Mapping[PieceId, bytes]:
    """The photos in a pack's file; anything but a small JPEG of a card is left out."""
    if not isinstance(table, dict):
        return {}
    found = {PieceId(card): _decoded(text) for card, text in list(table.items())[:MOST] if _CARD.fullmatch(card)}
    return {card: photo for card, photo in found.items() if photo is not None}


def _decoded(text: Any) -> bytes | None:
    try:
        photo = base64.b64decode(text, validate=True)
    except (TypeError, ValueError, binascii.Error):
        return None
    return photo if photo.startswith(_JPEG) and len(photo) <= LARGEST else None


def _path(folder: Path, card: str) -> Path | None:
    """Where the photo of a card is; None if no card can have this name."""
    return folder / TABLE / f"{card}.jpg" if _CARD.fullmatch(card) and len(card) <= 80 else None
