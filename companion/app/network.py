"""Which Wi-Fi the box is on. The companion asks through files in its folder below /run; a systemd unit that may change
the network does it and reports back. If anything fails, the box opens its own Wi-Fi again, so that phones still find it
and the evening goes on."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from companion.core import Said, say
from companion.table import Leaving, WifiKind

from .hotspot import ADDRESS, CONNECTION, Hotspot
from .house_wifi import HouseWifi
from .service import OPEN_WIFI, WIFI_SAID, first_line
from .wifi_why import reason

JOIN, LEAVE, SEEN = "join-wifi", "leave-wifi", "wifi-seen"
CONNECTIONS: Final = Path("/etc/NetworkManager/system-connections")
PATIENCE: Final = 90.0
"""Seconds within which a box is on another Wi-Fi, or back on its own."""
GRACE: Final = 3.0
"""Seconds that the box stays after it was sent elsewhere, so that phones hear where to find it."""
_MOST_NAMES: Final = 30

Later = Callable[[float, Callable[[], None]], None]
Runs = Callable[..., "subprocess.CompletedProcess[str]"]


# --- what the companion asks for ------------------------------------------------------------------------------------


def is_on_its_own() -> bool:
    """Whether the box's own Wi-Fi is open: then its address is one of this machine's."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind((ADDRESS, 0))
        return True
    return False


def _later(seconds: float, go: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, go)
    timer.daemon = True
    timer.start()


class Network:
    """The box's Wi-Fi as phones may change it; `own` is the name of its own, "" if it has none. Everything returns at
    once; `tell` hears why something failed."""

    def __init__(self, folder: Path, own: str, tell: Callable[[Said | None], None], later: Later = _later) -> None:
        self._folder, self._own, self._tell, self._later = folder, own, tell, later
        self._leaving: Leaving | None = None
        self._newest = 0
        self._watchers: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self.name = ""
        """The name under which phones find the box on any Wi-Fi, with its port; set once they are served."""

    @property
    def has_own(self) -> bool:
        return bool(self._own)

    def leaving(self) -> Leaving | None:
        return self._leaving

    def watch(self, fn: Callable[[], None]) -> Callable[[], None]:
        self._watchers.append(fn)
        return lambda: self._watchers.remove(fn)

    def is_own(self) -> bool:
        return is_on_its_own()

    def names(self) -> tuple[str, ...]:
        """Those seen before the box opened its own, strongest first."""
        try:
            lines = (self._folder / SEEN).read_text(errors="replace").splitlines()
        except OSError:
            return ()
        return tuple(dict.fromkeys(line for line in lines if line))[:_MOST_NAMES]

    def join(self, name: str, password: str) -> bool:
        """Leave for a Wi-Fi of the house; False if no network can have this name and password."""
        house = HouseWifi(name, password)
        if house.is_possible:
            self._ask(JOIN, self._to("house", name), msgspec.json.encode(house))
        return house.is_possible

    def leave(self) -> None:
        """Leave the box's own Wi-Fi for one that it knows."""
        self._ask(LEAVE, self._to("known"))

    def open_own(self) -> None:
        self._ask(OPEN_WIFI, self._to("own", self._own, ADDRESS))

    def _to(self, to: WifiKind, name: str = "", *known: str) -> Leaving:
        return Leaving(to, name, (*known, *([self.name] if self.name else ())))

    def _ask(self, what: str, to: Leaving, words: bytes = b"") -> None:
        """Ask once phones have heard; until then, the latest request replaces earlier ones."""
        with self._lock:
            self._newest += 1
            number = self._newest
        draft = self._folder / f".{what}-{number}"
        draft.write_bytes(words)
        self._leaves(to)
        self._later(GRACE, lambda: self._go(number, draft, what))

    def _go(self, number: int, draft: Path, what: str) -> None:
        if number != self._newest:
            draft.unlink()
            return
        (self._folder / WIFI_SAID).unlink(missing_ok=True)
        draft.rename(self._folder / what)
        key = "trouble.wifi" if what == OPEN_WIFI else "trouble.house-wifi"
        threading.Thread(target=self._wait_and_tell, args=(number, key), name="wifi", daemon=True).start()

    def _wait_and_tell(self, number: int, key: str) -> None:
        why = first_line(self._folder / WIFI_SAID, PATIENCE)
        if number == self._newest:
            self._leaves(None)
        self._tell(say(key, why=reason(why)) if why else None)

    def _leaves(self, to: Leaving | None) -> None:
        self._leaving = to
        for fn in tuple(self._watchers):
            fn()


