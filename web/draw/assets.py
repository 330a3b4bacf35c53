"""Static files under names that contain their hash: cached forever, replaced at once."""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

STATIC: Final = Path(__file__).parents[1] / "static"
_KINDS: Final = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


class Asset(Struct, frozen=True):
    name: str
    kind: str
    body: bytes
    packed: bytes


@cache
def _packed(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


class Assets:
    """Every file in static/, read once. Only these can be requested, by their hashed names."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._by_name: dict[str, Asset] = {}
        self._hashed: dict[str, str] = {}
        for path in sorted(folder.iterdir()):
            if path.suffix not in _KINDS:
                continue
            body = path.read_bytes()
            name = f"{path.stem}.{hashlib.sha256(body).hexdigest()[:10]}{path.suffix}"
            self._by_name[name] = Asset(name, _KINDS[path.suffix], body, _packed(body))
            self._hashed[path.name] = name
        self.version = hashlib.sha256(" ".join(self._by_name).encode()).hexdigest()[:10]

    def url(self, plain: str) -> str:
        return f"/static/{self._hashed[plain]}"

    def plain(self, name: str) -> str:
        """The text of a file, to be embedded in another."""
        return self._by_name[self._hashed[name]].body.decode()

    def find(self, name: str) -> Asset | None:
        return self._by_name.get(name)
