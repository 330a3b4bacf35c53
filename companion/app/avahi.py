"""Hubs that say on the network where they are, and boxes that hear it: mDNS, by Avahi's own programs.

Where they are missing nobody is found, and the address is typed.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Final

from companion.core import HubFound

SERVICE: Final = "_companion-hub._tcp"
PATIENCE: Final = 5.0
MOST: Final = 8
LONGEST: Final = 40
_ESCAPED: Final = re.compile(rb"\\(\d{3}|.)", re.DOTALL)
_NAME, _ADDRESS, _PORT, _FIELDS = 3, 7, 8, 9


@contextlib.contextmanager
def announced(name: str, port: int) -> Iterator[None]:
    """Say where this hub is, from here to the end of the block."""
    program = shutil.which("avahi-publish-service")
    if program is None:
        yield
        return
    quiet = subprocess.DEVNULL
    said = subprocess.Popen([program, name, SERVICE, str(port)], stdin=quiet, stdout=quiet, stderr=quiet)
    try:
        yield
    finally:
        said.terminate()
        said.wait()


def hubs() -> tuple[HubFound, ...]:
    """The hubs around, by their names; takes some seconds."""
    program = shutil.which("avahi-browse")
    if program is None:
        return ()
    asked = [program, "--resolve", "--parsable", "--terminate", SERVICE]
    try:
        done = subprocess.run(asked, capture_output=True, check=False, stdin=subprocess.DEVNULL, timeout=PATIENCE)
        heard = done.stdout
    except subprocess.TimeoutExpired as late:
        heard = late.stdout or b""
    return _read(heard)


def _read(heard: bytes) -> tuple[HubFound, ...]:
    """One line for each interface on which a hub was found; one that is nearer than loopback does not exist."""
    found: dict[str, HubFound] = {}
    for line in sorted(heard.splitlines(), key=lambda line: b";127." in line):
        parts = line.split(b";")
        if len(parts) > _FIELDS - 1 and parts[0] == b"=" and parts[2] == b"IPv4":
            name = _ESCAPED.sub(_unescaped, parts[_NAME]).decode(errors="replace")[:LONGEST]
            found.setdefault(name, HubFound(name, f"{parts[_ADDRESS].decode()}:{parts[_PORT].decode()}"))
    return tuple(found[name] for name in sorted(found))[:MOST]


def _unescaped(escaped: re.Match[bytes]) -> bytes:
    return bytes([int(escaped[1]) & 255]) if escaped[1].isdigit() else escaped[1]
