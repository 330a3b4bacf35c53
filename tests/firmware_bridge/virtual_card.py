"""A real smart-card service with a virtual reader (the driver is Debian's vsmartcard-vpcd), and cards laid on it."""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import pytest

PCSCD: Final = shutil.which("pcscd") or "/usr/sbin/pcscd"
DRIVER: Final = Path("/usr/lib/pcsc/drivers/serial/libifdvpcd.so")
SOCKET: Final = Path("/run/pcscd/pcscd.comm")
PORT: Final = 0x8C7B
NAME: Final = "Virtual PCD"
ATR: Final = bytes.fromhex("3B8F8001804F0CA000000306030003000000006B")
"""That of a contactless memory card, as defined by PC/SC part 3."""
_OFF, _ON, _RESET, _ATR = 0, 1, 2, 4


def need_service() -> None:
    """Skip if we can't start a service of our own."""
    if not (Path(PCSCD).exists() and DRIVER.exists()):
        pytest.skip("needs a virtual smart-card reader: apt-get install pcscd vsmartcard-vpcd")
    if os.geteuid() != 0:
        pytest.skip("needs to be root to start a smart-card service")


class Service:
    """pcscd with one virtual reader; started and stopped at will."""

    def __init__(self, folder: Path) -> None:
        (folder / "vpcd").write_text(
            f'FRIENDLYNAME "{NAME}"\nDEVICENAME /dev/null:{PORT:#x}\nLIBPATH {DRIVER}\nCHANNELID {PORT:#x}\n'
        )
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        SOCKET.parent.mkdir(exist_ok=True)
        command = [PCSCD, "--foreground", "--config", str(self._folder)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None


@contextmanager
def service() -> Iterator[Service]:
    """One at a time on this machine: its socket and port have fixed names."""
    with (Path(tempfile.gettempdir()) / "pcscd-of-tests").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if SOCKET.exists() and _is_answered():
            pytest.skip("another smart-card service runs here")
        SOCKET.unlink(missing_ok=True)  # of one that was killed: a new one would refuse to start
        with tempfile.TemporaryDirectory() as folder:
            one = Service(Path(folder))
            one.start()
            try:
                yield one
            finally:
                one.stop()


def _is_answered() -> bool:
    with socket.socket(socket.AF_UNIX) as probe, suppress(OSError):
        probe.connect(str(SOCKET))
        return True
    return False


class Card:
    """A card that lies on the virtual reader inside a `with`.

    `says` are its answers when asked for its number; the last one repeats.
    """

    def __init__(self, *says: bytes) -> None:
        self._says = list(says)
        self._socket = socket.socket()
        self._thread = threading.Thread(target=self._answer, daemon=True)

    @classmethod
    def of(cls, uid: str) -> Self:
        return cls(bytes.fromhex(uid) + b"\x90\x00")

    def __enter__(self) -> Self:
        while self._socket.connect_ex(("127.0.0.1", PORT)):  # until the service has opened its reader
            self._socket.close()
            self._socket = socket.socket()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._socket.close()

    def _answer(self) -> None:
        with suppress(OSError, struct.error):
            while True:
                (length,) = struct.unpack(">H", self._socket.recv(2, socket.MSG_WAITALL))
                asked = self._socket.recv(length, socket.MSG_WAITALL)
                if length == 1 and asked[0] in (_OFF, _ON, _RESET):
                    continue
                said = ATR if asked == bytes([_ATR]) else self._said()
                self._socket.sendall(struct.pack(">H", len(said)) + said)

    def _said(self) -> bytes:
        return self._says.pop(0) if len(self._says) > 1 else self._says[0]
