"""A separate machine, simulated by the kernel: a network namespace, with a cable that can be pulled. Needs root."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Final

NAME: Final = f"club-{os.getpid()}"
NEAR, FAR = "10.203.77.1", "10.203.77.2"
"""This machine, and the other one, on a network with only the two."""


def why_not() -> str:
    """Why we can't have one here; "" if we can."""
    if shutil.which("ip") is None:
        return "`ip` is not installed (apt install iproute2)"
    if os.geteuid() != 0:
        return "only root may make one"
    made = subprocess.run(("ip", "netns", "add", f"{NAME}-try"), capture_output=True, text=True, check=False)
    if made.returncode == 0:
        _ip("netns", "del", f"{NAME}-try")
    return made.stderr.strip()


def _ip(*words: str) -> None:
    subprocess.run(("ip", *words), check=True, capture_output=True)


class Namespace:
    """Used from `open` to `close`. What `within` starts has its own network, at the other end of the cable."""

    def __init__(self) -> None:
        self._near, self._far = f"cn{os.getpid()}", f"cf{os.getpid()}"

    def open(self) -> None:
        _ip("netns", "add", NAME)
        _ip("link", "add", self._near, "type", "veth", "peer", "name", self._far)
        _ip("link", "set", self._far, "netns", NAME)
        _ip("addr", "add", f"{NEAR}/30", "dev", self._near)
        _ip("link", "set", self._near, "up")
        _ip("-n", NAME, "addr", "add", f"{FAR}/30", "dev", self._far)
        _ip("-n", NAME, "link", "set", "lo", "up")
        self.mend()

    def close(self) -> None:
        _ip("netns", "del", NAME)  # the cable goes with it

    def within(self) -> tuple[str, ...]:
        return "ip", "netns", "exec", NAME

    def cut(self) -> None:
        """At the far end: here nothing is refused, and nothing answers."""
        _ip("-n", NAME, "link", "set", self._far, "down")

    def mend(self) -> None:
        _ip("-n", NAME, "link", "set", self._far, "up")
