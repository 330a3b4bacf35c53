"""Which Wi-Fi the box is on. The companion asks, through files in its folder below /run; a unit of systemd, which may
change the network, does it and says what came of it. Whatever fails, the box opens its own Wi-Fi again: then phones
still find it, and the evening goes on.
"""

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

from companion.core import Name, Said, say

from .hotspot import ADDRESS, CONNECTION
from .house_wifi import HouseWifi
from .service import OPEN_WIFI, WIFI_SAID, first_line

JOIN, LEAVE, SEEN = "join-wifi", "leave-wifi", "wifi-seen"
CONNECTIONS: Final = Path("/etc/NetworkManager/system-connections")
PATIENCE: Final = 90.0
"""Seconds within which a box is on another Wi-Fi, or back on its own."""
_MOST_NAMES: Final = 30

Runs = Callable[..., "subprocess.CompletedProcess[str]"]


# --- what the companion asks for ------------------------------------------------------------------------------------


def is_on_its_own() -> bool:
    """Whether the box's own Wi-Fi is open: then its address is one of this machine's."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind((ADDRESS, 0))
        return True
    return False


class Network:
    """The box's Wi-Fi, as phones may change it. Everything returns at once; `tell` hears why something failed."""

    def __init__(self, folder: Path, has_own: bool, tell: Callable[[Said | None], None]) -> None:
        self._folder, self.has_own, self._tell = folder, has_own, tell

    def is_own(self) -> bool:
        return is_on_its_own()

    def names(self) -> tuple[str, ...]:
        """Those that were seen before the box opened its own, strongest first."""
        try:
            lines = (self._folder / SEEN).read_text(errors="replace").splitlines()
        except OSError:
            return ()
        return tuple(dict.fromkeys(line for line in lines if line))[:_MOST_NAMES]

    def join(self, name: str, password: str) -> bool:
        """Leave for a Wi-Fi of the house; False where there can be none of this name and password."""
        house = HouseWifi(name, password)
        if house.is_possible:
            self._ask(JOIN, msgspec.json.encode(house))
        return house.is_possible

    def leave(self) -> None:
        """Leave the box's own Wi-Fi for one that it knows."""
        self._ask(LEAVE)

    def open_own(self) -> None:
        self._ask(OPEN_WIFI)

    def _ask(self, what: str, words: bytes = b"") -> None:
        (self._folder / WIFI_SAID).unlink(missing_ok=True)
        draft = self._folder / f".{what}"
        draft.write_bytes(words)
        draft.rename(self._folder / what)
        key = "trouble.wifi" if what == OPEN_WIFI else "trouble.house-wifi"
        threading.Thread(target=self._wait_and_tell, args=(key,), name="wifi", daemon=True).start()

    def _wait_and_tell(self, key: str) -> None:
        why = first_line(self._folder / WIFI_SAID, PATIENCE)
        self._tell(say(key, why=Name(why)) if why else None)


# --- what the unit does -----------------------------------------------------------------------------------------------


def nmcli(*words: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(["nmcli", *words], capture_output=True, text=True, check=False)
    except OSError as error:
        return subprocess.CompletedProcess(words, 127, "", f"nmcli: {error.strerror}")


class Doing:
    """With the rights to change the network; nothing in the folder is trusted, since the companion writes there."""

    def __init__(self, folder: Path, connections: Path = CONNECTIONS, run: Runs = nmcli) -> None:
        self._folder, self._connections, self._run = folder, connections, run

    def answer(self) -> str:
        """Do what is asked for and say what failed; "" if nothing did."""
        house, leaves, opens = self._taken(JOIN), self._taken(LEAVE), self._taken(OPEN_WIFI)
        why = ""
        if house is not None:
            why = self._join(house)
        elif leaves is not None:
            why = self._leave()
        elif opens is not None:
            self._look_around()
            why = self._open()
        self._write(WIFI_SAID, f"{why}\n")
        return why

    def _join(self, words: bytes) -> str:
        try:
            house = msgspec.json.decode(words, type=HouseWifi)
        except msgspec.DecodeError:
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
        return self._failed("--wait", "20", "connection", "up", CONNECTION)

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
            file.write(words)


def _write_secret(path: Path, words: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(words)
    draft.rename(path)
