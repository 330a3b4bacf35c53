"""Several tables on one machine: each has its own folder below the data folder, and its own port, which it keeps."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.library import write_whole

from .options import AskedWrongly, CouldNot, made

FOLDER: Final = "tables"
PORT: Final = "port"
FIRST: Final = 8081
"""8080 is for the table without a name."""
LAST: Final = 8999
_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")


def folder_of(data: Path, name: str) -> Path:
    """Where the table with this name has its games, tags and settings."""
    if _NAME.fullmatch(name) is None:
        raise AskedWrongly(f"{name!r} is not a name for a table: use 1 to 32 of a-z, 0-9 and -, such as oak-4.")
    return made(data / FOLDER / name)


def port_of(folder: Path, asked: int | None) -> int:
    """This table's port: the one asked for, the one it had, or the next free one; it is remembered."""
    port = asked or _kept(folder) or _next(folder)
    if port != _kept(folder):
        write_whole(folder / PORT, f"{port}\n")
    return port


def _kept(folder: Path) -> int | None:
    try:
        found = (folder / PORT).read_text().strip()
    except (OSError, UnicodeDecodeError):
        return None
    return int(found) if re.fullmatch(r"[1-9][0-9]{0,4}", found) and int(found) < 1 << 16 else None


def _next(folder: Path) -> int:
    others = set(_of_others(folder))
    for port in range(FIRST, LAST + 1):
        if port not in others and _is_free(port):
            return port
    raise CouldNot(f"No port from {FIRST} to {LAST} is free. Name one with --port.")


def _of_others(folder: Path) -> Iterator[int]:
    return (port for each in folder.parent.iterdir() if (port := _kept(each)) is not None)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True
