"""The disk that remembers and misbehaves (`disk.c`), as proofs use it.

if __name__ == "__main__":
    start_on_disk()          # the program starts again, on this disk
    disk = Disk(folder)
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal, NamedTuple

_SOURCE: Final = Path(__file__).with_name("disk.c")
_LIBRARY: Final = "COMPANION_DISK"
_HEAD: Final = struct.Struct("=ccHiqq")

Kind = Literal["open", "write", "sync"]
_LETTER: Final = {"open": b"O", "write": b"W", "sync": b"S"}
FOREVER: Final = 1 << 30


class Call(NamedTuple):
    """One recorded call: O(pened), C(reated), W(ritten), T(runcated), S(ynced), F(ailed to sync), R(enamed),
    U(nlinked), and M, a mark of the proof's own.
    """

    kind: str
    empties: bool
    fd: int
    at: int
    data: bytes


def compiler() -> str | None:
    return shutil.which("cc") or shutil.which("gcc")


def start_on_disk() -> None:
    """Restart this program with the disk in front of the system's own, unless it already runs that way."""
    if _LIBRARY in os.environ:
        return
    cc = compiler()
    if cc is None:
        sys.exit("This proof needs a C compiler. To install: sudo apt-get install gcc libc6-dev")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "disk.so"
        subprocess.run([cc, "-O2", "-shared", "-fPIC", "-o", library, _SOURCE, "-ldl"], check=True)
        environment = {**os.environ, "LD_PRELOAD": str(library), _LIBRARY: str(library)}
        sys.exit(subprocess.run([sys.executable, *sys.argv], env=environment, check=False).returncode)


class Disk:
    """The calls that change files in `folder`; nothing is recorded and nothing fails until asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder: Final = folder
        self._library = ctypes.CDLL(os.environ[_LIBRARY])
        self._library.disk_notes.restype = ctypes.c_size_t
        self._library.disk_seen.restype = ctypes.c_long
        self._library.disk_mark.argtypes = [ctypes.c_int64]
        self._library.disk_fail.argtypes = [ctypes.c_char, ctypes.c_long, ctypes.c_long, ctypes.c_int]
        self._library.disk_watch(os.fsencode(folder))

    @contextmanager
    def noting(self) -> Iterator[list[Call]]:
        """What is done inside is in the list afterwards."""
        calls: list[Call] = []
        self._library.disk_forget()
        self._library.disk_note(1)
        try:
            yield calls
        finally:
            self._library.disk_note(0)
            calls += self._noted()

    def mark(self, number: int) -> None:
        self._library.disk_mark(number)

    def fail(self, kind: Kind, begin: int, end: int = FOREVER, code: int = errno.EIO) -> None:
        """From now on, calls of this kind fail with `code`, from number `begin` up to `end`."""
        self._library.disk_fail(_LETTER[kind], begin, end, code)

    def heal(self) -> int:
        """No call fails any more; returns how many of the failing kind there were."""
        seen = int(self._library.disk_seen())
        self._library.disk_fail(b"-", 0, 0, 0)
        return seen

    def _noted(self) -> Iterator[Call]:
        begin = ctypes.c_char_p()
        size = self._library.disk_notes(ctypes.byref(begin))
        notes = ctypes.string_at(begin, size) if size else b""
        at = 0
        while at < len(notes):
            kind, empties, _, fd, offset, length = _HEAD.unpack_from(notes, at)
            at += _HEAD.size
            yield Call(kind.decode(), empties != b"\0", fd, offset, notes[at : at + length])
            at += length
