"""The Wi-Fi that a box opens where there is none: its name and password, for phones and for NetworkManager."""

from __future__ import annotations

import re
import secrets
import uuid
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct

from companion.library import FormError, as_toml, fill, is_missing, read_toml, write_whole

FILE: Final = "hotspot.toml"
CONNECTION: Final = "table-companion"
ADDRESS: Final = "10.42.0.1"
"""The box's address in its own Wi-Fi; dnsmasq's configuration has it, too (systemd/dnsmasq-shared.conf)."""

_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_LENGTH: Final = 10
_APART: Final = 4
"""This many letters tell apart two boxes in the same hall."""
_PLAIN: Final = re.compile("[A-Za-z0-9_-]+")
_SPECIAL: Final = '\\;,":'


class HotspotError(FormError):
    """The file has no valid name and password."""


class Hotspot(Struct, frozen=True, forbid_unknown_fields=True):
    """A Wi-Fi by its name and its password."""

    name: Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[ -~]+\Z", description="1 to 32 plain letters")]
    password: Annotated[
        str, Meta(min_length=8, max_length=63, pattern=r"^[!-~]+\Z", description="8 to 63 letters without spaces")
    ]

    @property
    def code(self) -> str:
        """The text of the QR code that a camera reads to join."""
        return f"WIFI:T:WPA;S:{_escaped(self.name)};P:{_escaped(self.password)};;"

    def profile(self) -> str:
        """The connection as NetworkManager stores it. Known Wi-Fi takes precedence over this one."""
        password = self.password.replace("\\", "\\\\")
        return (
            f"[connection]\nid={CONNECTION}\nuuid={uuid.uuid5(uuid.NAMESPACE_DNS, CONNECTION)}\ntype=wifi\n"
            "autoconnect=true\nautoconnect-priority=-100\n\n"
            f"[wifi]\nmode=ap\nband=bg\nssid={_as_kept(self.name)}\n\n"
            # Protected management frames off: several Pis' chips do not support them, and then no phone gets in.
            f"[wifi-security]\nkey-mgmt=wpa-psk\nproto=rsn\npairwise=ccmp\ngroup=ccmp\npmf=1\npsk={password}\n\n"
            f"[ipv4]\nmethod=shared\naddress1={ADDRESS}/24\n\n[ipv6]\nmethod=disabled\n"
        )


def fresh(name: str) -> Hotspot:
    """A Wi-Fi with a password that nobody can guess and everybody can read aloud."""
    return Hotspot(name, _letters(_LENGTH))


def a_name() -> str:
    """A box's name for its Wi-Fi if nobody chose one."""
    return f"companion-{_letters(_APART)}"


def _letters(count: int) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(count))


def load(data: Path) -> Hotspot | None:
    """The Wi-Fi of this box, or None; HotspotError with every problem."""
    path = data / FILE
    if is_missing(path):
        return None
    tables, problems = read_toml(path, FILE)
    if not problems:
        found, problems = fill(Hotspot, tables, FILE)
        if found is not None:
            return found
    raise HotspotError(problems, f"Repair {path}, or remove it to play without a Wi-Fi of its own.")


def save(data: Path, hotspot: Hotspot) -> None:
    write_whole(data / FILE, f"name = {as_toml(hotspot.name)}\npassword = {as_toml(hotspot.password)}\n")
    (data / FILE).chmod(0o600)


def _as_kept(name: str) -> str:
    """As bytes if a character in it would mean something else in NetworkManager's file, such as a leading space."""
    return name if _PLAIN.fullmatch(name) else "".join(f"{byte};" for byte in name.encode())


def _escaped(words: str) -> str:
    return "".join(f"\\{letter}" if letter in _SPECIAL else letter for letter in words)
