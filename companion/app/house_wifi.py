"""A Wi-Fi of the house, typed on a phone, as NetworkManager stores it."""

from __future__ import annotations

import hashlib
import uuid
from typing import Final

from msgspec import Struct

_MADE_BY: Final = "table-companion-house"
LONGEST_NAME: Final = 32
SHORTEST, LONGEST = 8, 63


class HouseWifi(Struct, frozen=True):
    """A Wi-Fi by its name and password; "" if it needs none."""

    name: str
    password: str

    @property
    def is_possible(self) -> bool:
        """Whether there can be such a Wi-Fi."""
        plain = self.name.isprintable() and self.password.isprintable() and self.password.isascii()
        named = 0 < len(self.name.encode()) <= LONGEST_NAME
        return plain and named and (not self.password or SHORTEST <= len(self.password) <= LONGEST)

    @property
    def id(self) -> str:
        return str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{_MADE_BY}/{self.name}"))

    @property
    def file(self) -> str:
        return f"{_MADE_BY}-{self.id}.nmconnection"

    def profile(self) -> str:
        """The connection as NetworkManager stores it. The name is written as bytes and the password as the key derived
        from it, so that no character in them means anything else."""
        name = "".join(f"{byte};" for byte in self.name.encode())
        parts = [
            f"[connection]\nid={_MADE_BY}-{self.id}\nuuid={self.id}\ntype=wifi\nautoconnect=true\n",
            f"[wifi]\nmode=infrastructure\nssid={name}\n",
            "[ipv4]\nmethod=auto\n",
            "[ipv6]\nmethod=auto\n",
        ]
        if self.password:
            key = hashlib.pbkdf2_hmac("sha1", self.password.encode(), self.name.encode(), 4096, 32).hex()
            parts.insert(2, f"[wifi-security]\nkey-mgmt=wpa-psk\npsk={key}\n")
        return "\n".join(parts)
