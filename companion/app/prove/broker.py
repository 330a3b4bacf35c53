"""The broker of an evening that is played in a club: a real Mosquitto, which is killed, stopped and started again."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path
from threading import Event
from typing import Final

from companion.app.hub.broker import Broker as HubsBroker
from companion.app.hub.broker import NoBroker, found
from web.club import Paired, TableId, can_join

PATIENCE: Final = 60.0
TABLE: Final = TableId("t-proof1")
PASSWORD: Final = "only-on-this-machine"  # noqa: S105  a broker on loopback, gone with its evening
CONFIG: Final = "mosquitto.conf"


@cache
def prepared() -> Path | None:
    """Certificates, passwords and access list as a hub makes them, once for all evenings; None without Mosquitto."""
    if not can_join():
        return None
    folder = Path(tempfile.mkdtemp(prefix="prove-club-"))
    atexit.register(_tidy, folder, os.getpid())
    broker = HubsBroker(folder, 0, ())
    try:
        broker.start()
        broker.add(TABLE, PASSWORD)
    except NoBroker:
        return None
    broker.close()
    return folder


def _tidy(folder: Path, whose: int) -> None:
    """By the process that made it, not by those that were forked from it."""
    if os.getpid() == whose:
        shutil.rmtree(folder, ignore_errors=True)


class Broker:
    """One Mosquitto in a folder of its own, without a thread: whoever starts boxes has none."""

    def __init__(self, ready: Path, folder: Path, port: int) -> None:
        shutil.copytree(ready, folder)
        self._folder, self.port = folder, port
        lines = (ready / CONFIG).read_text().replace(str(ready), str(folder)).splitlines()
        kept = [line for line in lines if not line.startswith("listener ")]
        (folder / CONFIG).write_text("\n".join((f"listener {port} 127.0.0.1", *kept, "")))
        self._process: subprocess.Popen[bytes] | None = None

    def paired(self, user: TableId, club: str = "The proof") -> Paired:
        """How somebody gets in."""
        password = PASSWORD if user == TABLE else (self._folder / "hub.key").read_text()
        return Paired(user, password, "127.0.0.1", self.port, (self._folder / "ca.pem").read_text(), club)

    def start(self) -> None:
        """Returns when it listens."""
        with (self._folder / "mosquitto.log").open("ab") as said:
            told = [found("mosquitto"), "-c", str(self._folder / CONFIG)]
            self._process = subprocess.Popen(told, stdout=said, stderr=said)
        late = time.monotonic() + PATIENCE
        while not self._listens():
            if self._process.poll() is not None or time.monotonic() > late:
                raise NoBroker(f"Mosquitto does not start on port {self.port}; see {self._folder}")
            Event().wait(0.01)

    def _listens(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1.0):
            return True
        return False

    def kill(self) -> None:
        """At once, and with all that it has not written down."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def hang(self) -> None:
        """It takes whoever comes, and answers nobody."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)