# --- what the unit does -----------------------------------------------------------------------------------------------


def nmcli(*words: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(["nmcli", *words], capture_output=True, text=True, check=False)
    except OSError as error:
        return subprocess.CompletedProcess(words, 127, "", f"nmcli: {error.strerror}")


class Doing:
    """Has the rights to change the network, so nothing in the folder is trusted: the companion writes there."""

    def __init__(
        self, folder: Path, connections: Path = CONNECTIONS, run: Runs = nmcli, own: Hotspot | None = None
    ) -> None:
        self._folder, self._connections, self._run, self._own = folder, connections, run, own

    def answer(self) -> str:
        """Do what is asked for and say what failed; "" if nothing did."""
        house, leaves, opens = self._taken(JOIN), self._taken(LEAVE), self._taken(OPEN_WIFI)
        why = ""
        if house is not None:
            why = self._join(house)
        elif leaves is not None:
            why = self._leave()
        elif opens is not None:
            self._run("radio", "wifi", "on")  # off on a Raspberry Pi OS whose Wi-Fi was never set up
            self._look_around()
            why = self._open()
        self._write(WIFI_SAID, f"{why}\n")
        return why

    def _join(self, words: bytes) -> str:
        try:
            house = msgspec.json.decode(words, type=HouseWifi)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return "no name and password in what was asked"
        if not house.is_possible:
            return f"there is no Wi-Fi like {house.name!r}"
        path = self._connections / house.file
        before = path.read_text() if path.exists() else None
        _write_secret(path, house.profile())
        self._run("connection", "load", str(path))
        why = self._failed("--wait", "40", "connection", "up", "uuid", house.id)
        if why:
            if before is None:
                path.unlink()
            else:
                _write_secret(path, before)
            self._run("connection", "reload")
            self._open()
        return why

    def _leave(self) -> str:
        self._run("--wait", "10", "connection", "down", CONNECTION)
        why = self._failed("--wait", "40", "device", "connect", self._device())
        if why or CONNECTION in self._run("-t", "-f", "NAME", "connection", "show", "--active").stdout.splitlines():
            self._open()
            return why or "no other Wi-Fi is known here"
        return ""

    def _open(self) -> str:
        self._provide()
        return self._failed("--wait", "20", "connection", "up", CONNECTION)

    def _provide(self) -> None:
        """Tell NetworkManager about the box's own Wi-Fi when it is first opened, and when it changes."""
        path = self._connections / f"{CONNECTION}.nmconnection"
        words = None if self._own is None else self._own.profile()
        if words is not None and (not path.exists() or path.read_text() != words):
            _write_secret(path, words)
            self._run("connection", "load", str(path))

    def _failed(self, *words: str) -> str:
        """What it says went wrong, in one line."""
        done = self._run(*words)
        said = (done.stderr or done.stdout).strip().splitlines()
        return "" if done.returncode == 0 else said[0] if said else f"nmcli ended with {done.returncode}"

    def _device(self) -> str:
        rows = (row.split(":") for row in self._run("-t", "-f", "DEVICE,TYPE", "device").stdout.splitlines())
        return next((row[0] for row in rows if row[1:] == ["wifi"]), "wlan0")

    def _look_around(self) -> None:
        """While a box has its own Wi-Fi open, most chips see no other."""
        seen = self._run("-t", "-e", "no", "-f", "SSID", "device", "wifi", "list", "--rescan", "auto")
        if seen.returncode == 0:
            self._write(SEEN, seen.stdout, mode=0o644)

    def _taken(self, name: str) -> bytes | None:
        path = self._folder / name
        try:
            with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
                return file.read(4096)
        except OSError:
            return None
        finally:
            path.unlink(missing_ok=True)

    def _write(self, name: str, words: str, mode: int = 0o644) -> None:
        path = self._folder / name
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode), "w") as file:
            os.fchmod(file.fileno(), mode)  # meant for the companion, from whom the unit's umask would keep it
            file.write(words)


def _write_secret(path: Path, words: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(words)
    draft.rename(path)
