"""The air around a box that has no radio: an `nmcli` that asks here, and a phone with a network of its own.

Everything else is real: the unit and its rights, the profiles that it writes, addresses, and packets between the two.
The air knows the Wi-Fi of the house, and lets nobody in, box or phone, who does not have the key.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from companion.app.hotspot import ADDRESS, CONNECTION
from companion.app.house_wifi import HouseWifi
from tests.appliance.rooms import run

HOME: Final = HouseWifi("Chez Ada", "correct horse")
BOX: Final = {"own": f"{ADDRESS}/24", "house": "192.168.77.23/24"}
PHONE: Final = {"own": "10.42.0.77/24", "house": "192.168.77.42/24"}
NMCLI: Final = """#!/usr/bin/python3 -I
import json, socket, sys
with socket.socket(socket.AF_UNIX) as air:
    air.connect("/air/socket")
    air.sendall(json.dumps(sys.argv[1:]).encode() + b"\\n")
    code, words = json.loads(air.makefile().readline())
(sys.stderr if code else sys.stdout).write(words)
sys.exit(code)
"""
HANDS_OFF: Final = "[keyfile]\nunmanaged-devices=interface-name:wlan0\n"
"""NetworkManager runs, but leaves the stand-in for the radio alone."""
WRONG: Final = "Error: Connection activation failed: Secrets were required, but not provided.\n"
CLONE_NEWNET: Final = 0x40000000


@contextmanager
def network_of(pid: str) -> Iterator[None]:
    """Whatever this thread connects to inside the block, it does in that process's network."""
    libc = ctypes.CDLL(None, use_errno=True)
    here, there = (os.open(f"/proc/{who}/ns/net", os.O_RDONLY | os.O_CLOEXEC) for who in ("thread-self", pid))
    try:
        if libc.setns(there, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"the network of {pid}")
        yield
    finally:
        libc.setns(here, CLONE_NEWNET)
        os.close(here)
        os.close(there)


class Air:
    """Copied into a root before it boots; used from `begin` to `end`."""

    def __init__(self, root: Path) -> None:
        self._root, self.box, self.on = root, "", ""
        self._phone = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        _written(root / "usr/local/bin/nmcli", NMCLI, 0o755)
        _written(root / "etc/NetworkManager/conf.d/air.conf", HANDS_OFF, 0o644)
        self._door = socket.socket(socket.AF_UNIX)
        (root / "air").mkdir()
        self._door.bind(str(root / "air/socket"))
        self._door.listen()
        threading.Thread(target=self._listen, name="air", daemon=True).start()

    @property
    def phone(self) -> str:
        return str(self._phone.pid)

    def begin(self, first: str) -> None:
        """Give a wlan0 to the box whose first process this is; it reaches the phone, and nothing else."""
        self.box = first
        run("ip", "link", "add", "wlan0", "netns", first, "type", "veth", "peer", "name", "phone0", "netns", self.phone)
        for who, end in ((self.box, "wlan0"), (self.phone, "phone0")):
            _ip(who, "link", "set", end, "up")

    def end(self) -> None:
        self._door.close()
        self._phone.kill()
        self._phone.wait()

    def phone_joins(self, name: str, password: str) -> None:
        """Somebody types a name and a password on the phone."""
        which = "house" if HouseWifi(name, password) == HOME else "own"
        if which == "own":
            profile = self._profile(f"{CONNECTION}.nmconnection")
            assert (name, password) == (_said(profile, "ssid"), _said(profile, "psk")), f"{name} lets no phone in"
        assert self.on == which, f"there is no {name} in the air, but the {self.on or 'silent'} one"
        _has(self.phone, "phone0", PHONE[which])

    # --- what nmcli asks

    def _listen(self) -> None:
        while True:
            try:
                asks, _ = self._door.accept()
            except OSError:
                return
            with asks, asks.makefile("rw") as lines:
                try:
                    lines.write(json.dumps(self._answer(json.loads(lines.readline()))) + "\n")
                except AssertionError:
                    if Path(f"/proc/{self.box}").exists():
                        raise
                    return  # the machine was switched off while it asked

    def _answer(self, words: list[str]) -> tuple[int, str]:
        match words:
            case [*_, "connection", "up", "table-companion"] if self._profile(f"{CONNECTION}.nmconnection"):
                return self._goes("own")
            case [*_, "connection", "up", "uuid", HOME.id] if _key_of(HOME) in self._profile(HOME.file):
                return self._goes("house")
            case [*_, "connection", "up", "uuid", _]:
                self.on = ""
                _has(self.box, "wlan0", "")
                return 4, WRONG
            case [*_, "device", "wifi", "list", "--rescan", "auto"]:
                return 0, f"{HOME.name}\nNeighbours\n"
        return 0, ""

    def _goes(self, which: str) -> tuple[int, str]:
        self.on = ""
        _has(self.box, "wlan0", BOX[which])
        if which == "house":
            _ip(self.box, "route", "replace", "default", "dev", "wlan0")
        self.on = which
        return 0, ""

    def _profile(self, name: str) -> str:
        path = self._root / "etc/NetworkManager/system-connections" / name
        return path.read_text() if path.exists() else ""


def _written(path: Path, words: str, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(words)
    path.chmod(mode)


def _said(profile: str, key: str) -> str:
    found = re.search(rf"^{key}=(.*)$", profile, flags=re.MULTILINE)
    return "" if found is None else found.group(1)


def _key_of(house: HouseWifi) -> str:
    return f"psk={_said(house.profile(), 'psk')}\n"


def _has(who: str, device: str, address: str) -> None:
    _ip(who, "addr", "flush", "dev", device)
    if address:
        _ip(who, "addr", "add", address, "dev", device)


def _ip(who: str, *words: str) -> None:
    run("nsenter", "-t", who, "-n", "ip", *words)
