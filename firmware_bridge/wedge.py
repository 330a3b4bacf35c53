"""A reader that types: a “keyboard wedge” on USB, grabbed so that what it types goes nowhere else.

It cannot report a tag leaving: whatever it types was laid and lifted.
"""

from __future__ import annotations

import contextlib
import select
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol, TypeAlias

from companion.core import ReaderId, Uid

from . import wire
from .senses import Senses
from .solo import TURN, NoReader, NotInstalled, Solo

LONGEST: Final = 20
PAUSE: Final = 1.0
"""Seconds after which earlier keys no longer belong to what is being typed."""
_HEX: Final = {4: 8, 7: 14, 10: 20}
"""Letters of a number with this many bytes."""
_DECIMAL: Final = {10: 4, 17: 7}
"""Bytes of a number typed with this many digits."""


class Keys(Protocol):
    """The part of an `evdev.InputDevice` that is used."""

    def fileno(self) -> int: ...
    def grab(self) -> None: ...
    def read(self) -> Iterable[Any]: ...
    def close(self) -> None: ...


OpensKeys: TypeAlias = Callable[[str], Keys]


def open_keyboard(name: str) -> Keys:
    """The keyboard at a path, or the first with this in its name; raises NoReader or OSError."""
    evdev = _evdev()
    if name.startswith("/"):
        found: Keys = evdev.InputDevice(name)
        return found
    for path in evdev.list_devices():
        device: Keys = evdev.InputDevice(path)
        if name.casefold() in str(getattr(device, "name", "")).casefold():
            return device
        device.close()
    raise NoReader(f"no keyboard is called {name!r}; plug it in, or look at /proc/bus/input/devices for its name")


def _evdev() -> Any:
    try:
        import evdev
    except ImportError:
        raise NotInstalled("evdev is not installed; sudo apt-get install python3-evdev") from None
    return evdev


def uid_typed(text: str, *, reverse: bool = False) -> Uid | None:
    """The number that a wedge typed, in hex or in ten or seventeen digits; None for anything else.

    `reverse` is for wedges that begin with the last byte.
    """
    size = _DECIMAL.get(len(text)) if text.isdecimal() else None
    if size is not None:
        text = f"{int(text):0{_HEX[size]}X}"
    if len(text) not in _HEX.values() or not wire.is_uid(text):
        return None
    return Uid(bytes.fromhex(text)[::-1].hex().upper() if reverse else text)


class Typing:
    """From key presses to numbers. Keys are the chip's own: no keyboard layout of the system changes them."""

    def __init__(self, *, reverse: bool = False) -> None:
        codes = _evdev().ecodes
        self._letters = {getattr(codes, f"KEY_{letter}"): letter for letter in "0123456789ABCDEF"}
        self._letters |= {getattr(codes, f"KEY_KP{digit}"): digit for digit in "0123456789"}
        self._ends = (codes.KEY_ENTER, codes.KEY_KPENTER)
        self._key, self._down = codes.EV_KEY, 1
        self._reverse = reverse
        self._text = ""
        self._at = 0.0

    def take(self, event: Any) -> Uid | None:
        """The number that this event completes, if any."""
        if event.type != self._key or event.value != self._down:
            return None
        at = event.timestamp()
        text, self._at = "" if at - self._at > PAUSE else self._text, at
        if event.code in self._ends:
            self._text = ""
            return uid_typed(text, reverse=self._reverse)
        # A key that belongs to no number spoils the one being typed; the next begins after Enter.
        self._text = (text + self._letters.get(event.code, "?"))[: LONGEST + 1]
        return None


class WedgeReader(Solo):
    """The wedge with the given name or path."""

    def __init__(
        self,
        name: str,
        reader: ReaderId,
        senses: Senses,
        *,
        reverse: bool = False,
        opens: OpensKeys | None = None,
        **how: Any,
    ) -> None:
        super().__init__(name, reader, senses, **how)
        self._reverse = reverse
        self._opens = opens or open_keyboard

    def _listen(self) -> None:
        typing = Typing(reverse=self._reverse)
        with contextlib.closing(self._opens(self.name)) as keyboard:
            keyboard.grab()
            self._tell_level()
            while self._goes_on():
                if not select.select([keyboard.fileno()], [], [], TURN)[0]:
                    continue
                for event in keyboard.read():
                    uid = typing.take(event)
                    if uid is not None:
                        self._tell_arrival(uid)
                        self._tell_leaving(uid)
