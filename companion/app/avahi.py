"""Hubs that announce themselves on the network, and boxes that find them: mDNS, through Avahi's own programs.

Without those programs nothing is found, and people type the address.
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
    """Announce this hub for the length of the block."""
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
    """The hubs nearby, by name; takes a few seconds."""
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
    """Avahi prints a line per interface that reaches a hub. Loopback comes last, used only if nothing else is."""
    found: dict[str, HubFound] = {}
    for line in sorted(heard.splitlines(), key=lambda line: b";127." in line):
        parts = line.split(b";")
        if len(parts) > _FIELDS - 1 and parts[0] == b"=" and parts[2] == b"IPv4":
            name = _ESCAPED.sub(_unescaped, parts[_NAME]).decode(errors="replace")[:LONGEST]
            found.setdefault(name, HubFound(name, f"{parts[_ADDRESS].decode()}:{parts[_PORT].decode()}"))
    return tuple(found[name] for name in sorted(found))[:MOST]


def _unescaped(escaped: re.Match[bytes]) -> bytes:
    return bytes([int(escaped[1]) & 255]) if escaped[1].isdigit() else escaped[1]
