"""A keyboard wedge without a kernel: its key events look as the kernel would write them."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable

EVENT = struct.Struct("llHHi")
"""How the kernel writes one event: seconds, microseconds, type, code, value."""


class PretendKeyboard:
    """A wedge in front of its reader: its key events look as the kernel would write them. It can be unplugged."""

    def __init__(self) -> None:
        self._out, self._in = os.pipe()
        self.is_grabbed = False
        self.at = 0.0

    def fileno(self) -> int:
        return self._out

    def grab(self) -> None:
        self.is_grabbed = True

    def read(self) -> Iterable[object]:
        chunk = os.read(self._out, 64 * EVENT.size)
        if not chunk:
            raise OSError(19, "No such device")
        from evdev import InputEvent

        return [InputEvent(*values) for values in EVENT.iter_unpack(chunk)]

    def close(self) -> None:
        os.close(self._out)

    def types(self, text: str, each: float = 0.002) -> None:
        """Every key down and up, each followed by its report."""
        from evdev import ecodes

        for letter in text:
            code = getattr(ecodes, "KEY_ENTER" if letter == "\n" else f"KEY_{letter}")
            self.at += each
            for kind, number, value in ((1, code, 1), (0, 0, 0), (1, code, 0), (0, 0, 0)):
                whole = int(self.at)
                os.write(self._in, EVENT.pack(whole, int((self.at - whole) * 1e6), kind, number, value))

    def pull(self) -> None:
        os.close(self._in)
