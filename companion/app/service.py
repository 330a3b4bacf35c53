"""Running as a systemd service: say when it is ready, and feed the watchdog only while every part makes progress.

The protocol is one datagram to a socket that systemd names, so no library is needed.
"""

from __future__ import annotations

import gc
import http.client
import logging
import os
import socket
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

log = logging.getLogger(__name__)

_PATIENCE: Final = 3.0
"""Seconds within which a part must make progress to count as alive."""

SWITCH_OFF: Final = "switch-off"
OPEN_WIFI: Final = "open-wifi"
WIFI_SAID: Final = "wifi-said"
_LOOK_AGAIN: Final = 0.25
_LONGEST: Final = 80

Check = Callable[[], bool]


def notify(*lines: str) -> bool:
    """Tell systemd; False if there is none."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            out.connect("\0" + address[1:] if address.startswith("@") else address)
            out.sendall("\n".join(lines).encode())
    except OSError as error:
        log.warning("systemd does not listen at %s: %s", address, error)
        return False
    return True


def watchdog_seconds() -> float | None:
    """How often systemd wants to be fed at least; None if it does not watch this process."""
    if os.environ.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    micro = os.environ.get("WATCHDOG_USEC", "")
    return int(micro) / 1e6 if micro.isdecimal() and int(micro) else None


def page_is_served(port: int) -> bool:
    """Whether the dashboard answers: its loop does, and reports that the threads that draw pages make progress."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)
    try:
        connection.request("GET", "/alive", headers={"Connection": "close"})
        return connection.getresponse().status < http.client.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def way_to(name: str) -> Callable[[], None] | None:
    """Asks the machine for something through a file that a systemd unit waits for; None if there is no such unit."""
    where = folder()
    return None if where is None else (where / name).touch


def folder() -> Path | None:
    """Where a service asks the machine for something; None if we are not a service."""
    found = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    return Path(found) if found else None


def first_line(path: Path, patience: float) -> str:
    """What is in a file once it is there; nobody writing it is an answer, too."""
    pause = threading.Event()
    for _ in range(int(patience / _LOOK_AGAIN)):
        if path.exists() and (words := path.read_text(errors="replace")):
            return words.splitlines()[0][:_LONGEST]
        pause.wait(_LOOK_AGAIN)
    return "NetworkManager"


class Watchdog:
    """Ready at the start of the block, stopping at its end; in between, fed while every check says yes.

    A hanging part is named once; if it keeps hanging, systemd restarts the program, and the game goes on.
    """

    def __init__(self, checks: Mapping[str, Check], every: float | None = None) -> None:
        self._checks = dict(checks)
        seconds = watchdog_seconds()
        self._every = every if every is not None else None if seconds is None else seconds / 3
        self._ends = threading.Event()
        self._hanging: tuple[str, ...] = ()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        notify("READY=1")
        if self._every is not None:
            self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        notify("STOPPING=1")
        self._ends.set()
        if self._thread is not None:
            self._thread.join()

    def feed(self) -> bool:
        """Ask every part; returns whether the watchdog was fed."""
        hanging = tuple(name for name, check in self._checks.items() if not check())
        if hanging != self._hanging:
            log.log(logging.ERROR if hanging else logging.INFO, "hanging: %s", ", ".join(hanging) or "nothing any more")
            self._hanging = hanging
        return not hanging and notify("WATCHDOG=1")

    def _run(self) -> None:
        assert self._every is not None
        while not self._ends.is_set():
            self.feed()
            self._ends.wait(self._every)


def rest_the_collector() -> None:
    """What is loaded stays for the evening: examining it again and again would only hold up taps."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
